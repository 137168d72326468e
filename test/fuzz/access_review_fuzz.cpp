// Any bytes as the API server's replies to a TokenReview and a SubjectAccessReview: a request passes only if the first
// authenticates its token and the second allows the request.
//
// The input is the two replies with a NUL between them.
#include <chrono>
#include <cstdint>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/json/value.hpp"
#include "src/access/visit_policy.hpp"

namespace {

using namespace keelson;
using access::VisitPolicy;
using Next = VisitPolicy::Next;

// Both decisions are repeated here, without the code under test.
bool is_authenticated(std::string_view text) {
  const auto reply = json::Document::parse(text);
  return reply && reply->root().find("kind").string() == "TokenReview" &&
         reply->root().at({"status", "authenticated"}).boolean() == true &&
         !reply->root().at({"status", "user", "username"}).string().value_or("").empty();
}

bool is_allowed(std::string_view text) {
  const auto reply = json::Document::parse(text);
  return reply && reply->root().find("kind").string() == "SubjectAccessReview" &&
         reply->root().at({"status", "allowed"}).boolean() == true &&
         reply->root().at({"status", "denied"}).boolean() != true;
}

// The SubjectAccessReview describes the user as the TokenReview does.
void check_access_review(const access::Review& review, std::string_view token_reply) {
  const auto asked = json::Document::parse(review.body);
  const auto told = json::Document::parse(token_reply);
  KEELSON_ASSERT(asked && told);
  const auto spec = asked->root().find("spec");
  const auto user = told->root().at({"status", "user"});
  KEELSON_ASSERT(spec.find("user").string() == user.find("username").string());
  KEELSON_ASSERT(spec.find("uid").string().value_or("") == user.find("uid").string().value_or(""));
  const auto groups = spec.find("groups");
  const auto extra = spec.find("extra");
  KEELSON_ASSERT(groups.is_absent() || (groups.is_array() && json::equal(groups, user.find("groups"))));
  KEELSON_ASSERT(extra.is_absent() || (extra.is_object() && json::equal(extra, user.find("extra"))));
  KEELSON_ASSERT(spec.at({"nonResourceAttributes", "path"}).string() == "/metrics");
  KEELSON_ASSERT(spec.at({"nonResourceAttributes", "verb"}).string() == "get");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto cut = input.find('\0');
  const auto token_reply = input.substr(0, cut);
  const auto access_reply = cut == std::string_view::npos ? std::string_view() : input.substr(cut + 1);

  access::Memory memory;
  net::Request request;
  request.target = "/metrics";
  request.headers = {{"Authorization", "Bearer opaque"}};
  request.peer = "127.0.0.1";
  const async::TimePoint now{};
  const async::WallTime wall_now{std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)};
  VisitPolicy visit(memory, request, wall_now);

  auto step = visit.next(now);
  KEELSON_ASSERT(step.next == Next::kAsk);
  visit.learn(std::string(token_reply), now);
  step = visit.next(now);
  KEELSON_ASSERT((step.next == Next::kAsk) <= is_authenticated(token_reply));
  if (step.next == Next::kAsk) {
    check_access_review(step.review, token_reply);
    visit.learn(std::string(access_reply), now);
    step = visit.next(now);
    KEELSON_ASSERT(step.next != Next::kAsk);
    KEELSON_ASSERT((step.next == Next::kPass) == is_allowed(access_reply));
  }
  if (step.next == Next::kPass) return 0;
  KEELSON_ASSERT(visit.rejection(step.next).status >= 400);
  // A rejected request is not cached as allowed.
  VisitPolicy next_visit(memory, request, wall_now);
  KEELSON_ASSERT(next_visit.next(now).next != Next::kPass);
  return 0;
}
