// The Lease as requests: what is sent, which fields of other clients are preserved, what a watch reports. And fenced
// clients.
#include <catch2/catch_test_macros.hpp>
#include <deque>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/leader/fence.hpp"
#include "keelson/detail/leader/lock.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::leader {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using kube::Verb;

class TextStream final : public net::Stream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}
  int status() const override { return 200; }
  const net::Headers& headers() const override { return headers_; }
  Task<std::size_t> read_some(std::span<char> buffer) override {
    auto size = text_.copy(buffer.data(), buffer.size());
    text_.erase(0, size);
    co_return size;
  }
  void stop_reading() override { text_.clear(); }

 private:
  std::string text_;
  net::Headers headers_;
};

class FakeClient final : public kube::Client {
 public:
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    requests.push_back(std::move(request));
    if (!reply) co_return *error;
    co_return kube::ApiReply{200, *reply};
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    requests.push_back(std::move(request));
    std::unique_ptr<net::Stream> stream = std::make_unique<TextStream>(*reply);
    co_return stream;
  }
  std::vector<kube::ApiRequest> requests;
  std::optional<std::string> reply;
  std::optional<Error> error;
};

constexpr const char* kStored = R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
                                R"("metadata":{"name":"l","namespace":"n","uid":"u","resourceVersion":"5",)"
                                R"("labels":{"a":"b"}},"spec":{"holderIdentity":"go","leaseDurationSeconds":15,)"
                                R"("acquireTime":"2026-01-01T00:00:00.000000Z",)"
                                R"("renewTime":"2026-01-01T00:00:01.123456Z","leaseTransitions":4,)"
                                R"("strategy":"OldestEmulationVersion","preferredHolder":"p","later":{"x":1}}})";

struct World {
  template <class T>
  Result<T> run(Task<T> work) {
    std::optional<Result<T>> result;
    loop.run(async::detail::store<T>(std::move(work), result));
    return std::move(*result);
  }
  json::Document sent() { return *json::Document::parse(client.requests.back().body); }

  testing::TestLoop loop;
  FakeClient client;
  std::unique_ptr<Lock> lock =
      make_lease_lock(loop.clock(), client, {kube::Key("n", "l"), "host_1", std::chrono::milliseconds(2500)});
};

TEST_CASE("get returns all fields of the record") {
  World world;
  world.client.reply = kStored;

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
  World world;
  world.client.error = Error(Error::Kind::kStatus, "get");
  world.client.error->code = 404;
  world.client.error->reason = "NotFound";
  auto absent = world.run(world.lock->get());
  CHECK((absent && !*absent));

  world.client.error->code = 500;
  world.client.error->reason = "InternalError";
  CHECK_FALSE(world.run(world.lock->get()));
}

TEST_CASE("a lease without a spec, or with an invalid one, has no holder") {
  World world;
  for (const char* spec : {R"({})", R"({"spec":null})", R"({"spec":{"leaseDurationSeconds":-4,"holderIdentity":7}})"}) {
    world.client.reply = R"({"metadata":{"name":"l","namespace":"n"},)" + std::string(spec).substr(1);
    if (std::string(spec) == "{}") world.client.reply = R"({"metadata":{"name":"l","namespace":"n"}})";

    auto found = world.run(world.lock->get());

    REQUIRE(found);
    CHECK((*found)->record == Record{});
  }
}

TEST_CASE("an update sends the whole lease and preserves the fields of other clients") {
  World world;
  world.client.reply = kStored;
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
  World world;
  world.client.reply = kStored;

  auto created = world.run(world.lock->create(Record{"me", 15, "t1", "t1", 0}));

  REQUIRE(created);
  CHECK(world.client.requests.back().verb == Verb::kCreate);
  CHECK(world.client.requests.back().body ==
        R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l","namespace":"n"},)"
        R"("spec":{"holderIdentity":"me","leaseDurationSeconds":15,"acquireTime":"t1","renewTime":"t1",)"
        R"("leaseTransitions":0}})");
}

TEST_CASE("a watch selects the lease by name and reports each of its changes until it ends") {
  World world;
  auto line = [](const char* type, const char* object) {
    return R"({"type":")" + std::string(type) + R"(","object":)" + object + "}\n";
  };
  world.client.reply = line("ADDED", kStored) +
                       line("BOOKMARK", R"({"kind":"Lease","metadata":{"resourceVersion":"9"}})") +
                       line("DELETED", kStored);
  std::vector<std::string> told;

  auto ended = world.run(world.lock->watch(
      [&told](const std::optional<Record>& record) { told.push_back(record ? record->holder : "gone"); }));

  CHECK(ended);
  CHECK(told == std::vector<std::string>{"go", "gone"});
  bool selected = false;
  for (const auto& [name, value] : world.client.requests.back().query) {
    if (name == "fieldSelector") selected = value == "metadata.name=l";
  }
  CHECK(selected);
}

TEST_CASE("a watch reports what precedes an ERROR event or an invalid line, and then its error") {
  struct Row {
    const char* line;
    const char* error;
  };
  const Row rows[] = {
      {R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}})", "too old"},
      {R"({"type":"MODIFIED","object":{"metadata":{}]}})", "JSON"},
      {R"({"type":"RENAMED","object":{}})", "watch event of unknown type"},
  };
  for (const auto& row : rows) {
    INFO(row.line);
    World world;
    world.client.reply = R"({"type":"ADDED","object":)" + std::string(kStored) + "}\n" + row.line + "\n";
    std::vector<std::string> told;

    auto ended = world.run(world.lock->watch(
        [&told](const std::optional<Record>& record) { told.push_back(record ? record->holder : "gone"); }));

    CHECK(told == std::vector<std::string>{"go"});
    REQUIRE_FALSE(ended);
    CHECK(ended.error().message().starts_with("watch leases.coordination.k8s.io in n: "));
    CHECK(ended.error().message().find(row.error) != std::string::npos);
  }
}

TEST_CASE("an Event names its source and the lease") {
  World world;
  world.client.reply = kStored;
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
  World world;
  Fence fence(world.loop.clock());
  auto client = fenced(world.client, fence);
  world.client.reply = kStored;
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
