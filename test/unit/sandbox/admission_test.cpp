#include "src/sandbox/admission/admission.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/webhook/limits.hpp"
#include "test/unit/sandbox/webhook_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::allowed;
using fixtures::denied;
using fixtures::parsed;
using fixtures::patched;
using fixtures::WebhookTalk;

constexpr const char* kUrl = "https://127.0.0.1:9443/hook";
constexpr bool kMutating = true;
constexpr bool kValidating = false;

TEST_CASE("a validating webhook receives the same review of a create as from kube-apiserver") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);

  auto created = world.create_map("a", R"(,"data":{"k":"v"})", "?fieldManager=me");

  CHECK(created.status == 201);
  REQUIRE(world.requests.size() == 1);
  CHECK(world.calls[0].url == "https://127.0.0.1:9443/hook?timeout=10s");
  const auto& request = world.requests[0];
  CHECK(request.text_at({"operation"}) == "CREATE");
  CHECK(request.find("kind")->text() == R"({"group":"","version":"v1","kind":"ConfigMap"})");
  CHECK(request.find("resource")->text() == R"({"group":"","version":"v1","resource":"configmaps"})");
  CHECK(request.find("requestKind")->text() == R"({"group":"","version":"v1","kind":"ConfigMap"})");
  CHECK(request.text_at({"name"}) == "a");
  CHECK(request.text_at({"namespace"}) == "default");
  CHECK(request.text_at({"userInfo", "username"}) == "alice");
  CHECK(request.text_at({"object", "data", "k"}) == "v");
  CHECK(request.text_at({"object", "metadata", "uid"}) == parsed(created).text_at({"metadata", "uid"}));
  CHECK(request.find("oldObject")->is_null());
  CHECK(request.find("dryRun")->scalar() == "false");
  CHECK(request.find("options")->text() ==
        R"({"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1","fieldManager":"me"})");
}

TEST_CASE("the path of a webhook is joined and encoded as in client-go") {
  struct Row {
    const char* url;
    const char* called;
  };
  const Row rows[] = {
      {"https://127.0.0.1:9443//validate", "https://127.0.0.1:9443/validate?timeout=10s"},
      {"https://127.0.0.1:9443/a/../b//c/", "https://127.0.0.1:9443/b/c?timeout=10s"},
      {"https://127.0.0.1:9443/a%2Fb%20c/%C3%A4", "https://127.0.0.1:9443/a/b%20c/%C3%A4?timeout=10s"},
      {"https://127.0.0.1:9443", "https://127.0.0.1:9443/?timeout=10s"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.url);
    WebhookTalk world;
    REQUIRE(world.configure("v", kValidating, row.url).status == 201);

    REQUIRE(world.create_map("a").status == 201);

    REQUIRE(world.calls.size() == 1);
    CHECK(world.calls[0].url == row.called);
  }
}

TEST_CASE("a denied write changes nothing and returns the reason") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  struct Row {
    const char* status;
    int code;
    const char* message;
  };
  const Row rows[] = {
      {R"({"code":403,"reason":"Forbidden","message":"no"})", 403,
       R"(admission webhook "v.example.com" denied the request: no)"},
      {R"({"reason":"Nope"})", 400, R"(admission webhook "v.example.com" denied the request: Nope)"},
      {R"({"code":200})", 400, R"(admission webhook "v.example.com" denied the request without explanation)"},
  };

  for (const auto& row : rows) {
    world.answer = [&row](const Tree&) { return denied(*Tree::parse(row.status)); };
    auto rejected = world.create_map("a");
    CHECK(rejected.status == row.code);
    CHECK(parsed(rejected).text_at({"message"}) == row.message);
  }

  CHECK(world.talk.send("GET", WebhookTalk::maps() + "/a").status == 404);
}

TEST_CASE("a mutating webhook patches the stored object, and validating ones receive the result") {
  WebhookTalk world;
  REQUIRE(world.configure("m", kMutating, "https://127.0.0.1/m").status == 201);
  REQUIRE(world.configure("v", kValidating, "https://127.0.0.1/v").status == 201);
  world.answer = [](const Tree& request) {
    bool is_new = request.at({"object", "data"}) == nullptr;
    return is_new ? patched(R"([{"op":"add","path":"/data","value":{"added":"yes"}},
                                {"op":"add","path":"/metadata/uid","value":"mine"}])")
                  : allowed();
  };

  auto created = world.create_map("a");

  CHECK(created.status == 201);
  CHECK(parsed(created).text_at({"data", "added"}) == "yes");
  CHECK(parsed(created).text_at({"metadata", "uid"}) != "mine");
  REQUIRE(world.requests.size() == 2);
  CHECK(world.calls[0].url == "https://127.0.0.1/m?timeout=10s");
  CHECK(world.requests[0].at({"object", "metadata", "uid"}) == nullptr);
  CHECK(world.requests[1].text_at({"object", "data", "added"}) == "yes");
}

TEST_CASE("webhooks are matched by operation, resource, subresource, scope and labels") {
  struct Row {
    const char* rule;
    const char* more;
    bool is_called;
  };
  const Row rows[] = {
      {R"("operations":["CREATE"],"resources":["configmaps"])", "", true},
      {R"("operations":["UPDATE","DELETE"],"resources":["configmaps"])", "", false},
      {R"("operations":["*"],"resources":["*"])", "", true},
      {R"("operations":["*"],"resources":["*/*"])", "", true},
      {R"("operations":["*"],"resources":["configmaps/status"])", "", false},
      {R"("operations":["*"],"resources":["secrets"])", "", false},
      {R"("operations":["*"],"resources":["*"],"scope":"Cluster")", "", false},
      {R"("operations":["*"],"resources":["*"],"scope":"Namespaced")", "", true},
      {R"("operations":["*"],"resources":["*"])", R"(,"objectSelector":{"matchLabels":{"a":"b"}})", true},
      {R"("operations":["*"],"resources":["*"])", R"(,"objectSelector":{"matchLabels":{"a":"c"}})", false},
      {R"("operations":["*"],"resources":["*"])",
       R"(,"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["other"]}]})",
       true},
      {R"("operations":["*"],"resources":["*"])", R"(,"namespaceSelector":{"matchLabels":{"team":"x"}})", false},
  };

  for (const auto& row : rows) {
    INFO(row.rule << row.more);
    WebhookTalk world;
    REQUIRE(world.configure("v", kValidating, kUrl, row.more, row.rule).status == 201);
    auto body = R"({"metadata":{"name":"a","labels":{"a":"b"}}})";
    CHECK(world.talk.send("POST", WebhookTalk::maps(), body).status == 201);
    CHECK(world.requests.size() == (row.is_called ? 1 : 0));
  }
}

TEST_CASE("a webhook that cannot be called fails the write, or is ignored by its failurePolicy") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  world.reply = Result<net::Response>(transport_error("dial tcp 127.0.0.1:9443: connect: connection refused"));

  auto failed = world.create_map("a");

  CHECK(failed.status == 500);
  CHECK(parsed(failed).text_at({"reason"}) == "InternalError");
  CHECK(parsed(failed).text_at({"message"}) ==
        R"(Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: Post )"
        R"("https://127.0.0.1:9443/hook?timeout=10s": dial tcp 127.0.0.1:9443: connect: connection refused)");

  CHECK(world.talk.send("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v").status ==
        200);
  REQUIRE(world.configure("v", kValidating, kUrl, R"(,"failurePolicy":"Ignore")").status == 201);
  CHECK(world.create_map("a").status == 201);
}

TEST_CASE("responses that are not reviews fail the write") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  struct Row {
    int code;
    const char* body;
    const char* why;
  };
  const Row rows[] = {
      {200, R"({"kind":"AdmissionReview"})", "received invalid webhook response: webhook response was absent"},
      {200, R"({"response":{"uid":"x"}})", "received invalid webhook response: expected response.uid="},
      {404, "404 page not found", "failed to call webhook: the server could not find the requested resource"},
      {500, "oops", R"(an error on the server ("oops") has prevented the request from succeeding)"},
      {200, "no json", "failed to call webhook: couldn't get version/kind; json parse error: "},
  };

  for (const auto& row : rows) {
    world.reply = Result<net::Response>(net::Response{row.code, {}, row.body});
    auto failed = world.create_map("a");
    CHECK(failed.status == 500);
    CHECK(parsed(failed).text_at({"message"}).find(row.why) != std::string::npos);
  }
}

TEST_CASE("a webhook call times out after its timeoutSeconds") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl, R"(,"timeoutSeconds":3)").status == 201);
  world.delay = std::chrono::seconds(5);
  const auto begun = world.talk.loop.clock().now();

  auto failed = world.create_map("a");

  CHECK(world.talk.loop.clock().now() - begun == std::chrono::seconds(3));
  CHECK(parsed(failed).text_at({"message"}).find("?timeout=3s\": context deadline exceeded") != std::string::npos);
}

TEST_CASE("a dry run calls only webhooks without side effects") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  CHECK(world.create_map("a", "", "?dryRun=All").status == 201);
  REQUIRE(world.requests.size() == 1);
  CHECK(world.requests[0].find("dryRun")->scalar() == "true");
  CHECK(world.talk.send("GET", WebhookTalk::maps() + "/a").status == 404);
  // No configuration of the served version can have others.
  CHECK(world.configure("w", kValidating, kUrl, R"(,"sideEffects":"Some")").status == 422);
}

TEST_CASE("warnings of webhooks become headers, also for a denied write") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  for (bool is_allowed : {true, false}) {
    world.answer = [is_allowed](const Tree&) {
      auto response = is_allowed ? allowed() : denied(Tree::object());
      response["warnings"] = Tree::array({"be careful", "be careful"});
      return response;
    };

    auto reply = world.create_map("a");

    CHECK(net::header(reply.headers, "Warning") == R"(299 - "be careful")");
    CHECK(std::ranges::count_if(reply.headers, [](const auto& one) { return one.first == "Warning"; }) == 1);
  }
}

TEST_CASE("only the first warnings of a write are returned") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  world.answer = [](const Tree&) {
    auto response = allowed();
    response["warnings"] = Tree::array();
    for (std::size_t i = 0; i < limits::kAdmissionWarnings + 5; ++i) {
      response["warnings"].items().emplace_back("careful " + std::to_string(i));
    }
    return response;
  };

  auto reply = world.create_map("a");

  CHECK(net::header(reply.headers, "Warning") == R"(299 - "careful 0")");
  auto is_warning = [](const auto& one) { return one.first == "Warning"; };
  CHECK(std::ranges::count_if(reply.headers, is_warning) == static_cast<std::ptrdiff_t>(limits::kAdmissionWarnings));
}

TEST_CASE("a webhook with reinvocationPolicy IfNeeded is called again when a later one changed the object") {
  WebhookTalk world;
  REQUIRE(world.configure("a", kMutating, "https://h/a", R"(,"reinvocationPolicy":"IfNeeded")").status == 201);
  REQUIRE(world.configure("b", kMutating, "https://h/b").status == 201);
  world.answer = [&world](const Tree& request) {
    bool is_b = world.calls.back().url.starts_with("https://h/b");
    bool has_data = request.at({"object", "data"}) != nullptr;
    return is_b && !has_data ? patched(R"([{"op":"add","path":"/data","value":{"k":"b"}}])") : allowed();
  };

  CHECK(world.create_map("x").status == 201);

  REQUIRE(world.calls.size() == 3);
  CHECK(world.calls[2].url.starts_with("https://h/a"));
  CHECK(world.requests[2].text_at({"object", "data", "k"}) == "b");
}

TEST_CASE("reviews of updates, status, deletes and collections have the old object") {
  WebhookTalk world;
  REQUIRE(world.create_map("a", R"(,"data":{"k":"1"})").status == 201);
  REQUIRE(world.create_map("b").status == 201);
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  auto& talk = world.talk;

  CHECK(talk.send("PATCH", WebhookTalk::maps() + "/a", R"({"data":{"k":"2"}})",
                  {{"Content-Type", "application/merge-patch+json"}})
            .status == 200);
  CHECK(world.requests.back().text_at({"operation"}) == "UPDATE");
  CHECK(world.requests.back().text_at({"object", "data", "k"}) == "2");
  CHECK(world.requests.back().text_at({"oldObject", "data", "k"}) == "1");
  CHECK(world.requests.back().text_at({"options", "kind"}) == "UpdateOptions");

  world.requests.clear();
  CHECK(talk.send("DELETE", WebhookTalk::maps()).status == 200);
  REQUIRE(world.requests.size() == 2);
  CHECK(world.requests[0].text_at({"operation"}) == "DELETE");
  CHECK(world.requests[0].text_at({"oldObject", "metadata", "name"}) == "a");
  CHECK(world.requests[0].find("object")->is_null());
  CHECK(world.requests[1].text_at({"oldObject", "metadata", "name"}) == "b");
  CHECK(talk.json(WebhookTalk::maps()).find("items")->items().empty());
}

TEST_CASE("a deletion that a webhook denies deletes nothing") {
  WebhookTalk world;
  REQUIRE(world.create_map("a").status == 201);
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  world.answer = [](const Tree&) { return denied(Tree::object({{"message", "keep it"}})); };

  CHECK(world.talk.send("DELETE", WebhookTalk::maps() + "/a").status == 400);

  CHECK(world.talk.send("GET", WebhookTalk::maps() + "/a").status == 200);
}

TEST_CASE("webhooks do not review webhook configurations") {
  WebhookTalk world;
  world.answer = [](const Tree&) { return denied(Tree::object()); };

  REQUIRE(world.configure("v", kValidating, kUrl, "", R"("operations":["*"],"resources":["*/*"])").status == 201);

  CHECK(world.talk.send("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v").status ==
        200);
  CHECK(world.requests.empty());
}

net::Response patch_map(WebhookTalk& world, const std::string& patch) {
  return world.talk.send("PATCH", WebhookTalk::maps() + "/a", patch,
                         {{"Content-Type", "application/merge-patch+json"}});
}

TEST_CASE("a patch is applied again to the version that was written during its webhook call") {
  WebhookTalk world;
  REQUIRE(world.create_map("a", R"(,"data":{"k":"1"})").status == 201);
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  world.meanwhile = [&world]() -> boost::asio::awaitable<void> {
    auto patched_map =
        co_await kube::patch(world.talk.server.client("other"), kube::config_maps(), kube::Key("default", "a"),
                             kube::PatchType::kMerge, R"({"data":{"theirs":"yes"}})");
    REQUIRE(patched_map);
  };

  CHECK(patch_map(world, R"({"data":{"mine":"yes"}})").status == 200);

  auto stored = world.talk.json(WebhookTalk::maps() + "/a");
  CHECK(stored.text_at({"data", "mine"}) == "yes");
  CHECK(stored.text_at({"data", "theirs"}) == "yes");
  CHECK(world.requests.back().text_at({"object", "data", "theirs"}) == "yes");
}

TEST_CASE("an update of a version that was replaced during its webhook call conflicts") {
  WebhookTalk world;
  auto created = world.create_map("a");
  REQUIRE(world.configure("m", kMutating, kUrl).status == 201);
  world.meanwhile = [&world]() -> boost::asio::awaitable<void> {
    auto removed =
        co_await kube::remove(world.talk.server.client("other"), kube::config_maps(), kube::Key("default", "a"), {});
    REQUIRE(removed);
  };

  CHECK(world.talk.send("PUT", WebhookTalk::maps() + "/a", created.body).status == 404);
}

TEST_CASE("an object that changes during each webhook call ends in a conflict") {
  WebhookTalk world;
  REQUIRE(world.create_map("a").status == 201);
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  int version = 0;
  std::function<boost::asio::awaitable<void>()> change = [&]() -> boost::asio::awaitable<void> {
    auto text = R"({"data":{"n":")" + std::to_string(++version) + "\"}}";
    auto patched_map = co_await kube::patch(world.talk.server.client("other"), kube::config_maps(),
                                            kube::Key("default", "a"), kube::PatchType::kMerge, text);
    REQUIRE(patched_map);
    world.meanwhile = change;
  };
  world.meanwhile = change;

  auto rejected = patch_map(world, R"({"data":{"mine":"yes"}})");

  CHECK(rejected.status == 409);
  CHECK(version < 100);
}

boost::asio::awaitable<void> create_and_count(kube::Client& client, std::string name, std::map<int, int>& codes) {
  auto body = R"({"metadata":{"name":")" + name + R"("}})";
  auto created = co_await kube::create(client, kube::config_maps(), "default", body);
  ++codes[created ? 201 : created.error().code];
}

TEST_CASE("webhook calls have a limit, and writes beyond it fail as if the webhook did not respond") {
  WebhookTalk world;
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);
  world.delay = std::chrono::seconds(1);
  std::map<int, int> codes;
  auto& client = world.talk.client();

  world.talk.loop.run([&]() -> boost::asio::awaitable<void> {
    co_await async::with_task_group([&](async::TaskGroup& group) {
      for (std::size_t i = 0; i < limits::kSandboxWebhookCalls + 5; ++i) {
        group.spawn(create_and_count(client, "a" + std::to_string(i), codes));
      }
      return group.drain();
    });
  });

  CHECK(codes[201] == static_cast<int>(limits::kSandboxWebhookCalls));
  CHECK(codes[500] == 5);
}

// The review is only written for the calls that are made: for all of them it would be gigabytes.
TEST_CASE("a configuration of thousands of webhooks is rejected at the limit of calls") {
  WebhookTalk world;
  std::string webhooks;
  for (int i = 0; i < 5000; ++i) {
    webhooks += R"({"name":"v)" + std::to_string(i) +
                R"(.example.com","admissionReviewVersions":["v1"],"sideEffects":"None",
                   "clientConfig":{"url":"https://h/v"},"rules":[{"apiGroups":[""],"apiVersions":["*"],
                   "operations":["*"],"resources":["configmaps"]}]},)";
  }
  webhooks.pop_back();
  auto configured = world.talk.send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                                    R"({"metadata":{"name":"v"},"webhooks":[)" + webhooks + "]}");
  REQUIRE(configured.status == 201);
  world.delay = std::chrono::seconds(1);

  auto rejected = world.create_map("a", R"(,"data":{"k":")" + std::string(200'000, 'x') + "\"}");

  CHECK(rejected.status == 500);
  CHECK(parsed(rejected).text_at({"message"}).find("too many calls of webhooks") != std::string::npos);
  CHECK(world.calls.size() == limits::kSandboxWebhookCalls);
}

TEST_CASE("a generated name and a uid stay the same during webhook calls") {
  WebhookTalk world;
  REQUIRE(world.configure("m", kMutating, kUrl).status == 201);
  REQUIRE(world.configure("v", kValidating, kUrl).status == 201);

  auto created = world.talk.send("POST", WebhookTalk::maps(), R"({"metadata":{"generateName":"a-"}})");

  CHECK(created.status == 201);
  REQUIRE(world.requests.size() == 2);
  CHECK(world.requests[0].find("name") == nullptr);
  CHECK(world.requests[0].at({"object", "metadata", "name"}) == nullptr);
  CHECK(world.requests[1].text_at({"name"}) == parsed(created).text_at({"metadata", "name"}));
  CHECK(world.requests[1].text_at({"object", "metadata", "name"}) == parsed(created).text_at({"metadata", "name"}));
}

TEST_CASE("webhooks of the scale subresource receive a Scale") {
  WebhookTalk world;
  auto deployment = R"({"metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})";
  auto path = std::string("/apis/apps/v1/namespaces/default/deployments");
  REQUIRE(world.talk.send("POST", path, deployment).status == 201);
  REQUIRE(world.configure("v", kMutating, kUrl, "", R"("operations":["UPDATE"],"resources":["deployments/scale"])")
              .status == 201);
  world.answer = [](const Tree&) { return patched(R"([{"op":"replace","path":"/spec/replicas","value":5}])"); };

  auto scaled = world.talk.send("PATCH", path + "/web/scale", R"({"spec":{"replicas":3}})",
                                {{"Content-Type", "application/merge-patch+json"}});

  CHECK(scaled.status == 200);
  REQUIRE(world.requests.size() == 1);
  CHECK(world.requests[0].text_at({"kind", "kind"}) == "Scale");
  CHECK(world.requests[0].text_at({"subResource"}) == "scale");
  CHECK(world.requests[0].at({"object", "spec"})->integer_at({"replicas"}) == 3);
  CHECK(parsed(scaled).integer_at({"spec", "replicas"}) == 5);
}

TEST_CASE("a Service is resolved to a ready endpoint") {
  WebhookTalk world;
  auto config = R"({"metadata":{"name":"s"},"webhooks":[{"name":"s.example.com","admissionReviewVersions":["v1"],
      "sideEffects":"None","clientConfig":{"service":{"namespace":"default","name":"hooks","path":"/p"}},
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]}]})";
  REQUIRE(
      world.talk.send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", config).status ==
      201);
  auto failure = [&world] { return parsed(world.create_map("a")).text_at({"message"}); };
  const auto prefix = std::string(R"(Internal error occurred: failed calling webhook "s.example.com": )") +
                      R"(failed to call webhook: Post "https://hooks.default.svc:443/p?timeout=10s": )";

  CHECK(failure() == prefix + R"(service "hooks" not found)");

  REQUIRE(world.talk
              .send("POST", "/api/v1/namespaces/default/services",
                    R"({"metadata":{"name":"hooks"},"spec":{"ports":[{"port":443}]}})")
              .status == 201);
  CHECK(failure() == prefix + R"(no endpoints available for service "hooks")");

  REQUIRE(world.talk
              .send("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                    R"({"metadata":{"name":"hooks","labels":{"kubernetes.io/service-name":"hooks"}},
                        "addressType":"IPv4","endpoints":[{"addresses":["10.0.0.2"]}],
                        "ports":[{"name":"","port":9443}]})")
              .status == 201);
  CHECK(world.create_map("a").status == 201);
  REQUIRE(world.calls.size() == 1);
  CHECK(world.calls[0].address == "10.0.0.2:9443");
  CHECK(world.calls[0].server_name == "hooks.default.svc");
}

TEST_CASE("a Service of type ExternalName resolves to that name, whatever its ports") {
  WebhookTalk world;
  auto config = R"({"metadata":{"name":"s"},"webhooks":[{"name":"s.example.com","admissionReviewVersions":["v1"],
      "sideEffects":"None","clientConfig":{"service":{"namespace":"default","name":"hooks","port":9443}},
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]}]})";
  REQUIRE(
      world.talk.send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", config).status ==
      201);
  REQUIRE(world.talk
              .send("POST", "/api/v1/namespaces/default/services",
                    R"({"metadata":{"name":"hooks"},"spec":{"type":"ExternalName","externalName":"localhost"}})")
              .status == 201);

  CHECK(world.create_map("a").status == 201);

  REQUIRE(world.calls.size() == 1);
  CHECK(world.calls[0].address == "localhost:9443");
  CHECK(world.calls[0].server_name == "hooks.default.svc");
}

}  // namespace
}  // namespace keelson::sandbox
