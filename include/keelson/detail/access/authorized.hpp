// Authentication and authorization for our own endpoints, delegated to the API server: kubebuilder's filter of the
// metrics server.
//
// Overview of room access. authorized() wraps the handler of a server; then every path, including unknown paths, needs
// - authentication: a bearer token in the header Authorization, which a TokenReview accepts;
// - authorization: a SubjectAccessReview that allows the token's user the method, in lower case, on the path as it was
//   received (a nonResourceURL of RBAC, for example `get` on `/metrics`).
//
// | reply | when |
// |---|---|
// | 401 | no token, or the API server rejects it |
// | 403 | the user is not authorized |
// | 431 | the token is longer than limits::kBearerTokenBytes |
// | 500 | a review failed: the API server is unreachable, or this process lacks a permission. The log has the error |
// | 503 with Retry-After | too many requests are waiting for reviews |
//
// RBAC rules that the process needs: `create` on tokenreviews (authentication.k8s.io) and on subjectaccessreviews
// (authorization.k8s.io).
//
// Answers are cached: an accepted token for a minute, a permission for five minutes, a rejected token for 10 s, a
// denial for 30 s. While the API server is unreachable, cached clients are still served. Tokens are never logged, and
// are cached as hashes. Reviews in progress are limited and shared fairly among clients (net::Request::peer), so that a
// flood of random tokens neither overloads the API server nor blocks a client that was authorized in the last hour.
//
// Ownership and cancellation: the returned handler and its copies share the cache. A request that is canceled while it
// waits for a review leaves the queue; requests that wait for the same review continue.
//
// Example (test/examples/access.cpp#guard):
//   boost::asio::awaitable<net::ServerReply> show_cache(net::Request) {
//     net::ServerReply reply;
//     reply.response = {200, {{"Content-Type", "application/json"}}, "{}\n"};
//     co_return reply;
//   }
//
//   net::Handler guarded_cache(async::Clock& clock, base::Random& random, Logger log, kube::Client& client) {
//     return access::authorized(clock, random, log.named("debug"), client, show_cache);
//   }
#pragma once

#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::access {

// A second header for tokens. The API server's proxies of pods and Services remove Authorization.
inline constexpr std::string_view kOwnTokenHeader = "X-Keelson-Authorization";

// The name of the authenticated user, as front proxies of Kubernetes pass it on: authorized() sets it for the inner
// handler and removes the values of the client.
inline constexpr std::string_view kUserHeader = "X-Remote-User";
// Replaces all values of kUserHeader by `user`; an empty name only removes them.
void set_user(net::Headers& headers, std::string user);
// The user that set_user() has set. The view refers to `headers`.
[[nodiscard]] std::string_view user_of(const net::Headers& headers);

struct AuthorizedOptions {
  // Not empty: requests may have their token in kOwnTokenHeader instead, as `Bearer TOKEN`. This token must be issued
  // for this audience (`kubectl create token --audience`), so that a request through a proxy never shows a token that
  // the API server accepts. A token of this process's own user needs no permission, because a client that can request
  // it can also request one that the API server accepts (one SelfSubjectReview in five minutes); for others the
  // SubjectAccessReview decides.
  std::string audience = {};
};

// Returns a handler that passes authorized requests to `inner`, with their user in kUserHeader, and rejects all others.
// `client` sends the reviews; `random` jitters their retries. The references must outlive the handler and every request
// that it still serves: stop the server first.
[[nodiscard]] net::Handler authorized(async::Clock& clock, base::Random& random, Logger log, kube::Client& client,
                                      net::Handler inner, AuthorizedOptions options = {});

}  // namespace keelson::access
