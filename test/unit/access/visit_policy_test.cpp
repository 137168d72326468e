#include "src/access/visit_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/net/limits.hpp"
#include "test/unit/access/tokens.hpp"

using namespace keelson;
using namespace keelson::access;
using namespace std::chrono_literals;
using Next = VisitPolicy::Next;

namespace {

const async::TimePoint kStart{1h};
const async::WallTime kWallStart{1700000000s};

net::Request request_of(const std::string& token, std::string target = "/metrics", std::string method = "GET") {
  net::Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  if (!token.empty()) request.headers = {{"Authorization", "Bearer " + token}};
  return request;
}

std::string owned_by(const std::string& name) {
  return R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":")" + name + "\"}}}";
}
const std::string kNobodys = R"({"kind":"TokenReview","status":{"error":"invalid bearer token"}})";
std::string decided(bool allowed) {
  return std::string(R"({"kind":"SubjectAccessReview","status":{"allowed":)") + (allowed ? "true}}" : "false}}");
}

Error unauthorized() {
  Error error(Error::Kind::kStatus, "");
  error.code = 401;
  error.server_text = "Unauthorized";
  return error;
}

// A visit that learns the given replies in order; returns its result and the number of reviews.
struct Outcome {
  Next next;
  int asked = 0;
  net::Response rejection{};
};
Outcome visit(Memory& memory, const net::Request& request, std::vector<Result<std::string>> answers,
              async::TimePoint now = kStart) {
  VisitPolicy policy(memory, request, kWallStart);
  Outcome outcome{Next::kAsk};
  for (;;) {
    outcome.next = policy.next(now).next;
    if (outcome.next != Next::kAsk) break;
    REQUIRE(static_cast<std::size_t>(outcome.asked) < answers.size());
    policy.learn(answers[static_cast<std::size_t>(outcome.asked++)], now);
  }
  if (outcome.next != Next::kPass) outcome.rejection = policy.rejection(outcome.next);
  return outcome;
}

}  // namespace

TEST_CASE("an authorized user passes after two reviews") {
  Memory memory;

  auto outcome = visit(memory, request_of("t"), {owned_by("jane"), decided(true)});

  CHECK(outcome.next == Next::kPass);
  CHECK(outcome.asked == 2);
}

TEST_CASE("each rejection has its status and text") {
  struct Case {
    std::string token;
    std::vector<Result<std::string>> answers;
    int status;
    std::string body;
  };
  const std::vector<Case> cases{
      {"", {}, 401, "Unauthorized\n"},
      {std::string(limits::kBearerTokenBytes + 1, 't'), {}, 431, "Bearer token is too long\n"},
      {"t", {kNobodys}, 401, "Unauthorized\n"},
      {"t", {transport_error("connection refused")}, 500, "Authentication failed\n"},
      {"t", {std::string("{}")}, 500, "Authentication failed\n"},
      {"t",
       {unauthorized()},
       500,
       "Authentication failed: the API server answers this process with 401 Unauthorized\n"},
      {"t", {owned_by("jane"), decided(false)}, 403, "Authorization denied for user jane\n"},
      {"t", {owned_by("jane"), transport_error("connection refused")}, 500, "Authorization for user jane failed\n"},
      {"t", {owned_by("jane"), std::string("[]")}, 500, "Authorization for user jane failed\n"},
  };
  for (const auto& [token, answers, status, body] : cases) {
    INFO(body);
    Memory memory;
    auto outcome = visit(memory, request_of(token), answers);
    CHECK(outcome.rejection.status == status);
    CHECK(outcome.rejection.body == body);
    CHECK(net::header(outcome.rejection.headers, "Content-Type") == "text/plain; charset=utf-8");
    CHECK(net::header(outcome.rejection.headers, "X-Content-Type-Options") == "nosniff");
  }
}

TEST_CASE("the review contains the path that is served, with the method in lower case") {
  struct Case {
    std::string method;
    std::string target;
    std::string attributes;
  };
  const std::vector<Case> cases{
      {"GET", "/metrics", R"({"path":"/metrics","verb":"get"})"},
      {"GET", "/metrics?name=x&a=/other", R"({"path":"/metrics","verb":"get"})"},
      {"HEAD", "/metrics", R"({"path":"/metrics","verb":"head"})"},
      {"POST", "/metrics", R"({"path":"/metrics","verb":"post"})"},
      {"GET", "/metrics/", R"({"path":"/metrics/","verb":"get"})"},
      {"GET", "//metrics", R"({"path":"//metrics","verb":"get"})"},
      {"GET", "/%6detrics", R"({"path":"/%6detrics","verb":"get"})"},
      {"GET", "/a/../metrics", R"({"path":"/a/../metrics","verb":"get"})"},
      {"GET", "http://host/metrics", R"({"path":"http://host/metrics","verb":"get"})"},
  };
  for (const auto& [method, target, attributes] : cases) {
    INFO(method << " " << target);
    Memory memory;
    VisitPolicy policy(memory, request_of("t", target, method), kWallStart);
    policy.learn(owned_by("jane"), kStart);
    CHECK(policy.next(kStart).review.body.find("\"nonResourceAttributes\":" + attributes) != std::string::npos);
  }
}

TEST_CASE("an accepted token is cached for a minute, a permission for five") {
  Memory memory;
  (void)visit(memory, request_of("t"), {owned_by("jane"), decided(true)});

  CHECK(visit(memory, request_of("t"), {}, kStart + 59s).asked == 0);
  CHECK(visit(memory, request_of("t"), {owned_by("jane")}, kStart + 60s).asked == 1);
  CHECK(visit(memory, request_of("t"), {owned_by("jane")}, kStart + 299s).asked == 1);
  CHECK(visit(memory, request_of("t"), {owned_by("jane"), decided(true)}, kStart + 361s).asked == 2);
}

TEST_CASE("a rejected token is cached for ten seconds, a denied permission for thirty") {
  Memory memory;
  (void)visit(memory, request_of("bad"), {kNobodys});
  (void)visit(memory, request_of("t"), {owned_by("jane"), decided(false)});

  CHECK(visit(memory, request_of("bad"), {}, kStart + 9s).next == Next::kUnauthorized);
  CHECK(visit(memory, request_of("bad"), {owned_by("bob"), decided(true)}, kStart + 10s).next == Next::kPass);
  CHECK(visit(memory, request_of("t"), {}, kStart + 29s).next == Next::kForbidden);
  CHECK(visit(memory, request_of("t"), {decided(true)}, kStart + 30s).next == Next::kPass);
}

TEST_CASE("errors are not cached") {
  Memory memory;
  (void)visit(memory, request_of("t"), {transport_error("connection refused")});
  auto then = visit(memory, request_of("t"), {owned_by("jane"), transport_error("connection refused")});
  CHECK(then.asked == 2);

  CHECK(visit(memory, request_of("t"), {decided(true)}).next == Next::kPass);
}

TEST_CASE("a permission is cached for a user, path and method") {
  Memory memory;
  (void)visit(memory, request_of("t"), {owned_by("jane"), decided(true)});

  CHECK(visit(memory, request_of("t", "/other"), {decided(false)}).next == Next::kForbidden);
  CHECK(visit(memory, request_of("t", "/metrics", "POST"), {decided(false)}).next == Next::kForbidden);
  CHECK(visit(memory, request_of("u"), {owned_by("bob"), decided(false)}).next == Next::kForbidden);
  CHECK(visit(memory, request_of("t"), {}).next == Next::kPass);
}

TEST_CASE("random tokens do not evict accepted ones") {
  Memory memory;
  (void)visit(memory, request_of("t"), {owned_by("jane"), decided(true)});

  for (std::size_t number = 0; number < 2 * limits::kRememberedAnswers; ++number) {
    (void)visit(memory, request_of("bad" + std::to_string(number)), {kNobodys});
  }

  CHECK(visit(memory, request_of("t"), {}).next == Next::kPass);
}

TEST_CASE("a JWT that has expired is rejected without a review, unless it passed within the last hour") {
  const auto expired = testing::jwt(R"({"exp":1699990000})");
  Memory memory;
  CHECK(visit(memory, request_of(expired), {}).next == Next::kUnauthorized);

  memory.remember_pass(tls::sha256(expired), std::make_shared<const User>(User{.name = "jane"}), kStart);
  CHECK(visit(memory, request_of(expired), {owned_by("jane"), decided(true)}).next == Next::kPass);
}

TEST_CASE("a request counts for its peer until its user is known, and for a known user once its token is accepted") {
  Memory memory;
  const auto token = testing::jwt("{}");
  auto request = request_of(token);
  request.peer = "10.0.0.7";
  auto asker_of = [&](const net::Request& asks, async::TimePoint now) {
    return VisitPolicy(memory, asks, kWallStart).next(now).asker;
  };

  VisitPolicy first(memory, request, kWallStart);
  const auto authentication = first.next(kStart).asker;
  CHECK(authentication.standing == Standing::kUnknown);
  CHECK(authentication.client == "10.0.0.7");
  first.learn(owned_by("jane"), kStart);
  const auto authorization = first.next(kStart).asker;
  CHECK(authorization.standing == Standing::kAuthenticated);
  CHECK(authorization.client == "user jane");
  first.learn(decided(true), kStart);
  REQUIRE(first.next(kStart).next == Next::kPass);

  CHECK(asker_of(request, kStart + 59min).standing == Standing::kKnown);
  CHECK(asker_of(request, kStart + 59min).client == "user jane");
  CHECK(asker_of(request_of(token, "/other"), kStart + 1s).standing == Standing::kKnown);
  CHECK(asker_of(request, kStart + 60min).standing == Standing::kUnknown);
  CHECK(asker_of(request_of("opaque"), kStart).standing == Standing::kOpaque);
}

TEST_CASE("a valid token without permission gets no priority") {
  Memory memory;
  (void)visit(memory, request_of("t"), {owned_by("bob"), decided(false)});

  CHECK(VisitPolicy(memory, request_of("t"), kWallStart).next(kStart + 1h).asker.standing == Standing::kOpaque);
}

TEST_CASE("a token that passes without a review does not extend its cache entry") {
  Memory memory;
  (void)visit(memory, request_of("t"), {owned_by("jane"), decided(true)});
  (void)visit(memory, request_of("t"), {}, kStart + 59s);

  CHECK(memory.passed_as(tls::sha256("t"), kStart + 1h) == nullptr);
}

TEST_CASE("a request that lost its place gets a 503 with Retry-After: 1") {
  Memory memory;
  VisitPolicy policy(memory, request_of("t"), kWallStart);
  REQUIRE(policy.next(kStart).next == Next::kAsk);

  policy.lose_place();

  REQUIRE(policy.next(kStart).next == Next::kTooBusy);
  const auto rejection = policy.rejection(Next::kTooBusy);
  CHECK(rejection.status == 503);
  CHECK(net::header(rejection.headers, "Retry-After") == "1");
}
