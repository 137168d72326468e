// The Lease as requests: what is sent, which fields of other clients are preserved, what a watch reports. And fenced
// clients.
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/leader/fence.hpp"
#include "keelson/detail/leader/lock.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/fake_client.hpp"
#include "test/support/result_of.hpp"

namespace keelson::leader {
namespace {

using namespace std::chrono_literals;
using kube::Verb;

constexpr const char* kStored = R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
                                R"("metadata":{"name":"l","namespace":"n","uid":"u","resourceVersion":"5",)"
                                R"("labels":{"a":"b"}},"spec":{"holderIdentity":"go","leaseDurationSeconds":15,)"
                                R"("acquireTime":"2026-01-01T00:00:00.000000Z",)"
                                R"("renewTime":"2026-01-01T00:00:01.123456Z","leaseTransitions":4,)"
                                R"("strategy":"OldestEmulationVersion","preferredHolder":"p","later":{"x":1}}})";

struct LockOnFakeClient {
  template <class T>
  Result<T> run(Task<T> work) {
    return testing::result_of(loop, std::move(work));
  }
  // The reply of each request, and the body of each watch.
  void reply_with(const std::string& text) {
    client.always(kube::ApiReply{200, text});
    client.open = [text](const kube::ApiRequest&) { return testing::whole_body(text); };
  }
  // The holders that a watch reports, "gone" for a deleted lease, and how it ended.
  Result<void> watch(std::shared_ptr<testing::FakeBody> body) {
    client.open = [body](const kube::ApiRequest&) { return body; };
    told.clear();
    return run(
        lock->watch([this](const std::optional<Record>& record) { told.push_back(record ? record->holder : "gone"); }));
  }
  json::Document sent() { return *json::Document::parse(client.requests.back().body); }

  sandbox::loop::TestLoop loop;
  testing::FakeClient client;
  std::unique_ptr<Lock> lock =
      make_lease_lock(loop.clock(), client, {kube::Key("n", "l"), "host_1", std::chrono::milliseconds(2500)});
  std::vector<std::string> told;
};

std::string line(const char* type, const std::string& object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + object + "}\n";
}

std::string held_by(const std::string& holder) {
  return R"({"metadata":{"name":"l","namespace":"n"},"spec":{"holderIdentity":")" + holder + R"("}})";
}

TEST_CASE("get returns all fields of the record") {
  LockOnFakeClient world;
  world.reply_with(kStored);

  auto found = world.run(world.lock->get());

  REQUIRE(found);
  REQUIRE(*found);
  CHECK((*found)->record == Record{"go", 15, "2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:01.123456Z", 4});
  const auto& request = world.client.requests.back();
  CHECK(request.verb == Verb::kGet);
  CHECK(request.key == kube::Key("n", "l"));
  CHECK(request.query == decltype(request.query){{"timeout", "3s"}});
}

TEST_CASE("get returns nothing for an absent lease, and an error for any other failure") {
  LockOnFakeClient world;
  world.client.always(testing::status_error(404, "NotFound"));
  auto absent = world.run(world.lock->get());
  CHECK((absent && !*absent));

  world.client.always(testing::status_error(500, "InternalError"));
  CHECK_FALSE(world.run(world.lock->get()));
}

TEST_CASE("a lease without a spec, or with an invalid one, has no holder") {
  LockOnFakeClient world;
  for (const char* spec : {R"({})", R"({"spec":null})", R"({"spec":{"leaseDurationSeconds":-4,"holderIdentity":7}})"}) {
    world.reply_with(R"({"metadata":{"name":"l","namespace":"n"},)" + std::string(spec).substr(1));
    if (std::string(spec) == "{}") world.reply_with(R"({"metadata":{"name":"l","namespace":"n"}})");

    auto found = world.run(world.lock->get());

    REQUIRE(found);
    CHECK((*found)->record == Record{});
  }
}

TEST_CASE("an update sends the whole lease and preserves the fields of other clients") {
  LockOnFakeClient world;
  world.reply_with(kStored);
  auto found = world.run(world.lock->get());

  auto written = world.run(world.lock->update(**found, Record{"me", 15, "t1", "t2", 5}));

  REQUIRE(written);
  CHECK(world.client.requests.back().verb == Verb::kUpdate);
  auto body = world.sent();
  auto spec = body.root().find("spec");
  CHECK(body.root().at({"metadata", "resourceVersion"}).string() == "5");
  CHECK(body.root().at({"metadata", "labels", "a"}).string() == "b");
  CHECK(spec.find("strategy").string() == "OldestEmulationVersion");
  CHECK(spec.find("preferredHolder").string() == "p");
  CHECK(spec.at({"later", "x"}).integer() == 1);
  CHECK(spec.find("holderIdentity").string() == "me");
  CHECK(spec.find("acquireTime").string() == "t1");
  CHECK(spec.find("renewTime").string() == "t2");
  CHECK(spec.find("leaseTransitions").integer() == 5);
}

TEST_CASE("create sends only the record") {
  LockOnFakeClient world;
  world.reply_with(kStored);

  auto created = world.run(world.lock->create(Record{"me", 15, "t1", "t1", 0}));

  REQUIRE(created);
  CHECK(world.client.requests.back().verb == Verb::kCreate);
  CHECK(world.client.requests.back().body ==
        R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l","namespace":"n"},)"
        R"("spec":{"holderIdentity":"me","leaseDurationSeconds":15,"acquireTime":"t1","renewTime":"t1",)"
        R"("leaseTransitions":0}})");
}

TEST_CASE("a watch selects the lease by name and reports each of its changes until it ends") {
  LockOnFakeClient world;
  const auto text = line("ADDED", kStored) +
                    line("BOOKMARK", R"({"kind":"Lease","metadata":{"resourceVersion":"9"}})") +
                    line("DELETED", kStored);

  CHECK(world.watch(testing::whole_body(text)));

  CHECK(world.told == std::vector<std::string>{"go", "gone"});
  bool selected = false;
  for (const auto& [name, value] : world.client.requests.back().query) {
    if (name == "fieldSelector") selected = value == "metadata.name=l";
  }
  CHECK(selected);
}

TEST_CASE("a watch reports the same changes however its body is split into pieces") {
  const auto text = line("ADDED", held_by("one")) + line("MODIFIED", held_by("zw\u00f6lf")) +
                    line("BOOKMARK", R"({"metadata":{"resourceVersion":"9"}})") +
                    line("DELETED", held_by("zw\u00f6lf"));
  for (std::size_t size = 1; size <= text.size(); ++size) {
    INFO("pieces of " << size << " bytes");
    LockOnFakeClient world;
    auto body = std::make_shared<testing::FakeBody>();
    for (std::size_t from = 0; from < text.size(); from += size) body->push(text.substr(from, size));
    body->close();

    REQUIRE(world.watch(body));

    CHECK(world.told == std::vector<std::string>{"one", "zw\u00f6lf", "gone"});
  }
}

TEST_CASE("a watch whose connection breaks reports the changes of its whole lines, and then the error") {
  const auto first = line("ADDED", held_by("one"));
  const auto text = first + line("MODIFIED", held_by("two"));
  for (std::size_t size = 0; size <= text.size(); ++size) {
    INFO("the connection breaks after " << size << " bytes");
    LockOnFakeClient world;
    auto body = std::make_shared<testing::FakeBody>();
    if (size > 0) body->push(text.substr(0, size));
    body->broken_at_end = true;

    auto ended = world.watch(body);

    std::vector<std::string> expected;
    if (size >= first.size()) expected.emplace_back("one");
    if (size == text.size()) expected.emplace_back("two");
    CHECK(world.told == expected);
    REQUIRE_FALSE(ended);
    CHECK(ended.error().kind == Error::Kind::kTransport);
    CHECK(ended.error().message() == "watch leases.coordination.k8s.io in n: read: connection reset by peer");
  }
}

TEST_CASE("a change that arrives while a watch waits is reported immediately") {
  LockOnFakeClient world;
  auto body = std::make_shared<testing::FakeBody>();
  body->push(line("ADDED", held_by("one")));
  async::TaskGroup group(world.loop.executor());
  auto watching = [&]() -> boost::asio::awaitable<void> {
    auto ended = co_await world.lock->watch(
        [&](const std::optional<Record>& record) { world.told.push_back(record ? record->holder : "gone"); });
    CHECK_FALSE(ended);
  };
  world.client.open = [body](const kube::ApiRequest&) { return body; };
  group.spawn(watching());
  world.loop.poll();
  CHECK(world.told == std::vector<std::string>{"one"});

  const auto change = line("MODIFIED", held_by("two"));
  body->push(change.substr(0, change.size() - 1));
  world.loop.poll();
  CHECK(world.told.size() == 1);
  body->push("\n");
  world.loop.poll();
  CHECK(world.told == std::vector<std::string>{"one", "two"});

  body->break_off();
  world.loop.run(group.join());
}

TEST_CASE("a watch that is not opened has the error of its request") {
  LockOnFakeClient world;
  world.client.open = [](const kube::ApiRequest&) -> Result<std::shared_ptr<testing::FakeBody>> {
    return testing::status_error(403, "Forbidden", "leases is forbidden");
  };

  const auto ended = world.run(world.lock->watch([](const std::optional<Record>&) {}));

  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == 403);
  CHECK(ended.error().message() == "watch leases.coordination.k8s.io in n: leases is forbidden");
}

TEST_CASE("a watch reports what precedes an ERROR event or an invalid line, and then its error") {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}})", "too old"},
      {R"({"type":"MODIFIED","object":{"metadata":{}]}})", "JSON"},
      {R"({"type":"RENAMED","object":{}})", "watch event of unknown type"},
  };
  for (const auto& [last, error] : rows) {
    INFO(last);
    LockOnFakeClient world;

    auto ended = world.watch(testing::whole_body(line("ADDED", kStored) + last + "\n"));

    CHECK(world.told == std::vector<std::string>{"go"});
    REQUIRE_FALSE(ended);
    CHECK(ended.error().message().starts_with("watch leases.coordination.k8s.io in n: "));
    CHECK(ended.error().message().find(error) != std::string::npos);
  }
}

TEST_CASE("an Event names its source and the lease") {
  LockOnFakeClient world;
  world.reply_with(kStored);
  auto found = world.run(world.lock->get());

  auto told = world.run(world.lock->record_event(**found, "host_1 became leader"));

  REQUIRE(told);
  auto body = world.sent();
  CHECK(world.client.requests.back().resource == kube::core_events());
  CHECK(body.root().find("message").string() == "host_1 became leader");
  CHECK(body.root().find("reason").string() == "LeaderElection");
  CHECK(body.root().find("type").string() == "Normal");
  CHECK(body.root().at({"source", "component"}).string() == "host_1");
  CHECK(body.root().at({"involvedObject", "kind"}).string() == "Lease");
  CHECK(body.root().at({"involvedObject", "name"}).string() == "l");
  CHECK(body.root().at({"involvedObject", "uid"}).string() == "u");
  CHECK(body.root().at({"metadata", "name"}).string() == "l.18867251edfa0000");  // the time in hex, as client-go
  CHECK(body.root().at({"metadata", "namespace"}).string() == "n");
  CHECK(body.root().find("apiVersion").string() == "v1");
  CHECK(body.root().find("kind").string() == "Event");
  CHECK(body.root().at({"involvedObject", "apiVersion"}).string() == "coordination.k8s.io/v1");
  CHECK(body.root().at({"involvedObject", "namespace"}).string() == "n");
  CHECK(body.root().at({"involvedObject", "resourceVersion"}).string() == "5");
  CHECK(body.root().find("firstTimestamp").string() == "2026-01-01T00:00:00Z");
  CHECK(body.root().find("lastTimestamp").string() == "2026-01-01T00:00:00Z");
  CHECK(body.root().find("count").integer() == 1);
  CHECK(body.root().find("reportingComponent").string() == "host_1");
  CHECK(world.client.requests.back().verb == Verb::kCreate);
  CHECK(world.client.requests.back().key.ns == "n");
}

TEST_CASE("a fenced client checks the fence for every write, each time it is sent, and never for a read") {
  LockOnFakeClient world;
  Fence fence(world.loop.clock());
  auto client = fenced(world.client, fence);
  world.reply_with(kStored);
  for (auto verb : {Verb::kGet, Verb::kList, Verb::kWatch, Verb::kCreate, Verb::kUpdate, Verb::kPatch, Verb::kDelete,
                    Verb::kDeleteCollection}) {
    kube::ApiRequest request;
    request.verb = verb;
    auto sent = world.run(client->send(std::move(request)));
    REQUIRE(sent);

    const auto& may_send = world.client.requests.back().may_send;
    REQUIRE((may_send != nullptr) == (verb >= Verb::kCreate));
    if (!may_send) continue;
    fence.close();
    CHECK_FALSE(may_send());
    fence.open_until(world.loop.clock().now() + 1ns);
    CHECK(may_send());
    fence.open_until(world.loop.clock().now());
    CHECK_FALSE(may_send());
  }
}

}  // namespace
}  // namespace keelson::leader
