// Writing statuses: requests, coalescing, and the meaning of a 404.
#include "src/controller/status_writer.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/controller/rejection.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;

using Reply = Result<kube::ApiReply>;

Reply list_of(const std::string& items) {
  return kube::ApiReply{
      200, R"({"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":"9"},"items":[)" + items + "]}"};
}

struct SizeStatus {
  std::int32_t size = 0;
  std::string note;
};
void describe(kube::Description& d, SizeStatus& status) {
  d.field("size", status.size, "A number.").required();
  d.field("note", status.note, "A text.");
}

using Written = Result<std::optional<controller::Outcome>>;

struct WriterOnFakeClient {
  Written apply(controller::StatusChange::Form form = controller::StatusChange::Form::kApply,
                controller::StatusChange::Urgency urgency = controller::StatusChange::Urgency::kImmediate) {
    return result_of(loop, writer.write(client, memcached("a"),
                                        {R"({"size":1})", &kube::description_of<SizeStatus>(), form, urgency}));
  }
  // The status write is answered with 404, and a list of the object with this.
  Written apply_unfound(const Reply& listed) {
    client.answer = [listed](const kube::ApiRequest& request) {
      return request.verb == kube::Verb::kPatch ? Reply(status_error(404, "NotFound")) : listed;
    };
    return apply();
  }

  sandbox::loop::TestLoop loop;
  FakeClient client;
  controller::StatusWriter writer{loop.clock(), memcacheds()};
};

TEST_CASE("a status write sends a single request") {
  WriterOnFakeClient world;
  world.client.answer = [](const kube::ApiRequest&) { return kube::ApiReply{200, std::string(memcached("a").json())}; };

  auto written = world.apply();

  REQUIRE(written);
  REQUIRE(*written);
  CHECK_FALSE((*written)->after());
  CHECK(world.client.requests.size() == 1);
}

TEST_CASE("a field that the new status does not have is removed, also if another manager owns it") {
  WriterOnFakeClient world;
  world.client.answer = [](const kube::ApiRequest&) {
    return kube::ApiReply{200, R"({"metadata":{"name":"a","namespace":"default","uid":"u-1"},)"
                               R"("status":{"size":1,"note":"another manager's","unknown":2,"conditions":[]}})"};
  };

  REQUIRE(world.apply());

  REQUIRE(world.client.requests.size() == 2);
  CHECK(world.client.requests.back().body == R"({"metadata":{"uid":"u-1"},"status":{"note":null}})");
}

TEST_CASE("a shared status is patched with the difference only, with the resourceVersion that was read") {
  WriterOnFakeClient world;
  world.client.answer = [](const kube::ApiRequest&) { return kube::ApiReply{200, std::string(memcached("a").json())}; };

  REQUIRE(world.apply(controller::StatusChange::Form::kPatch));

  REQUIRE(world.client.requests.size() == 1);
  CHECK(world.client.requests.front().body.find(R"("resourceVersion":)") != std::string::npos);
  CHECK(world.client.requests.front().body.ends_with(R"("status":{"size":1}})"));
}

TEST_CASE("a coalesced status is written a second after it first differed") {
  WriterOnFakeClient world;
  world.client.answer = [](const kube::ApiRequest&) { return kube::ApiReply{200, std::string(memcached("a").json())}; };
  const auto coalesced = controller::StatusChange::Urgency::kCoalesced;

  auto first = world.apply(controller::StatusChange::Form::kApply, coalesced);

  REQUIRE(first);
  CHECK((*first)->after() == std::chrono::seconds(1));
  CHECK(world.client.requests.empty());
  world.loop.run(async::sleep_for(world.loop.clock(), std::chrono::seconds(1)));
  REQUIRE(world.apply(controller::StatusChange::Form::kApply, coalesced));
  CHECK(world.client.requests.size() == 1);
}

TEST_CASE("the status of an object that no longer exists is dropped without an error") {
  WriterOnFakeClient world;

  for (const auto& items : {std::string(), std::string(memcached("a", "u-2").json())}) {
    auto written = world.apply_unfound(list_of(items));
    REQUIRE(written);
    CHECK_FALSE(*written);  // the object is gone
  }
}

TEST_CASE("a 404 for the status of an existing object is an error that names the manifest to apply") {
  WriterOnFakeClient world;

  auto written = world.apply_unfound(list_of(std::string(memcached("a").json())));

  REQUIRE_FALSE(written);
  CHECK(written.error().message() ==
        "the API server serves no status of memcacheds.cache.example.com default/a: apply the CustomResourceDefinition "
        "of this version, which has the subresource");
  CHECK_FALSE(controller::is_rejection(written.error()));
}

TEST_CASE("a 404 while the kind is not served does not mean that the object is gone") {
  WriterOnFakeClient world;

  auto written = world.apply_unfound(status_error(404, "NotFound"));

  REQUIRE_FALSE(written);
  CHECK(kube::is_not_found(written.error()));
}

TEST_CASE("rejections of an object are distinguished from transient errors and from errors about other objects") {
  for (int code : {400, 402, 403, 405, 406, 407, 411, 412, 413, 415, 422, 423, 499}) {
    INFO(code);
    CHECK(controller::is_rejection(status_error(code, "")));
  }
  // Credentials, an object or namespace that is gone, conflicts, and servers that request a retry.
  for (int code : {0, 200, 399, 401, 404, 408, 409, 410, 429, 500, 503, 504}) {
    INFO(code);
    CHECK_FALSE(controller::is_rejection(status_error(code, "")));
  }
  CHECK_FALSE(controller::is_rejection(transport_error("connection refused")));
  Error fenced(Error::Kind::kFenced, "not sent");
  fenced.code = 403;
  CHECK_FALSE(controller::is_rejection(fenced));
}

TEST_CASE("a rejection caused by a recreated object or an ending namespace does not count as a rejection of the spec") {
  auto identity = [](int code, const std::string& field) {
    auto error = status_error(code, code == 422 ? "Invalid" : "BadRequest");
    error.status_body = R"({"kind":"Status","details":{"causes":[{"field":")" + field + R"("}]}})";
    return error;
  };
  CHECK_FALSE(controller::is_rejection(identity(422, "metadata.uid")));
  CHECK_FALSE(controller::is_rejection(identity(422, "metadata.ownerReferences")));
  CHECK(controller::is_rejection(identity(422, "spec.replicas")));
  CHECK(controller::is_rejection(identity(400, "metadata.uid")));

  auto ending = status_error(403, "Forbidden");
  ending.status_body = R"({"kind":"Status","reason":"Forbidden","details":{"causes":[{"reason":"NamespaceTerminating",)"
                       R"("message":"namespace a is being terminated"}]},"code":403})";
  REQUIRE(kube::is_namespace_terminating(ending));
  CHECK_FALSE(controller::is_rejection(ending));
}

}  // namespace
