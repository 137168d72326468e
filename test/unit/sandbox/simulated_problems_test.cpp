#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "keelson/kube/client.hpp"
#include "test/unit/sandbox/shop.hpp"

namespace keelson::sandbox {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// A cluster with a Shop, which stores its explanations.
struct Street {
  explicit Street(ShopPass pass, bool tolerates = false) : Street(shop(std::move(pass)), tolerates) {}
  explicit Street(controller::Definition definition, bool tolerates = false)
      : cluster(std::move(definition),
                {.tolerates_problems = tolerates, .print = [this](const std::string& text) { printed += text; }}) {
    REQUIRE(cluster.start_manager());
    REQUIRE(cluster.create(kShops, "default", kCornerYaml));
  }
  bool has(const kube::Resource& resource) const { return !cluster.get(resource, kCorner).root().is_null(); }
  bool prints(const std::string& text) const { return printed.find(text) != std::string::npos; }

  std::string printed;
  SimulatedCluster cluster;
};

// Writes the Service without an owner, as an operator does that calls the verbs directly.
ShopPass creates(std::string service) {
  return [service](controller::Context& context, kube::Object, Logger) -> Task<void> {
    auto created = co_await kube::create(context.client, kube::services(), "default", service);
    if (!created && !kube::is_already_exists(created.error())) co_return std::move(created.error());
    co_return Result<void>();
  };
}

}  // namespace

TEST_CASE("an operator that sends only known fields has no problems") {
  Street street(applies(kube::services(), service(R"("targetPort":8080)")));

  CHECK(street.cluster.eventually([&] { return street.has(kube::services()); }));

  CHECK(street.cluster.problems().empty());
  CHECK(street.printed == "");
}

TEST_CASE("a misspelled field of an applied Service fails the test and suggests the right field") {
  Street street(applies(kube::services(), service(R"("tragetPort":8080)")));

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::services()); }));

  INFO(street.printed);
  CHECK(street.prints("create Service default/corner: ") != street.prints("apply Service default/corner: "));
  CHECK(street.prints("tragetPort: field not declared in schema (did you mean targetPort?)"));
}

TEST_CASE("a misspelled field of a pod template fails the test and suggests the right field") {
  Street street(applies(kube::deployments(), deployment(R"("contianers":[{"name":"c","image":"i"}])")));

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::deployments()); }));

  INFO(street.printed);
  CHECK(street.prints("apply Deployment default/corner: "));
  CHECK(street.prints(".spec.template.spec.contianers: field not declared in schema (did you mean containers?)"));
}

TEST_CASE("a field that kube-apiserver would drop with a warning is rejected, and nothing is stored") {
  Street street(creates(service(R"("tragetPort":8080)")));

  CHECK_FALSE(street.cluster.eventually([] { return false; }));

  INFO(street.printed);
  CHECK(
      street.prints(R"(create Service default/corner: strict decoding error: unknown field "spec.ports[0].tragetPort")"
                    " (did you mean targetPort?)"));
  CHECK_FALSE(street.has(kube::services()));
}

TEST_CASE("a misspelled field also fails a condition that holds independently of the operator") {
  Street street(creates(service(R"("tragetPort":8080)")));
  street.cluster.pass(1s);

  CHECK_FALSE(street.cluster.eventually([] { return true; }));

  REQUIRE(street.cluster.problems().size() == 1);
  CHECK(street.cluster.problems().front().times > 1);
}

TEST_CASE("a patch with a misspelled field is reported without the object that it would change") {
  Street street([](controller::Context& context, kube::Object, Logger) -> Task<void> {
    auto made = co_await kube::create(context.client, kube::services(), "default", service(R"("targetPort":1)"));
    if (!made && !kube::is_already_exists(made.error())) co_return std::move(made.error());
    auto patched = co_await kube::patch(context.client, kube::services(), kCorner, kube::PatchType::kMerge,
                                        R"({"spec":{"sessionAfinity":"None"}})");
    if (!patched) co_return std::move(patched.error());
    co_return Result<void>();
  });

  CHECK_FALSE(street.cluster.eventually([] { return false; }));

  INFO(street.printed);
  CHECK(street.prints(R"(patch Service default/corner: strict decoding error: unknown field "spec.sessionAfinity")"
                      " (did you mean sessionAffinity?)"));
}

TEST_CASE("an operator that requests warnings logs each once, and those about fields are problems") {
  Street street([](controller::Context& context, kube::Object, Logger) -> Task<void> {
    kube::ApiRequest request;
    request.verb = kube::Verb::kCreate;
    request.resource = kube::services();
    request.key.ns = "default";
    request.query = {{"fieldValidation", "Warn"}, {"dryRun", "All"}};
    request.body = service(R"("tragetPort":8080)");
    for (int i = 0; i < 2; ++i) {
      auto sent = co_await context.client.send(request);
      if (!sent) co_return std::move(sent.error());
    }
    co_return Result<void>();
  });

  CHECK_FALSE(street.cluster.eventually([] { return false; }));

  INFO(street.printed);
  CHECK(street.prints("did you mean targetPort?"));
  CHECK(street.cluster.sink.count(R"(unknown field "spec.ports[0].tragetPort")") == 1);
}

TEST_CASE("a value of the wrong type is a problem with the server's message") {
  Street street(applies(kube::services(), service(R"("targetPort":8080,"protocol":7)")));

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::services()); }));

  INFO(street.printed);
  CHECK(street.prints("expected string, got &value.valueUnstructured{Value:7}"));
}

TEST_CASE("an operator whose rules are missing fails its test, and the message has the line to add to the definition") {
  Street street(shop_without_rules(applies(kube::services(), service(R"("targetPort":8080)"))));

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::services()); }));

  INFO(street.printed);
  CHECK(
      street.prints("apply Service default/corner: services \"corner\" is forbidden: User \"manager\" cannot patch "
                    "resource \"services\" in API group \"\" in the namespace \"default\": add .rbac({\"\", "
                    "\"services\", {\"patch\"}}) to the definition of controller shop"));
  CHECK_FALSE(street.has(kube::services()));
}

TEST_CASE("an operator with the verb patch but not create fails its test") {
  auto definition = shop_without_rules(applies(kube::services(), service(R"("targetPort":8080)")));
  definition.rbac({"", "services", {"patch"}});
  Street street(std::move(definition));

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::services()); }));

  INFO(street.printed);
  CHECK(street.prints("add .rbac({\"\", \"services\", {\"create\"}}) to the definition of controller shop"));
}

TEST_CASE("a read that bypasses the cache needs a rule, and so does a list") {
  Street street(shop([](controller::Context& context, kube::Object, Logger) -> Task<void> {
    auto got = co_await kube::get(context.client, kube::services(), kCorner);
    auto listed = co_await kube::list(context.client, kube::jobs(), {.ns = "default"});
    co_return Result<void>();
  }));

  CHECK_FALSE(street.cluster.eventually([] { return false; }));

  INFO(street.printed);
  CHECK(street.prints("get Service default/corner: "));
  CHECK(street.prints("add .rbac({\"\", \"services\", {\"get\"}})"));
  CHECK(street.prints("add .rbac({\"batch\", \"jobs\", {\"list\"}})"));
}

TEST_CASE("requests that a test forbids are not problems of the operator") {
  Street street(applies(kube::services(), service(R"("targetPort":8080)")));
  auto forbidden = street.cluster.server.forbid(
      [](const RequestInfo& request) { return request.resource == kube::services() && request.is_write(); });
  street.cluster.pass(1s);
  forbidden.reset();

  CHECK(street.cluster.eventually([&] { return street.has(kube::services()); }));
  CHECK(street.cluster.problems().empty());
}

TEST_CASE("an exception that leaves a reconciler is a problem, and an undeclared kind too") {
  Street street([](controller::Context& context, kube::Object, Logger) -> Task<void> {
    static_cast<void>(context.informer(kube::jobs()));
    co_return Result<void>();
  });

  CHECK_FALSE(street.cluster.eventually([] { return false; }));

  INFO(street.printed);
  CHECK(
      street.prints("controller shop reads jobs.batch and does not declare it: add .owns<…>(), .watches<…>(map) or "
                    ".also_reads<…>() for it"));
}

TEST_CASE("a test that tolerates problems continues, and can read them") {
  Street street(applies(kube::services(), service(R"("tragetPort":8080)")), true);

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::services()); }, 10s));

  CHECK(street.cluster.problems().size() == 1);
  CHECK(street.prints("gave up after 10s"));
}

TEST_CASE("rejections that depend on users' objects are not problems of the operator") {
  auto wish = deployment(R"("containers":[{"name":"c","image":"i"}])");
  wish.replace(wish.find(R"("app":"a")"), 9, R"("app":"b")");  // the selector does not select the pods
  Street street(applies(kube::deployments(), wish));

  CHECK_FALSE(street.cluster.eventually([&] { return street.has(kube::deployments()); }, 10s));

  INFO(street.printed);
  CHECK(street.cluster.problems().empty());
  CHECK(street.prints("Last errors in the log of the manager:"));
}

TEST_CASE("problems that failed no condition are printed when the cluster is destroyed") {
  std::string printed;
  {
    SimulatedCluster cluster(shop(creates(service(R"("tragetPort":8080)"))),
                             {.print = [&](const std::string& text) { printed += text; }});
    REQUIRE(cluster.start_manager());
    REQUIRE(cluster.create(kShops, "default", kCornerYaml));
    cluster.pass(1s);
    CHECK(printed == "");
  }
  CHECK(printed.find("did you mean targetPort?") != std::string::npos);
}

TEST_CASE("a kind that the API server would reject ends a simulation before it starts") {
  auto street = kShops;
  street.group = "Street";

  CHECK_THROWS_WITH(SimulatedCluster(shop(creates(service("")), street)),
                    Catch::Matchers::StartsWith("kind Shop: the group \"Street\" must be a DNS name with a dot"));
}

}  // namespace keelson::sandbox
