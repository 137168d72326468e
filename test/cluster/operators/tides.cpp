// An operator whose objects request how their reconcile ends, for answers of `explain` that the built-in controllers do
// not have.
#include <chrono>
#include <stdexcept>
#include <string>

#include "keelson/operator.hpp"

namespace {

using namespace std::chrono_literals;

struct TideSpec {
  std::string way;
};
void describe(keelson::kube::Description& d, TideSpec& spec) { d.field("way", spec.way, "How the reconcile ends."); }

struct Tide : keelson::CustomResource<TideSpec> {
  static constexpr keelson::kube::Identity kIdentity{"sea.example.com", "v1", "Tide"};
};

keelson::Reconciled reconcile(const Tide& tide, keelson::Pass<Tide>& pass) {
  if (tide.spec.way == "throws") throw std::runtime_error("the sea is dry");
  if (tide.spec.way == "hangs") co_await keelson::async::sleep_for(pass.clock, 1h);
  if (tide.spec.way == "gives-up") {
    co_return keelson::terminal_error(keelson::invalid_error("there is no such sea"));
  }
  if (tide.spec.way == "writes") {
    // The controller does not watch ConfigMaps, so that no event of this write starts another reconcile.
    const keelson::kube::Key key(tide.metadata.ns, tide.metadata.name);
    KEELSON_CO_TRY(co_await keelson::kube::apply(
        pass.client, keelson::kube::config_maps(), key, keelson::kube::ApplyForm::kForce,
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + key.name + R"("},"data":{"sea":"calm"}})"));
  }
  co_return keelson::done();
}

}  // namespace

int main(int argc, char** argv) {
  return keelson::run("tides", argc, argv,
                      {keelson::controller_for<Tide>(reconcile).reconcile_timeout(1s).backoff(5s, 60s)});
}
