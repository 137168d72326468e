// The example of include/keelson/controller/controller_for.hpp: a controller from a function.
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"

namespace {

using namespace keelson;

// [greeter]
struct GreetingSpec {
  std::string text;
};
void describe(kube::Description& d, GreetingSpec& spec) { d.field("text", spec.text, "The text.").required(); }

struct GreetingStatus {
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, GreetingStatus& status) {
  d.field("conditions", status.conditions, "The conditions of the Greeting.").list_map({"type"});
}

struct Greeting : CustomResource<GreetingSpec, GreetingStatus> {
  static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Greeting"};
};

Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
  core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()}, .data = {{"text", greeting.spec.text}}};
  KEELSON_CO_TRY(co_await pass.apply(config_map));
  pass.ready("Greeted", "The ConfigMap has the greeting.");
  co_return done();
}

controller::Definition greeter() { return controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>(); }
// [end]

[[maybe_unused]] controller::Definition definition() { return greeter(); }

}  // namespace
