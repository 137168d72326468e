// The header X-Keelson-Authorization, for clients behind a proxy that removes Authorization.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/access/authorized.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/access/authorization_filter.hpp"
#include "src/access/memory.hpp"
#include "test/unit/access/fake_api.hpp"

namespace keelson::access {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr const char* kOwn = "X-Keelson-Authorization";

struct FilterOfOwnHeader {
  explicit FilterOfOwnHeader(std::string audience = "keelson")
      : filter(loop.clock(), random, Logger(sink), api, std::move(audience)) {
    api.audience = "keelson";
    api.owners = {{"t", "system:serviceaccount:system:manager"}, {"jane", "jane"}, {"bob", "bob"}};
    api.self = "system:serviceaccount:system:manager";
    api.allowed = {"jane get /statusz"};
  }

  int visit(net::Headers headers) {
    int status = 0;
    loop.run([&]() -> asio::awaitable<void> {
      net::Request request;
      request.target = "/statusz";
      request.headers = std::move(headers);
      auto rejection = co_await filter.authorize(request);
      status = rejection ? rejection->status : 200;
    });
    return status;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  testing::FakeApi api{loop.clock()};
  AuthorizationFilter filter;
};

using Asked = std::vector<std::string>;

TEST_CASE("a token of our own account passes without a SubjectAccessReview") {
  FilterOfOwnHeader fixture;

  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 200);
  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 200);

  CHECK(fixture.api.asked == Asked{"TokenReview", "SelfSubjectReview"});
}

TEST_CASE("a token of another user in our header needs the permission for the path") {
  FilterOfOwnHeader fixture;

  CHECK(fixture.visit({{kOwn, "Bearer jane"}}) == 200);
  CHECK(fixture.visit({{kOwn, "Bearer bob"}}) == 403);

  CHECK(fixture.api.asked ==
        Asked{"TokenReview", "SelfSubjectReview", "SubjectAccessReview", "TokenReview", "SubjectAccessReview"});
}

TEST_CASE("a token for another audience is rejected, also if the API server ignores audiences") {
  FilterOfOwnHeader fixture;
  fixture.api.audience = "other";
  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 401);

  FilterOfOwnHeader old;
  old.api.audience.clear();
  CHECK(old.visit({{kOwn, "Bearer t"}}) == 401);
}

TEST_CASE("a token that was accepted in one header is reviewed again in the other") {
  FilterOfOwnHeader fixture;
  CHECK(fixture.visit({{kOwn, "Bearer jane"}}) == 200);

  CHECK(fixture.visit({{"Authorization", "Bearer jane"}}) == 401);
}

TEST_CASE("a token of our own account in the header Authorization needs the permission for the path") {
  FilterOfOwnHeader fixture;
  fixture.api.audience.clear();

  CHECK(fixture.visit({{"Authorization", "Bearer t"}}) == 403);

  CHECK(fixture.api.asked == Asked{"TokenReview", "SubjectAccessReview"});
}

TEST_CASE("our header takes precedence over Authorization") {
  FilterOfOwnHeader fixture;

  CHECK(fixture.visit({{"Authorization", "Bearer unknown"}, {kOwn, "Bearer t"}}) == 200);
  CHECK(fixture.visit({{"Authorization", "Bearer t"}, {kOwn, "nonsense"}}) == 401);
}

TEST_CASE("without an audience our header has no meaning") {
  FilterOfOwnHeader fixture("");

  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 401);

  CHECK(fixture.api.asked.empty());
}

TEST_CASE("if the API server cannot say who we are, the permission for the path decides") {
  FilterOfOwnHeader fixture;
  fixture.api.babble["SelfSubjectReview"] = "{}";

  CHECK(fixture.visit({{kOwn, "Bearer jane"}}) == 200);
  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 403);
}

TEST_CASE("our own name is reviewed again after five minutes") {
  FilterOfOwnHeader fixture;
  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 200);
  fixture.api.self = "another";
  fixture.loop.clock().advance(kAllowed + 1s);

  CHECK(fixture.visit({{kOwn, "Bearer t"}}) == 403);
}

}  // namespace
}  // namespace keelson::access
