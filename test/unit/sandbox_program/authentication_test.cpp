#include "src/sandbox_program/authentication.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/test_loop.hpp"

namespace keelson::sandbox_program {
namespace {

net::Request request(const std::string& target, const std::string& authorization = "") {
  net::Request made;
  made.target = target;
  if (!authorization.empty()) made.headers.emplace_back("authorization", authorization);
  return made;
}

TEST_CASE("the token passes, and nothing else but what is public without credentials") {
  struct Row {
    const char* target;
    const char* authorization;
    Admission expected;
  };
  const Row rows[] = {
      {"/api/v1/pods", "Bearer secret", Admission::kAdministrator},
      {"/api/v1/pods", "bearer secret", Admission::kAdministrator},
      {"/readyz", "Bearer secret", Admission::kAdministrator},
      {"/api/v1/pods", "", Admission::kUnauthorized},
      {"/api/v1/pods", "Bearer ", Admission::kUnauthorized},
      {"/api/v1/pods", "Bearer", Admission::kUnauthorized},
      {"/api/v1/pods", "Bearer secre", Admission::kUnauthorized},
      {"/api/v1/pods", "Bearer secrex", Admission::kUnauthorized},
      {"/api/v1/pods", "Bearer secretsecret", Admission::kUnauthorized},
      {"/api/v1/pods", "Basic secret", Admission::kUnauthorized},
      {"/api/v1/pods", "secret", Admission::kUnauthorized},
      {"/readyz", "", Admission::kPublic},
      {"/livez?verbose", "", Admission::kPublic},
      {"/healthz", "", Admission::kPublic},
      {"/version", "", Admission::kPublic},
      {"/versions", "", Admission::kUnauthorized},
      {"/version", "Bearer wrong", Admission::kUnauthorized},
      {"/", "", Admission::kUnauthorized},
  };

  for (const auto& row : rows) {
    INFO(row.target << " " << row.authorization);
    CHECK(admit(request(row.target, row.authorization), "secret") == row.expected);
  }
  auto post = request("/version");
  post.method = "POST";
  CHECK(admit(post, "secret") == Admission::kUnauthorized);
}

TEST_CASE("a review of a token names the administrator for the one token, and nobody for others") {
  CHECK(user_of("secret", "secret") == kAdministrator);
  CHECK(user_of("secrex", "secret") == std::nullopt);
  CHECK(user_of("", "secret") == std::nullopt);
  CHECK(user_of(kAdministrator, "secret") == std::nullopt);
}

TEST_CASE("the handler sees the administrator or the anonymous user, and never the token") {
  test::TestLoop loop;
  std::vector<std::string> seen;
  auto inner = [&seen](net::Request asked) -> boost::asio::awaitable<net::ServerReply> {
    for (const auto& [name, value] : asked.headers) seen.push_back(name + ": " + value);
    net::ServerReply reply;
    reply.response.status = 200;
    co_return reply;
  };
  auto handler = authenticated(inner, "secret");
  std::vector<net::ServerReply> replies;

  loop.run([&]() -> boost::asio::awaitable<void> {
    for (const auto& asked : {request("/api", "Bearer secret"), request("/livez"), request("/api", "Bearer x")}) {
      replies.push_back(co_await handler(asked));
    }
  });

  CHECK(seen ==
        std::vector<std::string>{"Authorization: Bearer kubernetes-admin", "Authorization: Bearer system:anonymous"});
  REQUIRE(replies.size() == 3);
  CHECK(replies[2].response.status == 401);
  CHECK(net::header(replies[2].response.headers, "Content-Type") == "application/json");
  CHECK(replies[2].response.body ==
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",)"
        R"("reason":"Unauthorized","code":401})");
}

}  // namespace
}  // namespace keelson::sandbox_program
