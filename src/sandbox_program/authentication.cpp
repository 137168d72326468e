#include "src/sandbox_program/authentication.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "keelson/base/assert.hpp"
#include "keelson/base/text.hpp"

namespace keelson::sandbox_program {

namespace {
using boost::asio::awaitable;

constexpr auto kPublicPaths = std::to_array<std::string_view>({"/healthz", "/livez", "/readyz", "/version"});

// How long it takes says nothing about where they differ.
bool is_same(std::string_view given, std::string_view expected) {
  unsigned differing = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differing |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(expected[i % expected.size()]);
  }
  return differing == 0;
}

net::ServerReply unauthorized() {
  net::ServerReply reply;
  reply.response.status = 401;
  reply.response.headers.emplace_back("Content-Type", "application/json");
  reply.response.body =
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",)"
      R"("reason":"Unauthorized","code":401})";
  return reply;
}

awaitable<net::ServerReply> reply_later(net::ServerReply reply) { co_return reply; }

void set_user(net::Request& request, const std::string& user) {
  std::erase_if(request.headers, [](const auto& one) { return base::to_lower(one.first) == "authorization"; });
  request.headers.emplace_back("Authorization", "Bearer " + user);
}

}  // namespace

Admission admit(const net::Request& request, const std::string& token) {
  constexpr std::string_view kScheme = "bearer ";
  auto credentials = net::header(request.headers, "Authorization");
  if (!credentials.empty()) {
    bool is_bearer = base::to_lower(credentials.substr(0, kScheme.size())) == kScheme;
    bool is_right = is_bearer && is_same(credentials.substr(kScheme.size()), token);
    return is_right ? Admission::kAdministrator : Admission::kUnauthorized;
  }
  auto path = std::string_view(request.target).substr(0, request.target.find('?'));
  bool is_public = std::find(kPublicPaths.begin(), kPublicPaths.end(), path) != kPublicPaths.end();
  return is_public && request.method == "GET" ? Admission::kPublic : Admission::kUnauthorized;
}

std::optional<std::string> user_of(std::string_view given, const std::string& token) {
  return is_same(given, token) ? std::optional<std::string>(kAdministrator) : std::nullopt;
}

net::Handler authenticated(net::Handler handler, std::string token) {
  KEELSON_ASSERT(!token.empty());
  return [handler = std::move(handler), token = std::move(token)](net::Request request) {
    auto admission = admit(request, token);
    if (admission == Admission::kUnauthorized) return reply_later(unauthorized());
    set_user(request, admission == Admission::kAdministrator ? kAdministrator : "system:anonymous");
    return handler(std::move(request));
  };
}

}  // namespace keelson::sandbox_program
