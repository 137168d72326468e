// A watch without data: when its server is probed, and what follows.
#include "test/support/result_of.hpp"
#include "test/unit/kube/rest_client_on_script.hpp"

namespace keelson::kube {
namespace {

using namespace std::chrono_literals;

constexpr const char* kVersion = "/prefix/version";
constexpr const char* kPods = "/prefix/api/v1/namespaces/ns/pods";

struct Watching {
  explicit Watching(RestClientOnScript& w) : world(w) {
    auto opened = world.stream(request_of(Verb::kWatch));
    REQUIRE(opened);
    stream = std::move(*opened);
  }
  // Reads once and sets world.took to its duration.
  Result<std::size_t> read() {
    auto began = world.loop.clock().now();
    auto got = testing::result_of(world.loop, stream->read_some(buffer));
    world.took = world.loop.clock().now() - began;
    return got;
  }
  RestClientOnScript& world;
  std::unique_ptr<net::Stream> stream;
  std::string buffer = std::string(100, '\0');
};

std::size_t probes(const RestClientOnScript& world) {
  std::size_t count = 0;
  for (const auto& request : world.http.requests()) count += request.target == kVersion ? 1 : 0;
  return count;
}

TEST_CASE("a silent watch whose server does not answer is lost after 45 s") {
  RestClientOnScript world;
  world.http.always("GET", kPods).streams({}, testing::StreamEnd::kSilent);
  world.http.always("GET", kVersion).after(1h).replies(200, "{}");
  Watching watching(world);

  auto got = watching.read();

  REQUIRE_FALSE(got);
  CHECK(got.error().kind == Error::Kind::kTransport);
  CHECK(world.took == 45s);
  CHECK(probes(world) == 1);
  CHECK(world.http.idle_closed() == 1);
  CHECK_FALSE(watching.read());
}

TEST_CASE("a silent watch continues if its server replies to the probe") {
  for (int status : {200, 401, 403, 404, 429, 503}) {
    INFO(status);
    RestClientOnScript world;
    world.http.always("GET", kPods).streams({{"{}\n", 100s}}, testing::StreamEnd::kSilent);
    world.http.always("GET", kVersion).replies({status, {{"Retry-After", "60"}}, "{}"});
    Watching watching(world);

    auto got = watching.read();

    REQUIRE(got);
    CHECK(*got == 3);
    CHECK(world.took == 100s);
    CHECK(probes(world) == 3);
  }
}

TEST_CASE("a server that refuses connections does not answer") {
  RestClientOnScript world;
  world.http.always("GET", kPods).streams({}, testing::StreamEnd::kSilent);
  world.http.always("GET", kVersion).fails(transport_error("dial tcp 10.0.0.1:6443: connect: connection refused"));
  Watching watching(world);

  auto got = watching.read();

  REQUIRE_FALSE(got);
  CHECK(world.took == 30s);
}

TEST_CASE("a watch with events, and a list, send no probe") {
  RestClientOnScript world;
  world.http.always("GET", kPods).streams({{"{}\n", 29s}, {"{}\n", 29s}, {"{}\n", 29s}}, testing::StreamEnd::kProper);
  Watching watching(world);

  for (int piece = 0; piece < 3; ++piece) CHECK(watching.read());
  CHECK(watching.read().value() == 0);
  CHECK(probes(world) == 0);

  RestClientOnScript other;
  other.http.always("GET", kPods).streams({{"{}", 50s}}, testing::StreamEnd::kProper);
  auto list = other.stream(request_of(Verb::kList));
  REQUIRE(list);
  std::string buffer(100, '\0');
  CHECK(testing::result_of(other.loop, (*list)->read_some(buffer)));
  CHECK(probes(other) == 0);
}

TEST_CASE("a read without waiting needs no timer, and a watch has one timer for all reads") {
  RestClientOnScript world;
  constexpr int kPieces = 1000;
  world.http.always("GET", kPods)
      .streams(std::vector<testing::StreamPiece>(kPieces, {"{}\n"}), testing::StreamEnd::kProper);
  Watching watching(world);
  auto before = world.loop.clock().timers();
  auto read_all = [&]() -> boost::asio::awaitable<void> {
    for (int piece = 0; piece < kPieces; ++piece) {
      auto got = co_await watching.stream->read_some(watching.buffer);
      CHECK(got.value() == 3);
    }
  };

  world.loop.run(read_all, {.steps = 20});

  CHECK(world.loop.clock().timers() == before + 1);
}

TEST_CASE("a reply to another request replaces the probe") {
  RestClientOnScript world;
  world.http.always("GET", "/prefix/api/v1/namespaces/ns/pods/a").replies(200, kPod);
  world.http.always("GET", kPods).streams({{"{}\n", 45s}}, testing::StreamEnd::kSilent);
  Watching watching(world);
  auto asks = [&]() -> boost::asio::awaitable<void> {
    co_await async::sleep_for(world.loop.clock(), 20s);
    auto reply = co_await world.client().send(request_of(Verb::kGet));
    CHECK(reply);
  };

  async::TaskGroup tasks(world.loop.executor());
  tasks.spawn(asks());
  CHECK(watching.read());
  world.loop.run(tasks.join());

  CHECK(probes(world) == 0);
}

TEST_CASE("all silent watches of a client share one probe") {
  RestClientOnScript world;
  world.http.always("GET", kPods).streams({}, testing::StreamEnd::kSilent);
  world.http.always("GET", kVersion).after(1h).replies(200, "{}");
  std::vector<std::unique_ptr<Watching>> all;
  for (int watch = 0; watch < 5; ++watch) all.push_back(std::make_unique<Watching>(world));
  int lost = 0;
  auto read = [&](Watching& watching) -> boost::asio::awaitable<void> {
    auto got = co_await watching.stream->read_some(watching.buffer);
    if (!got) ++lost;
  };

  async::TaskGroup tasks(world.loop.executor());
  for (auto& watching : all) tasks.spawn(read(*watching));
  world.loop.run(tasks.join());

  CHECK(lost == 5);
  CHECK(probes(world) == 1);
}

TEST_CASE("if the watch that sent the probe is destroyed, another one sends it") {
  RestClientOnScript world;
  world.http.always("GET", kPods).streams({}, testing::StreamEnd::kSilent);
  world.http.always("GET", kVersion).after(10s).replies(200, "{}");
  Watching first(world);
  Watching second(world);
  auto read = [](Watching& watching) -> boost::asio::awaitable<void> {
    auto got = co_await watching.stream->read_some(watching.buffer);
    CHECK(got);
  };
  async::TaskGroup going(world.loop.executor());
  async::TaskGroup staying(world.loop.executor());
  going.spawn(read(first));
  staying.spawn(read(second));

  world.loop.run([&]() -> boost::asio::awaitable<void> {
    co_await async::sleep_for(world.loop.clock(), 35s);
    going.stop();
    co_await going.join();
    co_await async::sleep_for(world.loop.clock(), 20s);
    CHECK(probes(world) == 2);
    staying.stop();
    co_await staying.join();
  });
}

}  // namespace
}  // namespace keelson::kube
