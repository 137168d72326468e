#include "src/sandbox/fields/strategic_patch.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/result_of.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

const ServedKind& served(const kube::Resource& resource) {
  static const Kinds all;
  return *all.find(resource);
}

Tree parsed(const std::string& text) {
  auto tree = Tree::parse(text);
  INFO(text);
  REQUIRE(tree);
  return *tree;
}

// The results of the same patches in kube-apiserver 1.36.3.
TEST_CASE("a strategic merge patch merges lists by their keys and follows its directives") {
  struct Row {
    const char* live;
    const char* patch;
    const char* merged;
  };
  const Row rows[] = {
      {R"({"a":{"x":1,"y":2}})", R"({"a":{"x":null,"z":3}})", R"({"a":{"y":2,"z":3}})"},
      {R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"},{"name":"B","value":"2"},{"name":"C"}]}]}})",
       R"({"spec":{"containers":[{"name":"c","env":[{"name":"B","value":"9"},{"name":"D","value":"4"}]}]}})",
       R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"},{"name":"B","value":"9"},{"name":"D",)"
       R"("value":"4"},{"name":"C"}]}]}})"},
      {R"({"spec":{"containers":[{"name":"c"},{"name":"d"}]}})",
       R"({"spec":{"containers":[{"name":"c","$patch":"delete"},{"name":"gone","$patch":"delete"}]}})",
       R"({"spec":{"containers":[{"name":"d"}]}})"},
      {R"({"spec":{"containers":[{"name":"c"},{"name":"d"}]}})",
       R"({"spec":{"containers":[{"$patch":"replace"},{"name":"q"}]}})", R"({"spec":{"containers":[{"name":"q"}]}})"},
      {R"({"spec":{"containers":[{"name":"c"},{"name":"d"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"d"},{"name":"c"}]}})",
       R"({"spec":{"containers":[{"name":"d"},{"name":"c"}]}})"},
      {R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":80,"protocol":"TCP"},{"containerPort":81}]}]}})",
       R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":80,"name":"x"}],"args":["3"]}]}})",
       R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":80,"protocol":"TCP","name":"x"},)"
       R"({"containerPort":81}],"args":["3"]}]}})"},
      {R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
       R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name","secret"],"secret":{"secretName":"s"}}]}})",
       R"({"spec":{"volumes":[{"name":"v","secret":{"secretName":"s"}}]}})"},
      {R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{}}}})",
       R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})",
       R"({"spec":{"strategy":{"type":"Recreate"}}})"},
      {R"({"metadata":{"finalizers":["a","b"]}})", R"({"metadata":{"finalizers":["c"]}})",
       R"({"metadata":{"finalizers":["c","a","b"]}})"},
      {R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"$setElementOrder/finalizers":["c","b"],)"
       R"("finalizers":["c"]}})",
       R"({"metadata":{"finalizers":["c","b"]}})"},
      {R"({"spec":{"a":{"x":1}}})", R"({"spec":{"a":{"$patch":"replace","y":2}}})", R"({"spec":{"a":{"y":2}}})"},
      {R"({"spec":{"a":{"x":1}}})", R"({"spec":{"a":{"$patch":"delete"}}})", R"({"spec":{"a":{}}})"},
      {R"({"data":["x"]})", R"({"data":["y"]})", R"({"data":["y"]})"},
      // The selector of a budget is replaced as a whole, with what Go decodes from null.
      {R"({"spec":{"selector":{"matchLabels":{"app":"a"}}}})", R"({"spec":{"selector":{"matchLabels":{"app":null}}}})",
       R"({"spec":{"selector":{"matchLabels":{"app":null}}}})"},
  };

  for (const auto& row : rows) {
    INFO(row.patch);
    bool is_deployment = std::string_view(row.live).find("strategy") != std::string_view::npos;
    const bool is_budget = std::string_view(row.live).find("selector") != std::string_view::npos;
    const auto& kind = served(is_deployment ? kube::deployments()
                              : is_budget   ? kube::disruption_budgets()
                                            : kube::pods());
    auto merged = strategic_merge_patch(parsed(row.live), parsed(row.patch), kind);
    REQUIRE(merged);
    CHECK(merged->text() == row.merged);
  }
}

TEST_CASE("a strategic merge patch without a merge key or with an unknown directive is an error") {
  auto live = parsed(R"({"spec":{"containers":[{"name":"c"}]}})");

  auto keyless =
      strategic_merge_patch(live, parsed(R"({"spec":{"containers":[{"image":"i"}]}})"), served(kube::pods()));
  auto bogus = strategic_merge_patch(live, parsed(R"({"spec":{"$patch":"bogus"}})"), served(kube::pods()));

  REQUIRE_FALSE(keyless);
  CHECK(keyless.error().text.find("does not contain declared merge key: name") != std::string::npos);
  REQUIRE_FALSE(bogus);
  CHECK(bogus.error().text.starts_with("unknown patch type: bogus"));
}

struct Front : fixtures::Talk {
  net::Response ask_http(const std::string& method, const std::string& target, const std::string& content_type,
                         const std::string& body) {
    net::Request request;
    request.method = method;
    request.target = target;
    request.headers = {{"Authorization", "Bearer alice"}, {"Content-Type", content_type}};
    request.body = body;
    return testing::result_of(loop, handler(std::move(request))).response;
  }
  net::Handler handler = server.handler();
};

constexpr const char* kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kStrategic = "application/strategic-merge-patch+json";

TEST_CASE("strategic merge patches are for built-in kinds") {
  Front front;
  front.server.serve({.resource = {"kf.dev", "v1", "Gadget", "gadgets"}});
  REQUIRE(front.create_map("a"));

  auto patched =
      front.ask_http("PATCH", kMap, kStrategic, R"({"metadata":{"finalizers":["k.dev/x"]},"data":{"x":"1"}})");
  auto custom = front.ask_http("PATCH", "/apis/kf.dev/v1/namespaces/default/gadgets/a", kStrategic, "{}");

  CHECK(patched.status == 200);
  CHECK(patched.body.find(R"("data":{"x":"1"})") != std::string::npos);
  CHECK(custom.status == 415);
  CHECK(custom.body.find("accepted media types include: application/json-patch+json, application/merge-patch+json, "
                         "application/apply-patch+yaml") != std::string::npos);
  CHECK(front.ask_http("PATCH", kMap, "text/plain", "x").status == 415);
}

TEST_CASE("a dry run returns the response of the write and stores nothing") {
  Front front;
  REQUIRE(front.create_map("a"));
  auto before = front.server.resource_version();
  const std::string dry = "?dryRun=All";

  auto created = front.ask_http("POST", kMaps + dry, "application/json", R"({"metadata":{"name":"b"}})");
  auto patched = front.ask_http("PATCH", kMap + dry, "application/merge-patch+json", R"({"data":{"x":"1"}})");
  auto removed = front.ask_http("DELETE", kMap + dry, "", "");
  auto by_options = front.ask_http("DELETE", kMap, "application/json", R"({"dryRun":["All"]})");
  auto unknown = front.ask_http("POST", kMaps + std::string("?dryRun=x"), "application/json", "{}");

  CHECK(created.status == 201);
  CHECK(created.body.find("resourceVersion") == std::string::npos);
  CHECK(patched.body.find(R"("data":{"x":"1"})") != std::string::npos);
  CHECK(removed.status == 200);
  CHECK(by_options.status == 200);
  CHECK(unknown.status == 422);
  CHECK(
      unknown.body.find(
          R"(CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"x\"]: supported values: \"All\")") !=
      std::string::npos);
  CHECK(front.server.resource_version() == before);
}

TEST_CASE("a delete with a body is a dry run only if the body requests it") {
  Front front;
  REQUIRE(front.create_map("a"));
  const auto with_query = kMap + std::string("?dryRun=All&propagationPolicy=Orphan");

  auto by_body = front.ask_http("DELETE", with_query, "application/json", R"({"dryRun":["All"]})");
  auto held = by_body.body.find("deletionTimestamp");
  auto left = front.ask_http("GET", kMap, "", "").status;
  auto by_query = front.ask_http("DELETE", with_query, "application/json", R"({"propagationPolicy":"Background"})");

  CHECK(by_body.status == 200);
  CHECK(held == std::string::npos);
  CHECK(left == 200);
  CHECK(by_query.status == 200);
  CHECK(front.ask_http("GET", kMap, "", "").status == 404);
}

TEST_CASE("the reply to the dry run of a delayed deletion is the object with its deletionTimestamp") {
  Front front;
  REQUIRE(front.create_map("a"));
  auto patched =
      front.ask_http("PATCH", kMap, "application/merge-patch+json", R"({"metadata":{"finalizers":["example.com/x"]}})");
  REQUIRE(patched.status == 200);

  auto removed = front.ask_http("DELETE", kMap + std::string("?dryRun=All"), "", "");

  CHECK(removed.status == 200);
  CHECK(removed.body.find("deletionTimestamp") != std::string::npos);
  CHECK(front.ask_http("GET", kMap, "", "").body.find("deletionTimestamp") == std::string::npos);
}

TEST_CASE("access reviews and SelfSubjectReviews are answered") {
  Front front;
  auto ask = [&front](const std::string& plural, const std::string& body) {
    return front.ask_http("POST", "/apis/" + plural, "application/json", body);
  };

  auto allowed = ask("authorization.k8s.io/v1/selfsubjectaccessreviews",
                     R"({"spec":{"resourceAttributes":{"verb":"create","resource":"pods"}}})");
  CHECK(allowed.status == 201);
  CHECK(allowed.body.find(R"("status":{"allowed":true})") != std::string::npos);
  CHECK(ask("authorization.k8s.io/v1/selfsubjectaccessreviews", R"({"spec":{}})").status == 422);
  CHECK(ask("authorization.k8s.io/v1/selfsubjectrulesreviews", R"({"spec":{"namespace":"default"}})")
            .body.find(R"("incomplete":false)") != std::string::npos);
  CHECK(ask("authentication.k8s.io/v1/selfsubjectreviews", "{}").body.find(R"("username":"alice")") !=
        std::string::npos);
  CHECK(front.ask_http("GET", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "", "").status == 405);
}

}  // namespace
}  // namespace keelson::sandbox
