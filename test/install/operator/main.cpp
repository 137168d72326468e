// A whole operator: for each Greeting, a ConfigMap of the same name that holds the greeting.
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/operator.hpp"

using namespace keelson;

struct GreetingSpec {
  std::string name;
};
void describe(kube::Description& d, GreetingSpec& spec) {
  d.field("name", spec.name, "The name to greet.").required().min_length(1);
}

struct Greeting : CustomResource<GreetingSpec> {
  static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Greeting"};
};

// Called whenever a Greeting or its ConfigMap has changed: make the cluster match the spec.
Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
  core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()},
                                 .data = {{"greeting", "Hello, " + greeting.spec.name + "!"}}};
  KEELSON_CO_TRY(co_await pass.apply(config_map));
  pass.log.info("Greeted.", {{"who", greeting.spec.name}});
  co_return done();
}

int main(int argc, char** argv) {
  return run("greeter", argc, argv, {controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>()});
}
