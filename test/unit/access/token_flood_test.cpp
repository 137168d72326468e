// 10,000 random tokens in five minutes, more than the API server answers, while a scraper comes every 15 s.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/access/authorization_filter.hpp"
#include "test/unit/access/fake_api.hpp"
#include "test/unit/access/tokens.hpp"

namespace keelson::access {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr int kTokens = 10000;
constexpr int kScrapes = 20;
constexpr auto kInterval = 15s;
const std::string kAttacker = "192.0.2.66";
const std::string kScraper = "10.0.0.7";

struct Flood {
  explicit Flood(std::string scraper_peer) : peer(std::move(scraper_peer)) {
    api.owners = {{good, "prometheus"}};
    api.allowed = {"prometheus get /metrics"};
    api.takes = 1s;
  }

  asio::awaitable<void> visit(std::string from, std::string token, int& status) {
    net::Request request;
    request.target = "/metrics";
    request.peer = std::move(from);
    request.headers = {{"Authorization", "Bearer " + token}};
    auto rejection = co_await filter.authorize(request);
    status = rejection ? rejection->status : 200;
  }

  // Every other token has the form of a JWT.
  std::string random_token() {
    auto text = random.uuid();
    return random.between(0, 1) == 0
               ? text
               : testing::jwt(R"({"iss":"https://kubernetes.default.svc","jti":")" + text + "\"}");
  }

  asio::awaitable<void> attack(async::TaskGroup& tasks) {
    for (int number = 0; number < kTokens; ++number) {
      tasks.spawn(visit(kAttacker, random_token(), ignored));
      co_await async::sleep_for(loop.clock(), std::chrono::milliseconds(random.between(0, 60)));
    }
  }
  asio::awaitable<void> scrape() {
    for (int& status : scrapes) {
      // At random times, because reviews that begin together end together.
      co_await async::sleep_for(loop.clock(), kInterval + std::chrono::milliseconds(random.between(-500, 500)));
      co_await visit(peer, good, status);
    }
  }

  // The status of each scrape during the attack.
  std::vector<int> run() {
    loop.run([this]() -> asio::awaitable<void> {
      auto both = [this](async::TaskGroup& tasks) -> asio::awaitable<void> {
        tasks.spawn(attack(tasks));
        co_await scrape();
        tasks.stop();
      };
      co_await async::with_task_group(both);
    });
    return scrapes;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  testing::FakeApi api{loop.clock()};
  AuthorizationFilter filter{loop.clock(), random, Logger(sink), api};
  const std::string good = testing::jwt(R"({"iss":"https://kubernetes.default.svc","sub":"prometheus"})");
  std::string peer;
  std::vector<int> scrapes = std::vector<int>(kScrapes);
  int ignored = 0;
};

std::ptrdiff_t passed(const std::vector<int>& statuses) { return std::ranges::count(statuses, 200); }

TEST_CASE("a scraper with an address of its own is served throughout a flood of random tokens") {
  Flood flood(kScraper);

  CHECK(flood.run() == std::vector<int>(kScrapes, 200));
}

TEST_CASE("a scraper that was served before a flood is served throughout, also with the attacker's address") {
  Flood flood(kAttacker);
  int before = 0;
  flood.loop.run(flood.visit(flood.peer, flood.good, before));
  REQUIRE(before == 200);

  CHECK(flood.run() == std::vector<int>(kScrapes, 200));
}

TEST_CASE("a new scraper with the attacker's address is eventually served during a flood, and from then on") {
  Flood flood(kAttacker);

  const auto scrapes = flood.run();

  const auto first = std::ranges::find(scrapes, 200);
  CHECK(first - scrapes.begin() < kScrapes / 2);
  CHECK(passed(scrapes) == scrapes.end() - first);
}

TEST_CASE("only a part of a flood reaches a fast API server, and a new scraper is served during the flood") {
  Flood flood(kScraper);
  flood.api.takes = 1ms;

  flood.loop.run([&]() -> asio::awaitable<void> {
    auto both = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
      for (int number = 0; number < 2000; ++number) {
        tasks.spawn(flood.visit(kAttacker, flood.random_token(), flood.ignored));
        co_await async::sleep_for(flood.loop.clock(), 1ms);
      }
      co_await flood.visit(flood.peer, flood.good, flood.scrapes.front());
      tasks.stop();
    };
    co_await async::with_task_group(both);
  });

  CHECK(flood.scrapes.front() == 200);
  // A burst of 50, and 50 a second for 2 s. The last two may be the scraper's.
  CHECK(flood.api.asked.size() >= 140);
  CHECK(flood.api.asked.size() <= 155);
}

}  // namespace
}  // namespace keelson::access
