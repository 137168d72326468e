// Outages of the API server: how long after its return the last watch of all kinds works again, and what is logged.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>

#include "test/support/status_error.hpp"
#include "test/unit/cache/cache_on_fake_server.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using testing::status_error;

// An API server with a list and a watch of each kind, which breaks all watches when it goes down.
class RestartedServer final : public kube::Client {
 public:
  enum class State { kUp, kDown, kStarting };

  void become(State state) {
    state_ = state;
    if (state != State::kDown) return;
    for (const auto& body : bodies_) body->break_off();
    bodies_.clear();
    open_.clear();
  }
  Task<kube::ApiReply> send(kube::ApiRequest) override { co_return invalid_error("not used"); }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    ++requests;
    if (state_ == State::kDown) co_return transport_error("dial tcp 10.0.0.1:6443: connect: connection refused");
    if (broken.contains(request.resource.plural)) {
      ++broken_requests;
      co_return transport_error("read tcp 10.0.0.1:6443: connection reset by peer");
    }
    if (state_ == State::kStarting) co_return rejection(request.resource.plural);
    auto body = std::make_shared<FakeBody>();
    if (!query_of(request, "sendInitialEvents").empty()) body->push(end_of_list(5) + "\n");
    bodies_.push_back(body);
    open_.insert(request.resource.plural);
    co_return std::unique_ptr<net::Stream>(std::make_unique<FakeStream>(body));
  }
  [[nodiscard]] std::size_t open_watches() const { return open_.size(); }
  void send_bookmark() {
    for (const auto& body : bodies_) body->push(bookmark(6) + "\n");
  }

  int requests = 0;
  std::set<std::string> broken;  // kinds whose requests get no answer
  int broken_requests = 0;

 private:
  static Error rejection(const std::string& plural) {
    if (plural.ends_with('0')) return status_error(404, "NotFound");
    if (plural.ends_with('1')) return status_error(429, "TooManyRequests");
    return status_error(403, "Forbidden");
  }

  State state_ = State::kUp;
  std::vector<std::shared_ptr<FakeBody>> bodies_;
  std::set<std::string> open_;
};

struct Kinds {
  explicit Kinds(int count, int first = 0) {
    cache = make_cache(loop.executor(), loop.clock(), random, Logger(sink), server, registry, CacheOptions{});
    for (int i = first; i < first + count; ++i) {
      InformerOptions options;
      options.resource = kube::Resource("example.com", "v1", "Kind" + std::to_string(i), "kinds" + std::to_string(i));
      informers.push_back(&cache->declare(std::move(options)));
    }
    loop.run([this]() -> awaitable<void> { REQUIRE(co_await cache->start()); });
    loop.poll();
  }
  ~Kinds() {
    loop.run([this] { return cache->stop(); });
  }
  void pass(async::Duration time) {
    for (async::Duration step{0}; step < time; step += 50ms) {
      loop.clock().advance(50ms);
      loop.poll();
    }
  }
  // The time until all watches are open; at most two minutes.
  async::Duration until_all_work() {
    async::Duration passed{0};
    for (; passed < 2min && server.open_watches() < informers.size(); passed += 50ms) pass(50ms);
    return passed;
  }
  [[nodiscard]] std::size_t lines_with(const std::string& text) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        sink.lines, [&](const std::string& line) { return line.find(text) != std::string::npos; }));
  }

  sandbox::loop::TestLoop loop;
  base::Random random{3};
  LineCollector sink;
  metrics::Registry registry;
  RestartedServer server;
  std::unique_ptr<Cache> cache;
  std::vector<Informer*> informers;
};

using State = RestartedServer::State;

TEST_CASE("after an outage of the API server all watches work again within four seconds") {
  for (const int count : {1, 3, 20}) {
    for (const auto outage : {async::Duration(3s), async::Duration(1min), async::Duration(10min)}) {
      INFO(count << " kinds, " << std::chrono::duration_cast<std::chrono::seconds>(outage).count() << " s");
      Kinds kinds(count);
      REQUIRE(kinds.server.open_watches() == kinds.informers.size());
      kinds.server.become(State::kDown);
      kinds.pass(outage);
      kinds.server.become(State::kUp);

      CHECK(kinds.until_all_work() <= 4s);
      CHECK(kinds.informers[0]->problem().empty());
      CHECK(kinds.lines_with("Watch works again") == static_cast<std::size_t>(count));
    }
  }
}

TEST_CASE("during an outage the requests of all kinds together come about every two seconds") {
  Kinds kinds(20);
  kinds.server.become(State::kDown);
  kinds.pass(5min);
  const int before = kinds.server.requests;
  kinds.pass(5min);

  CHECK(kinds.server.requests - before >= 140);
  CHECK(kinds.server.requests - before <= 200);
}

TEST_CASE("an API server that has just started and rejects all watches costs no error and no long wait") {
  for (const int count : {1, 3, 20}) {
    INFO(count << " kinds");
    Kinds kinds(count, 2);  // kind 2 and the next ones get 403
    kinds.server.become(State::kDown);
    kinds.pass(5min);
    kinds.server.become(State::kStarting);
    kinds.pass(8s);
    kinds.server.become(State::kUp);

    CHECK(kinds.until_all_work() <= 5s);
    CHECK(kinds.lines_with("the controllers that need it are waiting") == 0);
  }
}

TEST_CASE("one kind whose requests get no answer backs off while the watches of others deliver") {
  Kinds kinds(3);
  kinds.server.become(State::kDown);
  kinds.server.broken = {"kinds0"};
  kinds.server.become(State::kUp);
  kinds.pass(40s);
  const int before = kinds.server.broken_requests;
  for (int i = 0; i < 300; ++i) {
    kinds.server.send_bookmark();
    kinds.pass(1s);
  }

  CHECK(kinds.server.broken_requests - before <= 10);
  CHECK(!kinds.informers[0]->problem().empty());
}

TEST_CASE("one kind whose requests get no answer does not hide the missing permission of another") {
  Kinds kinds(2, 2);
  kinds.server.broken = {"kinds2"};
  kinds.server.become(State::kDown);
  kinds.server.become(State::kStarting);  // kind 3 gets 403 for ever
  kinds.pass(3min);

  CHECK(kinds.informers[1]->problem().find("Forbidden") != std::string::npos);
  CHECK(kinds.lines_with("the controllers that need it are waiting") == 1);
}

TEST_CASE("a permission that is still missing half a minute after an outage is an error, once for each kind") {
  Kinds kinds(5);
  kinds.server.become(State::kDown);
  kinds.pass(1min);
  kinds.server.become(State::kStarting);
  kinds.pass(20s);
  CHECK(kinds.lines_with("the controllers that need it are waiting") == 0);
  kinds.pass(5min);
  CHECK(kinds.lines_with("the controllers that need it are waiting") == 4);  // and one kind gets 429
}

}  // namespace
}  // namespace keelson::cache
