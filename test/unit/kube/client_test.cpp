#include "keelson/kube/client.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/kube/discovery.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/kube/api_request.hpp"
#include "test/support/fake_client.hpp"
#include "test/support/result_of.hpp"

namespace keelson::kube {
namespace {

using testing::FakeClient;

constexpr const char* kPod = R"({"kind":"Pod","metadata":{"name":"a","namespace":"ns","uid":"u"}})";

template <class T>
Result<T> ask(Task<T> verb) {
  sandbox::loop::TestLoop loop;
  return testing::result_of(loop, std::move(verb));
}

TEST_CASE("each verb has its method, target, content type and body") {
  struct Row {
    const char* name;
    std::function<void(Client&)> call;
    std::string method;
    std::string target;
    std::string content_type;
    std::string body;
  };
  const Key key("ns", "a");
  const std::string wish = R"({"metadata":{"name":"a","uid":"u"},"spec":{}})";
  const Row rows[] = {
      {"get", [&](Client& c) { CHECK(ask(get(c, pods(), key))); }, "GET", "/api/v1/namespaces/ns/pods/a", "", ""},
      {"get scale", [&](Client& c) { CHECK(ask(get(c, deployments(), key, "scale"))); }, "GET",
       "/apis/apps/v1/namespaces/ns/deployments/a/scale", "", ""},
      {"create", [&](Client& c) { CHECK(ask(create(c, pods(), "ns", kPod))); }, "POST",
       "/api/v1/namespaces/ns/pods?fieldManager=keelson", "application/json", kPod},
      {"update status", [&](Client& c) { CHECK(ask(update(c, pods(), key, kPod, "status"))); }, "PUT",
       "/api/v1/namespaces/ns/pods/a/status?fieldManager=keelson", "application/json", kPod},
      {"merge patch", [&](Client& c) { CHECK(ask(patch(c, pods(), key, PatchType::kMerge, "{}"))); }, "PATCH",
       "/api/v1/namespaces/ns/pods/a?fieldManager=keelson", "application/merge-patch+json", "{}"},
      {"json patch", [&](Client& c) { CHECK(ask(patch(c, pods(), key, PatchType::kJson, "[]"))); }, "PATCH",
       "/api/v1/namespaces/ns/pods/a?fieldManager=keelson", "application/json-patch+json", "[]"},
      {"apply create only", [&](Client& c) { CHECK(ask(apply(c, pods(), key, ApplyForm::kCreateOnly, wish))); },
       "PATCH", "/api/v1/namespaces/ns/pods/a?fieldManager=keelson", "application/apply-patch+yaml",
       R"({"spec":{},"metadata":{"name":"a","uid":"u","resourceVersion":"1"}})"},
      {"apply update", [&](Client& c) { CHECK(ask(apply(c, pods(), key, ApplyForm::kUpdate, wish))); }, "PATCH",
       "/api/v1/namespaces/ns/pods/a?fieldManager=keelson&force=true", "application/apply-patch+yaml", wish},
      {"apply status", [&](Client& c) { CHECK(ask(apply(c, pods(), key, ApplyForm::kForce, "{}", "status"))); },
       "PATCH", "/api/v1/namespaces/ns/pods/a/status?fieldManager=keelson&force=true", "application/apply-patch+yaml",
       "{}"},
      {"remove", [&](Client& c) { CHECK(ask(remove(c, pods(), key, {}))); }, "DELETE", "/api/v1/namespaces/ns/pods/a",
       "application/json", R"({"kind":"DeleteOptions","apiVersion":"v1"})"},
      {"remove with conditions",
       [&](Client& c) {
         CHECK(ask(remove(c, pods(), key, {"u", "7", "Background", 0})));
       },
       "DELETE", "/api/v1/namespaces/ns/pods/a", "application/json",
       R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,)"
       R"("preconditions":{"uid":"u","resourceVersion":"7"},"propagationPolicy":"Background"})"},
      {"remove collection",
       [&](Client& c) {
         ListOptions which{.ns = "ns", .labels = Selector::equals({{"a", "b"}}), .fields = "", .continue_token = ""};
         CHECK(ask(remove_collection(c, pods(), which, {})));
       },
       "DELETE", "/api/v1/namespaces/ns/pods?labelSelector=a%3Db", "application/json",
       R"({"kind":"DeleteOptions","apiVersion":"v1"})"},
  };

  for (const auto& row : rows) {
    INFO(row.name);
    FakeClient client;
    client.next(kPod);
    row.call(client);
    REQUIRE(client.requests.size() == 1);
    auto http = to_http(client.requests[0], "");
    CHECK(http.method == row.method);
    CHECK(http.target == row.target);
    CHECK(net::header(http.headers, "Content-Type") == row.content_type);
    CHECK(net::header(http.headers, "Accept") == "application/json");
    CHECK(http.body == row.body);
  }
}

TEST_CASE("a watch has watch=true once in its query, and a path prefix comes first") {
  ApiRequest watch;
  watch.verb = Verb::kWatch;
  watch.resource = pods();
  watch.query = {{"resourceVersion", "5"}};

  CHECK(to_http(watch, "/k8s/c1").target == "/k8s/c1/api/v1/pods?watch=true&resourceVersion=5");
  watch.query.emplace_back("watch", "1");
  CHECK(to_http(watch, "").target == "/api/v1/pods?resourceVersion=5&watch=1");
}

TEST_CASE("a list is split into objects, and its options are sent") {
  FakeClient client;
  client.next(R"({"kind":"PodList","metadata":{"resourceVersion":"42","continue":"more"},)"
              R"("items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})");
  ListOptions options{.ns = "ns",
                      .labels = Selector::exists({"app"}),
                      .fields = "metadata.name!=c",
                      .limit = 2,
                      .continue_token = "t/1"};

  auto pods_found = ask(list(client, pods(), options));

  REQUIRE(pods_found);
  REQUIRE(pods_found->items.size() == 2);
  CHECK(pods_found->items[1].name() == "b");
  CHECK(pods_found->resource_version == "42");
  CHECK(pods_found->continue_token == "more");
  CHECK(to_http(client.requests[0], "").target ==
        "/api/v1/namespaces/ns/pods?labelSelector=app&fieldSelector=metadata.name%21%3Dc&limit=2&continue=t%2F1");
}

TEST_CASE("an apply reports whether it created the object") {
  FakeClient client;
  client.next(kPod, 201).next(kPod, 200);

  auto first = ask(apply(client, pods(), Key("ns", "a"), ApplyForm::kCreateOnly, kPod));
  auto second = ask(apply(client, pods(), Key("ns", "a"), ApplyForm::kForce, kPod));

  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->created);
  CHECK_FALSE(second->created);
}

TEST_CASE("a create-only apply has resourceVersion 1, with and without metadata in the body") {
  FakeClient client;
  client.next(kPod).next(kPod);

  CHECK(ask(apply(client, pods(), Key("ns", "a"), ApplyForm::kCreateOnly, R"({"metadata":{"resourceVersion":"9"}})")));
  CHECK(ask(apply(client, pods(), Key("ns", "a"), ApplyForm::kCreateOnly, R"({"n":18446744073709551615,"f":1.50})")));

  CHECK(client.requests[0].body == R"({"metadata":{"resourceVersion":"1"}})");
  CHECK(client.requests[1].body == R"({"n":18446744073709551615,"f":1.5,"metadata":{"resourceVersion":"1"}})");
}

TEST_CASE("a fake client whose replies are all used rejects further requests") {
  FakeClient client;
  client.next(kPod);

  CHECK(ask(get(client, pods(), Key("ns", "a"))));
  CHECK(ask(get(client, pods(), Key("ns", "a"))).error().text ==
        "get pods ns/a: all replies of the fake client are used");
}

TEST_CASE("requests without a name or namespace are not sent") {
  FakeClient client;

  CHECK(ask(get(client, pods(), Key("ns", ""))).error().text == "get pods in ns: resource name may not be empty");
  CHECK(ask(remove(client, pods(), Key("ns", ""), {})).error().text ==
        "delete pods in ns: resource name may not be empty");
  CHECK(ask(get(client, pods(), Key("", "a"))).error().text ==
        "get pods a: an empty namespace may not be set when a resource name is provided");
  CHECK(ask(create(client, pods(), "", kPod)).error().text ==
        "create pods: an empty namespace may not be set during creation");
  CHECK(client.requests.empty());
}

TEST_CASE("an error has its request as context") {
  FakeClient client;
  Error rejected(Error::Kind::kStatus, "");
  rejected.code = 403;
  rejected.server_text = "no";
  client.replies.assign(4, rejected);
  Key key("ns", "a");

  CHECK(ask(get(client, deployments(), key)).error().message() == "get deployments.apps ns/a: no");
  CHECK(ask(apply(client, deployments(), key, ApplyForm::kForce, "{}", "status")).error().message() ==
        "apply deployments.apps/status ns/a: no");
  CHECK(ask(list(client, pods(), {})).error().message() == "list pods: no");
  CHECK(ask(remove(client, custom_resource_definitions(), Key("", "c"), {})).error().message() ==
        "delete customresourcedefinitions.apiextensions.k8s.io c: no");
}

TEST_CASE("a reply of another form than requested is malformed") {
  const std::string bodies[] = {
      "", "<html>", "{", "[]", "null", R"({"kind":"Status","status":"Success"})", R"({"metadata":{"name":)"};

  for (const auto& body : bodies) {
    INFO(body);
    FakeClient client;
    client.next(body).next(body);
    auto object = ask(get(client, pods(), Key("ns", "a")));
    auto all = ask(list(client, pods(), {}));
    REQUIRE_FALSE(object);
    CHECK(object.error().kind == Error::Kind::kMalformed);
    CHECK(object.error().text.starts_with("get pods ns/a: "));
    REQUIRE_FALSE(all);
    CHECK(all.error().kind == Error::Kind::kMalformed);
  }
}

TEST_CASE("a reply without a name is an object, such as a review") {
  FakeClient client;
  client.next(R"({"kind":"SelfSubjectAccessReview","metadata":{},"status":{"allowed":true}})");
  Resource reviews("authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", false);

  CHECK(ask(create(client, reviews, "", "{}")));
}

TEST_CASE("discovery finds a kind under its group and version") {
  const std::string resources = R"({"kind":"APIResourceList","groupVersion":"batch/v1","resources":[)"
                                R"({"name":"jobs/status","kind":"Job","namespaced":true},)"
                                R"({"name":"jobs","kind":"Job","namespaced":true},)"
                                R"({"name":"nodes","kind":"Node","namespaced":false}]})";
  FakeClient client;
  client.next(resources).next(resources).next(resources).next("{");

  auto job = ask(discover(client, "batch", "v1", "Job"));
  auto node = ask(discover(client, "", "v1", "Node"));
  auto missing = ask(discover(client, "batch", "v1", "Cat"));
  auto broken = ask(discover(client, "batch", "v1", "Cat"));

  REQUIRE(job);
  CHECK(*job == jobs());
  REQUIRE(node);
  CHECK(*node == Resource("", "v1", "Node", "nodes", false));
  REQUIRE_FALSE(missing);
  CHECK(is_not_found(missing.error()));
  CHECK(missing.error().message() == "discover batch/v1 Cat: no kind Cat in batch/v1");
  CHECK_FALSE(broken);
  CHECK(to_http(client.requests[0], "/p").target == "/p/apis/batch/v1");
  CHECK(to_http(client.requests[1], "").target == "/api/v1");
}

}  // namespace
}  // namespace keelson::kube
