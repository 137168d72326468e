// Authenticates and authorizes requests: executes the steps of a visit, sends the reviews that they need, and logs
// errors.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/log_limit.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"
#include "src/access/memory.hpp"
#include "src/access/reviewer.hpp"
#include "src/access/visit_policy.hpp"

namespace keelson::access {

class AuthorizationFilter {
 public:
  // `audience`: as in AuthorizedOptions.
  AuthorizationFilter(async::Clock& clock, base::Random& random, Logger log, kube::Client& client,
                      std::string audience = {})
      : clock_(clock), log_(std::move(log)), audience_(std::move(audience)), reviewer_(clock, random, client) {}
  AuthorizationFilter(const AuthorizationFilter&) = delete;
  AuthorizationFilter& operator=(const AuthorizationFilter&) = delete;

  // The response that rejects the request, or nullopt if it is authorized: then `user`, if it is not null, gets the
  // user's name. Cancellation is the only exception.
  [[nodiscard]] boost::asio::awaitable<std::optional<net::Response>> authorize(const net::Request& request,
                                                                               std::string* user = nullptr);

 private:
  void tell(VisitPolicy::Next next, const VisitPolicy& visit);
  void tell_denial(VisitPolicy::Next next, const VisitPolicy& visit);
  void tell_failure(const Error& error, std::string_view message, std::string& last_error);

  async::Clock& clock_;
  Logger log_;
  std::string audience_;
  Memory memory_;
  Reviewer reviewer_;
  // The last logged error of each of the two reviews; empty after a success.
  std::string last_authentication_error_;
  std::string last_authorization_error_;
  async::LogLimit failure_lines_{clock_};
  async::LogLimit denial_lines_{clock_};
  async::LogLimit busy_lines_{clock_};
};

}  // namespace keelson::access
