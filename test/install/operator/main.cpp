// A whole operator: for each Greeting a ConfigMap of the same name that holds the words.
#include "keelson/controller/child.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/fields.hpp"
#include "keelson/program/run.hpp"

using namespace keelson;

// The kind: plain structs described once. CRD, decoding and validation come from here.
struct GreetingSpec {
  std::string name;
};
struct GreetingStatus {};

void describe(kube::Description& d, GreetingSpec& spec) {
  d.document("GreetingSpec says who is greeted.");
  d.field("name", spec.name, "Whom to greet.").required().min_length(1);
}
void describe(kube::Description& d, GreetingStatus&) { d.document("GreetingStatus is empty."); }

const kube::Resource kGreetings("demo.example.com", "v1", "Greeting", "greetings");

kube::Kind greeting_kind() {
  kube::Kind kind;
  kind.resource = kGreetings;
  kind.singular = "greeting";
  kind.description = "Greeting greets somebody.";
  kind.spec_schema = kube::schema_of<GreetingSpec>();
  kind.status_schema = kube::schema_of<GreetingStatus>();
  return kind;
}

// Called with a key whenever a Greeting or its ConfigMap has changed: look, make it so, return.
class GreetingReconciler final : public controller::Reconciler {
 public:
  explicit GreetingReconciler(controller::Context& context) : context_(context) {}

  boost::asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override {
    auto greeting = context_.informer(kGreetings).get(key);
    if (!greeting || greeting->deleting()) co_return controller::Outcome::done();
    auto fields = kube::Fields::of(*greeting);
    if (!fields) co_return std::move(fields.error());
    auto spec = kube::decode<GreetingSpec>(fields->root().find("spec"), "spec");
    if (!spec) co_return terminal(std::move(spec.error()));

    json::Writer wanted;
    wanted.begin_object().field("apiVersion", "v1").field("kind", "ConfigMap");
    wanted.key("metadata").begin_object().field("name", key.name).field("namespace", key.ns).end_object();
    wanted.key("data").begin_object().field("greeting", "Hello, " + spec->name + "!").end_object();
    wanted.end_object();
    auto kept =
        co_await controller::keep_child(context_.client, kube::config_maps(), kGreetings, *greeting,
                                        std::move(wanted).take(), context_.informer(kube::config_maps()).get(key));
    if (!kept) co_return std::move(kept.error());
    if (kept->was_written()) log.info("Greeted.", {{"who", spec->name}});
    co_return controller::Outcome::done();
  }

 private:
  controller::Context& context_;
};

controller::Definition greeting() {
  return controller::define(greeting_kind())
      .owns(kube::config_maps())
      .needs({"", "configmaps", {"create", "patch"}})
      .reconciled_by([](controller::Context& context) { return std::make_unique<GreetingReconciler>(context); });
}

int main(int argc, char** argv) { return keelson::run(argc, argv, {greeting()}); }
