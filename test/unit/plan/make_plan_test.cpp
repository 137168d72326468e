#include "src/plan/make_plan.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::plan {
namespace {

namespace asio = boost::asio;
using controller::Attempt;
using controller::Context;
using controller::Outcome;

const kube::Resource kLamps("home.example.com", "v1", "Lamp", "lamps");
const kube::Resource kSockets("power.example.com", "v1", "Socket", "sockets");
const kube::Resource kClusterRoles("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false);
const kube::Resource kBindings("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", false);
constexpr const char* kReader = "reader";
const kube::Resource kSets("apps", "v1", "StatefulSet", "statefulsets");

std::string set_json(const std::string& name) {
  return R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":")" + name +
         R"("},"spec":{"replicas":0,"serviceName":"a","selector":{"matchLabels":{"app":"a"}},"template":{"metadata":)"
         R"({"labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"i:1"}]}},"volumeClaimTemplates":[{)"
         R"("metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":)"
         R"("1024Mi"}}}}]}})";
}

// Makes a ConfigMap for each Lamp, with the number of Sockets in its namespace; a Lamp called broken is an error,
// and one called labeled gets a label.
class LampReconciler final : public controller::Reconciler {
 public:
  explicit LampReconciler(Context& context) : context_(context) {}

  Task<Outcome> reconcile(Attempt& attempt) override {
    const auto& key = attempt.key;
    if (key.name == "broken") co_return invalid_error("a bulb is missing");
    if (key.name == "flashing") co_return co_await flash(key);
    if (key.name == "stateful") co_return co_await apply_set(key);
    if (key.name == "labeled") {
      const auto patched = co_await kube::patch(context_.client, kLamps, key, kube::PatchType::kMerge,
                                                R"({"metadata":{"labels":{"seen":"yes"}}})");
      if (!patched) co_return patched.error();
    }
    const auto sockets = co_await kube::list(context_.client, kSockets, {key.ns, {}, "", 0, ""});
    if (!sockets) co_return sockets.error();
    const auto existing = co_await kube::get(context_.client, kube::config_maps(), key);
    if (existing) co_return Outcome::done();
    const auto* member = key.name == "misspelled" ? "dtaa" : "data";
    const auto created =
        co_await kube::create(context_.client, kube::config_maps(), key.ns,
                              R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + key.name + R"("},")" +
                                  member + R"(":{"sockets":")" + std::to_string(sockets->items.size()) + R"("}})");
    if (!created) co_return created.error();
    co_return Outcome::done();
  }

 private:
  // An Event, and an error whose text is always the same.
  Task<Outcome> flash(kube::Key key) {
    const auto lamp = context_.informer(kLamps).get(key);
    if (!lamp) co_return Outcome::done();
    context_.events.record(kLamps, *lamp, controller::EventRecorder::Type::kWarning, "Flashing", "Look", "it flashes");
    co_return invalid_error("a fuse is loose");
  }

  Task<Outcome> apply_set(kube::Key key) {
    const auto applied = co_await kube::apply(context_.client, kSets, key, kube::ApplyForm::kForce, set_json(key.name));
    if (!applied) co_return applied.error();
    co_return Outcome::done();
  }

  Context& context_;
};

struct LampSpec {};
void describe(kube::Description&, LampSpec&) {}

class NoLamps final : public webhook::Validator<LampSpec> {
 public:
  asio::awaitable<webhook::Decision> validate(const webhook::Submission<LampSpec>&) override {
    co_return webhook::Decision::deny("no lamps here");
  }
};

controller::Definition lamp() {
  kube::Kind kind;
  kind.resource = kLamps;
  kind.singular = "lamp";
  return controller::define(kind)
      .rbac({kSockets.group, kSockets.plural, {"list"}})
      .rbac({"", "configmaps", {"create", "get"}})
      .rbac({"apps", "statefulsets", {"create", "get", "list", "patch", "watch"}})
      .rbac({kLamps.group, kLamps.plural, {"patch"}})
      .with_validator<LampSpec>([](Context&) { return std::make_unique<NoLamps>(); })
      .reconciled_by([](Context& context) { return std::make_unique<LampReconciler>(context); });
}

sandbox::ApiServerOptions live_options() {
  sandbox::ApiServerOptions options;
  options.authorization = sandbox::Authorization::kRbac;
  return options;
}

constexpr const char* kSocketDefinition = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sockets.power.example.com}
spec:
  group: power.example.com
  scope: Namespaced
  names: {kind: Socket, listKind: SocketList, plural: sockets, singular: socket}
  conversion: {strategy: None}
  versions:
  - {name: v1beta1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
)";

// A cluster in which `reader` may read everything and write nothing.
class Live {
 public:
  Live() {
    server.serve(lamp().parts().kinds.front());
    create(kClusterRoles,
           R"({"metadata":{"name":"r"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["get","list"]}]})");
    create(kBindings, R"({"metadata":{"name":"r"},"subjects":[{"kind":"User","name":"reader"}],)"
                      R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"}})");
  }

  void create(const kube::Resource& resource, std::string_view object, const std::string& ns = "default") {
    loop.run([&]() -> asio::awaitable<void> {
      auto json = json::yaml_to_json(object);
      REQUIRE(json);
      auto full = json::merge_patch(
          *json, R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind + R"("})");
      auto made =
          co_await kube::create(server.client(sandbox::kAdministrator), resource, resource.namespaced ? ns : "", *full);
      INFO((made ? "" : made.error().message()));
      REQUIRE(made);
    });
  }

  Result<std::unique_ptr<LiveCopy>> copy(const std::string& user = kReader, std::vector<std::string> namespaces = {}) {
    return testing::result_of(loop, LiveCopy::make(server.client(user), {{lamp()}, namespaces}));
  }

  Plan plan() {
    auto copied = copy();
    INFO((copied ? "" : copied.error().message()));
    REQUIRE(copied);
    auto made = make_plan(**copied, {{lamp()}, {}, {}, loop.clock().wall_now(), kube::OperatorName("lamps")});
    INFO((made ? "" : made.error().message()));
    REQUIRE(made);
    return std::move(*made);
  }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  sandbox::ApiServer server{loop.clock(), random, live_options()};
};

std::vector<std::string> places(const std::vector<PlannedWrite>& writes) {
  std::vector<std::string> lines;
  for (const auto& write : writes) lines.push_back(write.verb + " " + write.resource.plural + " " + write.key.text());
  return lines;
}

TEST_CASE("a plan has the writes of the controllers, and uses only get and list") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kSockets, "metadata: {name: wall}");
  live.create(kSockets, "metadata: {name: floor}");
  live.create(kLamps, "metadata: {name: desk}");
  live.create(kLamps, "metadata: {name: bed}");
  live.create(kube::config_maps(), "metadata: {name: bed}");

  const auto plan = live.plan();

  CHECK(plan.has_settled);
  CHECK(plan.errors.empty());
  REQUIRE(places(plan.writes) == std::vector<std::string>{"create configmaps default/desk"});
  CHECK(plan.writes[0].created.find(R"("data":{"sockets":"2"})") != std::string::npos);
  const auto written = live.server.count(
      [](const sandbox::RequestInfo& request) { return request.user == kReader && request.is_write(); });
  CHECK(written == 0);
}

TEST_CASE("a plan does not call the webhooks of its controllers") {
  Live live;
  live.create(kLamps, "metadata: {name: labeled}");

  const auto plan = live.plan();

  CHECK(places(plan.writes) == std::vector<std::string>{"patch lamps default/labeled"});
}

TEST_CASE("an error that a controller still has at the end is in the plan") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kLamps, "metadata: {name: broken}");

  const auto plan = live.plan();

  CHECK(plan.writes.empty());
  REQUIRE_FALSE(plan.errors.empty());
  CHECK(plan.errors[0].find("a bulb is missing") != std::string::npos);
  CHECK(plan.errors[0].find("broken") != std::string::npos);
}

TEST_CASE("an error that is retried is in the plan once, and Events name the operator") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kLamps, "metadata: {name: flashing}");

  const auto plan = live.plan();

  REQUIRE(plan.errors.size() == 1);
  INFO(plan.errors[0]);
  CHECK(plan.errors[0].find("a fuse is loose") != std::string::npos);
  CHECK(plan.errors[0].find("flashing") != std::string::npos);
  CHECK(plan.errors[0].find("reconcileID") == std::string::npos);
  REQUIRE_FALSE(plan.events.empty());
  CHECK(plan.events[0].created.find(R"("reportingComponent":"lamps")") != std::string::npos);
}

TEST_CASE("a plan for a StatefulSet with claim templates has no errors and no changes of them") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kSets, set_json("stateful"));
  live.create(kLamps, "metadata: {name: stateful}");

  const auto plan = live.plan();

  CHECK(plan.errors.empty());
  for (const auto& write : plan.writes) {
    for (const auto& change : write.changes) {
      INFO(change.text());
      CHECK(change.path.find("volumeClaimTemplates") == std::string::npos);
    }
  }
}

// A cluster that an API server before Kubernetes 1.35 serves: it prints timestamps that templates lack.
class OldServer final : public kube::Client {
 public:
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    if (request.verb != kube::Verb::kList) {
      Error missing(Error::Kind::kStatus, "");
      missing.code = 404;
      missing.reason = "NotFound";
      co_return missing;
    }
    std::string items;
    if (request.resource == kSets) {
      items = R"({"metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"5"},"spec":{"template":)"
              R"({"metadata":{"creationTimestamp":null}},"volumeClaimTemplates":[{"metadata":{"name":"data",)"
              R"("creationTimestamp":null}}]}})";
    }
    if (request.resource == kLamps) {
      items = R"({"metadata":{"name":"b","namespace":"default","uid":"v","resourceVersion":"6"},)"
              R"("spec":{"creationTimestamp":null}})";
    }
    co_return kube::ApiReply{200, R"({"metadata":{},"items":[)" + items + "]}"};
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override {
    co_return invalid_error("a plan needs no stream");
  }
};

TEST_CASE("timestamps that older API servers print as null are not copied, except those of custom kinds") {
  sandbox::loop::TestLoop loop;
  OldServer server;
  std::string sets;
  std::string lamps;
  loop.run([&]() -> asio::awaitable<void> {
    auto copied = co_await LiveCopy::make(server, {{lamp()}, {}});
    INFO((copied ? "" : copied.error().message()));
    REQUIRE(copied);
    REQUIRE((*copied)->load([&](const sandbox::Journal::Row& row) {
      if (row.resource == kSets) sets = row.json;
      if (row.resource == kLamps) lamps = row.json;
      return Result<void>();
    }));
  });

  CHECK(sets.find(R"("spec":{"template":{"metadata":{}},"volumeClaimTemplates":[{"metadata":{"name":"data"}}]})") !=
        std::string::npos);
  CHECK(lamps.find(R"("spec":{"creationTimestamp":null})") != std::string::npos);
}

TEST_CASE("a field that does not exist is dropped, with a warning in the plan") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kLamps, "metadata: {name: misspelled}");

  const auto plan = live.plan();

  REQUIRE(plan.writes.size() == 1);
  CHECK(plan.writes[0].created.find("dtaa") == std::string::npos);
  REQUIRE_FALSE(plan.warnings.empty());
  CHECK(plan.warnings[0].find("dtaa") != std::string::npos);
}

TEST_CASE("an object whose owner was not copied is not garbage collected in a plan") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kLamps, "metadata: {name: desk}");
  live.create(kube::config_maps(),
              R"({"metadata":{"name":"desk","ownerReferences":[{"apiVersion":"far.example.com/v1",)"
              R"("kind":"House","name":"h","uid":"a-house"}]}})");

  CHECK(live.plan().writes.empty());
}

TEST_CASE("a kind without the permission to list is an error that names the permission") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);

  const auto copied = live.copy("nobody-knows");

  REQUIRE_FALSE(copied);
  CHECK(copied.error().message().starts_with("a plan needs the verb list for lamps.home.example.com: "));
}

TEST_CASE("a kind that the cluster does not serve has no objects, and the plan notes it") {
  Live live;

  const auto copied = live.copy();

  REQUIRE(copied);
  REQUIRE((*copied)->notes().size() == 1);
  CHECK((*copied)->notes()[0] ==
        "the cluster does not serve sockets.power.example.com: the plan starts without objects of this kind");
}

TEST_CASE("only the namespaces that are watched are copied") {
  Live live;
  live.create(kube::custom_resource_definitions(), kSocketDefinition);
  live.create(kube::Resource("", "v1", "Namespace", "namespaces", false), "metadata: {name: attic}");
  live.create(kLamps, "metadata: {name: desk}");
  live.create(kLamps, "metadata: {name: old}", "attic");

  const auto copied = live.copy(kReader, {"attic"});

  REQUIRE(copied);
  const auto made = make_plan(**copied, {{lamp()}, {}, {}, live.loop.clock().wall_now()});
  REQUIRE(made);
  CHECK(places(made->writes) == std::vector<std::string>{"create configmaps attic/old"});
}

}  // namespace
}  // namespace keelson::plan
