// Writing a status that is not found: the object has gone, or its status is not served.
#include "keelson/controller/status.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::test;

using Reply = Result<kube::ApiReply>;

Reply list_of(const std::string& items) {
  return kube::ApiReply{
      200, R"({"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":"9"},"items":[)" + items + "]}"};
}

struct World {
  Result<bool> apply() {
    std::optional<Result<bool>> result;
    loop.run(TestLoop::Body([&]() -> boost::asio::awaitable<void> {
      auto written = co_await controller::apply_status(client, memcacheds(), memcached("a"), R"({"size":1})");
      result.emplace(std::move(written));
    }));
    return *std::move(result);
  }
  // The status is not found; this is what a list of the object brings.
  Result<bool> apply_unfound(const Reply& listed) {
    client.answer = [listed](const kube::ApiRequest& request) {
      return request.verb == kube::Verb::kPatch ? Reply(status_error(404, "NotFound")) : listed;
    };
    return apply();
  }

  TestLoop loop;
  FakeClient client;
};

TEST_CASE("a status that is written costs one request") {
  World world;
  world.client.answer = [](const kube::ApiRequest&) { return kube::ApiReply{200, std::string(memcached("a").json())}; };

  auto written = world.apply();

  REQUIRE(written);
  CHECK(*written);
  CHECK(world.client.requests.size() == 1);
}

TEST_CASE("the status of an object that has gone is nothing to tell") {
  World world;

  for (const auto& items : {std::string(), std::string(memcached("a", "u-2").json())}) {
    auto written = world.apply_unfound(list_of(items));
    REQUIRE(written);
    CHECK_FALSE(*written);
  }
}

TEST_CASE("the status of an object that is there, and is not found, is an error that says what to apply") {
  World world;

  auto written = world.apply_unfound(list_of(std::string(memcached("a").json())));

  REQUIRE_FALSE(written);
  CHECK(written.error().message() ==
        "the API server serves no status of memcacheds.cache.example.com default/a: apply the CustomResourceDefinition "
        "of this version, which has the subresource");
  CHECK_FALSE(controller::is_refusal(written.error()));
}

TEST_CASE("whether the object has gone is not known while its kind is not served") {
  World world;

  auto written = world.apply_unfound(status_error(404, "NotFound"));

  REQUIRE_FALSE(written);
  CHECK(kube::is_not_found(written.error()));
}

TEST_CASE("rejections of an object are distinguished from transient errors and from errors about other objects") {
  for (int code : {400, 402, 403, 405, 406, 407, 411, 412, 413, 415, 422, 423, 499}) {
    INFO(code);
    CHECK(controller::is_refusal(status_error(code, "")));
  }
  // Credentials, an object or namespace that is gone, conflicts, and servers that want to be asked again later.
  for (int code : {0, 200, 399, 401, 404, 408, 409, 410, 429, 500, 503, 504}) {
    INFO(code);
    CHECK_FALSE(controller::is_refusal(status_error(code, "")));
  }
  CHECK_FALSE(controller::is_refusal(transport("connection refused")));
  Error fenced(Error::Kind::kFenced, "not sent");
  fenced.code = 403;
  CHECK_FALSE(controller::is_refusal(fenced));
}

TEST_CASE("a rejection because of another life of the object, or of its namespace, is not about its spec") {
  auto identity = [](int code, const std::string& field) {
    auto error = status_error(code, code == 422 ? "Invalid" : "BadRequest");
    error.status_body = R"({"kind":"Status","details":{"causes":[{"field":")" + field + R"("}]}})";
    return error;
  };
  CHECK_FALSE(controller::is_refusal(identity(422, "metadata.uid")));
  CHECK_FALSE(controller::is_refusal(identity(422, "metadata.ownerReferences")));
  CHECK(controller::is_refusal(identity(422, "spec.replicas")));
  CHECK(controller::is_refusal(identity(400, "metadata.uid")));

  auto ending = status_error(403, "Forbidden");
  ending.status_body = R"({"kind":"Status","reason":"Forbidden","details":{"causes":[{"reason":"NamespaceTerminating",)"
                       R"("message":"namespace a is being terminated"}]},"code":403})";
  REQUIRE(kube::is_namespace_terminating(ending));
  CHECK_FALSE(controller::is_refusal(ending));
}

}  // namespace
