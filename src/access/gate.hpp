// Lets requests through or refuses them: takes the steps of a visit, asks what they want asked, and logs what went
// wrong.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/log_limit.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"
#include "src/access/memory.hpp"
#include "src/access/reviewer.hpp"
#include "src/access/visit_steps.hpp"

namespace keelson::access {

class Gate {
 public:
  Gate(async::Clock& clock, base::Random& random, Logger log, kube::Client& client)
      : clock_(clock), log_(std::move(log)), reviewer_(clock, random, client) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // What the sender of this request is told instead of what he asked for; none: he may have it. Only cancellation
  // leaves it as an exception.
  [[nodiscard]] boost::asio::awaitable<std::optional<net::Response>> refuse(const net::Request& request);

 private:
  void tell(VisitSteps::Next next, const VisitSteps& visit);
  void tell_denial(VisitSteps::Next next, const VisitSteps& visit);
  void tell_failure(const Error& error, std::string_view message, std::string& last_error);

  async::Clock& clock_;
  Logger log_;
  Memory memory_;
  Reviewer reviewer_;
  // Of each of the two reviews; empty when the last one went well.
  std::string last_authentication_error_;
  std::string last_authorization_error_;
  async::LogLimit failure_lines_{clock_};
  async::LogLimit denial_lines_{clock_};
  async::LogLimit busy_lines_{clock_};
};

}  // namespace keelson::access
