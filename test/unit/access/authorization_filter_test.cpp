#include "src/access/authorization_filter.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/access/authorized.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/access/review_retries.hpp"
#include "test/unit/access/fake_api.hpp"
#include "test/unit/access/tokens.hpp"

namespace keelson::access {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct FilteredEndpoint {
  FilteredEndpoint() {
    api.owners = {{"good", "jane"}, {"poor", "bob"}};
    api.allowed = {"jane get /metrics", "jane get /nowhere"};
  }

  asio::awaitable<void> visit(std::string token, int& status, std::string target = "/metrics", std::string peer = "") {
    net::Request request;
    request.peer = std::move(peer);
    request.target = std::move(target);
    request.headers = {{"Authorization", "Bearer " + token}};
    auto rejection = co_await filter.authorize(request);
    status = rejection ? rejection->status : 200;
  }
  int visit_alone(std::string token) {
    int status = 0;
    loop.run(visit(std::move(token), status));
    return status;
  }
  // Concurrently; the results are in the order of the tokens.
  std::vector<int> visit_at_once(const std::vector<std::string>& tokens) {
    std::vector<int> statuses(tokens.size());
    loop.run([&]() -> asio::awaitable<void> {
      auto all = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
        for (std::size_t place = 0; place < tokens.size(); ++place) {
          tasks.spawn(visit(tokens[place], statuses[place], "/metrics", "10.0.0." + std::to_string(place % 3)));
        }
        co_await tasks.drain();
      };
      co_await async::with_task_group(all);
    });
    return statuses;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  testing::FakeApi api{loop.clock()};
  AuthorizationFilter filter{loop.clock(), random, Logger(sink), api};
};

Error unavailable() {
  Error error(Error::Kind::kStatus, "");
  error.code = 503;
  error.reason = "ServiceUnavailable";
  return error;
}

TEST_CASE("an authorized user passes, another user gets 403, and an unknown token gets 401") {
  FilteredEndpoint fixture;

  CHECK(fixture.visit_alone("good") == 200);
  CHECK(fixture.visit_alone("poor") == 403);
  CHECK(fixture.visit_alone("bad") == 401);
  CHECK(fixture.api.asked == std::vector<std::string>{"TokenReview", "SubjectAccessReview", "TokenReview",
                                                      "SubjectAccessReview", "TokenReview"});
}

TEST_CASE("concurrent requests with the same token share one TokenReview and one SubjectAccessReview") {
  FilteredEndpoint fixture;
  fixture.api.takes = 100ms;

  auto statuses = fixture.visit_at_once(std::vector<std::string>(100, "good"));

  CHECK(statuses == std::vector<int>(100, 200));
  CHECK(fixture.api.asked == std::vector<std::string>{"TokenReview", "SubjectAccessReview"});
}

TEST_CASE("the number of concurrent reviews is limited, and all requests get their turn") {
  FilteredEndpoint fixture;
  fixture.api.takes = 10ms;
  std::vector<std::string> tokens;
  for (int number = 0; number < 150; ++number) {
    tokens.push_back(testing::jwt("{\"jti\":" + std::to_string(number) + "}"));
  }
  tokens.emplace_back("good");

  auto statuses = fixture.visit_at_once(tokens);

  CHECK(statuses.back() == 200);
  CHECK(statuses.front() == 401);
  CHECK(fixture.api.most_at_once == kTurnsOfUnknown);
}

TEST_CASE("a request that loses its place between two tries is answered immediately") {
  FilteredEndpoint fixture;
  fixture.api.failures = {unavailable()};
  int first = 0;
  std::vector<int> others(limits::kRequestsAwaitingReview);

  fixture.loop.run([&]() -> asio::awaitable<void> {
    auto all = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
      tasks.spawn(fixture.visit("bad", first));
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      fixture.api.takes = 1h;
      for (std::size_t place = 0; place < others.size(); ++place) {
        tasks.spawn(fixture.visit("bad" + std::to_string(place), others[place]));
      }
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      CHECK(first == 503);
      tasks.stop();
    };
    co_await async::with_task_group(all);
  });
}

TEST_CASE("a request that waits for the review of another one can lose its place too") {
  FilteredEndpoint fixture;
  fixture.api.takes = 1h;
  std::vector<int> same(3);
  std::vector<int> others(limits::kRequestsAwaitingReview - 2);

  fixture.loop.run([&]() -> asio::awaitable<void> {
    auto all = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
      for (int& status : same) tasks.spawn(fixture.visit("bad", status));
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      for (std::size_t place = 0; place < others.size(); ++place) {
        tasks.spawn(fixture.visit("bad" + std::to_string(place), others[place]));
      }
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      // The first one has a review in progress.
      CHECK(same == std::vector<int>{0, 503, 0});
      tasks.stop();
    };
    co_await async::with_task_group(all);
  });
}

TEST_CASE(
    "when the request that runs a review loses its place, another request that waits for the review continues it") {
  FilteredEndpoint fixture;
  fixture.api.takes = 1s;
  std::vector<int> busy(kTurnsOfOpaqueTokens);
  std::vector<int> same(3);
  std::vector<int> others(limits::kRequestsAwaitingReview - busy.size() - same.size() + 1);

  fixture.loop.run([&]() -> asio::awaitable<void> {
    auto all = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
      for (std::size_t turn = 0; turn < busy.size(); ++turn) {
        tasks.spawn(fixture.visit("busy" + std::to_string(turn), busy[turn], "/metrics", "10.0.0.1"));
      }
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      for (std::size_t place = 0; place < same.size(); ++place) {
        tasks.spawn(fixture.visit("good", same[place], "/metrics", place == 0 ? "10.0.0.2" : "10.0.0.3"));
      }
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      for (std::size_t place = 0; place < others.size(); ++place) {
        tasks.spawn(fixture.visit("bad" + std::to_string(place), others[place], "/metrics", "10.0.0.2"));
      }
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      CHECK(same == std::vector<int>{503, 0, 0});
      co_await async::sleep_for(fixture.loop.clock(), 4s);
      CHECK(same == std::vector<int>{503, 200, 200});
      tasks.stop();
    };
    co_await async::with_task_group(all);
  });
}

TEST_CASE("a request that takes over a review waits at most ten seconds, counted from its own arrival") {
  FilteredEndpoint fixture;
  fixture.api.takes = 1h;
  int first = 0;
  int second = 0;
  const auto began = fixture.loop.clock().now();
  async::Duration waited{};

  fixture.loop.run([&]() -> asio::awaitable<void> {
    auto both = [&](async::TaskGroup& others) -> asio::awaitable<void> {
      auto alone = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
        tasks.spawn(fixture.visit("good", first));
        co_await async::sleep_for(fixture.loop.clock(), 3s);
        others.spawn(fixture.visit("good", second));
        co_await async::sleep_for(fixture.loop.clock(), 5s);
      };
      co_await async::with_task_group(alone);
      co_await others.drain();
      waited = fixture.loop.clock().now() - began;
    };
    co_await async::with_task_group(both);
  });

  CHECK(second == 500);
  CHECK(waited == 13s);
}

TEST_CASE("tokens whose reviews do not end leave turns for known tokens") {
  FilteredEndpoint fixture;
  REQUIRE(fixture.visit_alone("good") == 200);
  fixture.api.takes = 1h;
  std::vector<std::string> tokens;
  for (std::size_t number = 0; number < limits::kRequestsAwaitingReview + 10; ++number) {
    tokens.push_back("bad" + std::to_string(number));
  }
  tokens.emplace_back("good");
  std::vector<int> statuses(tokens.size());

  fixture.loop.run([&]() -> asio::awaitable<void> {
    auto all = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
      for (std::size_t place = 0; place < tokens.size(); ++place) {
        tasks.spawn(fixture.visit(tokens[place], statuses[place]));
      }
      co_await async::sleep_for(fixture.loop.clock(), 1ms);
      // No request has waited for a review yet.
      CHECK(std::ranges::count(statuses, 503) == 10);
      CHECK(statuses.back() == 200);
      co_await tasks.drain();
    };
    co_await async::with_task_group(all);
  });

  CHECK(std::ranges::count(statuses, 0) == 0);
}

TEST_CASE("a review is tried again after a broken connection and after 503") {
  FilteredEndpoint fixture;
  fixture.api.failures = {transport_error("connection refused"), unavailable()};
  const auto began = fixture.loop.clock().now();

  CHECK(fixture.visit_alone("good") == 200);

  CHECK(fixture.loop.clock().now() - began >= 1250ms);
  CHECK(fixture.api.asked.size() == 4);
}

TEST_CASE("while the API server is unreachable, cached clients pass and others get 500") {
  FilteredEndpoint fixture;
  REQUIRE(fixture.visit_alone("good") == 200);
  REQUIRE(fixture.visit_alone("poor") == 403);
  fixture.api.failures.assign(100, transport_error("connection refused"));

  CHECK(fixture.visit_alone("good") == 200);
  CHECK(fixture.visit_alone("poor") == 403);
  CHECK(fixture.visit_alone("new") == 500);
  CHECK(fixture.visit_alone("newer") == 500);
  fixture.loop.clock().advance(kAuthenticated);
  CHECK(fixture.visit_alone("good") == 500);

  CHECK(fixture.sink.count("Authentication failed") == 1);
  const auto& entries = fixture.sink.entries();
  auto is_logged = [](const auto& entry) {
    return entry.error == "create tokenreviews.authentication.k8s.io: connection refused";
  };
  CHECK(std::ranges::count_if(entries, is_logged) == 1);
}

TEST_CASE("all requests that share a review wait at most ten seconds for an API server that does not answer") {
  FilteredEndpoint fixture;
  fixture.api.takes = 1h;
  const auto began = fixture.loop.clock().now();

  auto statuses = fixture.visit_at_once({"good", "good", "poor"});

  CHECK(statuses == std::vector<int>{500, 500, 500});
  CHECK(fixture.loop.clock().now() - began == 10s);
  CHECK(fixture.api.at_once == 0);
}

TEST_CASE(
    "a missing permission of the manager is logged with the API server's message, and the review is not retried") {
  FilteredEndpoint fixture;
  Error forbidden(Error::Kind::kStatus, "");
  forbidden.code = 403;
  forbidden.reason = "Forbidden";
  forbidden.server_text = "tokenreviews.authentication.k8s.io is forbidden: User \"x\" cannot create resource";
  fixture.api.failures = {forbidden};

  CHECK(fixture.visit_alone("good") == 500);

  CHECK(fixture.api.asked.size() == 1);
  REQUIRE(fixture.sink.entries().size() == 1);
  CHECK(fixture.sink.entries().front().error.find("cannot create resource") != std::string::npos);
}

TEST_CASE("an error that returns after a success is logged again") {
  FilteredEndpoint fixture;
  fixture.api.failures.assign(kReviewTries, transport_error("connection refused"));
  CHECK(fixture.visit_alone("good") == 500);
  CHECK(fixture.visit_alone("good") == 200);
  fixture.api.failures.assign(kReviewTries, transport_error("connection refused"));
  CHECK(fixture.visit_alone("new") == 500);

  CHECK(fixture.sink.count("Authentication failed") == 2);
}

TEST_CASE("a reply that is not a review is logged once, also if the other review succeeds in between") {
  FilteredEndpoint fixture;
  fixture.api.babble = {{"SubjectAccessReview", "[]"}};

  for (const auto* token : {"good", "poor", "good", "poor"}) CHECK(fixture.visit_alone(token) == 500);

  CHECK(fixture.sink.count("Authorization failed") == 1);
}

TEST_CASE("alternating errors of the two reviews are each logged once") {
  FilteredEndpoint fixture;
  REQUIRE(fixture.visit_alone("good") == 200);
  fixture.api.babble = {{"TokenReview", "[]"}, {"SubjectAccessReview", "[]"}};
  int status = 0;

  for (int round = 0; round < 3; ++round) {
    CHECK(fixture.visit_alone("new") == 500);
    fixture.loop.run(fixture.visit("good", status, "/elsewhere"));
    CHECK(status == 500);
  }

  CHECK(fixture.sink.count("Authentication failed") == 1);
  CHECK(fixture.sink.count("Authorization failed") == 1);
}

TEST_CASE("a canceled request leaves its review to another request that waits for it") {
  FilteredEndpoint fixture;
  fixture.api.takes = 1s;
  int first = 0;
  int second = 0;

  fixture.loop.run([&]() -> asio::awaitable<void> {
    auto both = [&](async::TaskGroup& others) -> asio::awaitable<void> {
      auto alone = [&](async::TaskGroup& tasks) -> asio::awaitable<void> {
        tasks.spawn(fixture.visit("good", first));
        co_await sandbox::loop::yield();
        others.spawn(fixture.visit("good", second));
        co_await sandbox::loop::yield();
      };
      co_await async::with_task_group(alone);
      co_await others.drain();
    };
    co_await async::with_task_group(both);
  });

  CHECK(first == 0);
  CHECK(second == 200);
}

TEST_CASE("no token is ever logged") {
  FilteredEndpoint fixture;
  fixture.api.owners.emplace("very-secret", "jane");
  (void)fixture.visit_alone("very-secret");
  (void)fixture.visit_alone("not-so-secret");
  fixture.api.failures.assign(100, transport_error("connection refused"));
  (void)fixture.visit_alone("another-secret");

  CHECK_FALSE(fixture.sink.entries().empty());
  for (const auto& entry : fixture.sink.entries()) {
    CHECK((entry.message + entry.error + entry.fields).find("secret") == std::string::npos);
  }
}

TEST_CASE("the guarded handler receives only authorized requests, on every path") {
  FilteredEndpoint fixture;
  std::vector<std::string> served;
  auto inner = [&served](net::Request request) -> asio::awaitable<net::ServerReply> {
    served.push_back(request.target);
    net::ServerReply reply;
    reply.response.status = request.target.starts_with("/metrics") ? 200 : 404;
    co_return reply;
  };
  auto handler = authorized(fixture.loop.clock(), fixture.random, Logger(fixture.sink), fixture.api, inner);
  auto status_of = [&](const std::string& token, const std::string& target) {
    int status = 0;
    fixture.loop.run([&]() -> asio::awaitable<void> {
      net::Request request;
      request.target = target;
      if (!token.empty()) request.headers = {{"Authorization", "Bearer " + token}};
      auto reply = co_await handler(std::move(request));
      status = reply.response.status;
    });
    return status;
  };

  CHECK(status_of("good", "/metrics?x=1") == 200);
  CHECK(status_of("good", "/nowhere") == 404);
  CHECK(status_of("good", "/metrics/") == 403);
  CHECK(status_of("good", "//metrics") == 403);
  CHECK(status_of("", "/nowhere") == 401);
  CHECK(status_of("", "/metrics") == 401);

  CHECK(served == std::vector<std::string>{"/metrics?x=1", "/nowhere"});
}

}  // namespace
}  // namespace keelson::access
