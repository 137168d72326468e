// Whether a request is sent once more, and when: client-go's rules as a decision without input and output.
//
// One for each request. Ten repeats at most, of any cause, and a minute of waiting in all: after that the caller
// decides. Retry-After is the least wait, and up to a tenth of it is added by chance, so that requests that were
// rejected together do not come back together.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/error.hpp"
#include "keelson/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

class RetrySteps {
 public:
  RetrySteps(const ApiRequest& request, base::Random& random);

  enum class Next { kDone, kWait, kNewCredentials };
  struct Step {
    Next next = Next::kDone;
    async::Duration wait{};
  };

  // What a rejection is about. kObject: the API server answers a write with a Status (an eviction that a budget
  // forbids, a webhook, a quota), which says nothing of other objects, so the caller's queue waits and not this
  // request. kServer: anything else. Priority and fairness, a server that shuts down and load balancers write plain
  // text.
  enum class Scope { kServer, kObject };

  // 429 and 5xx with Retry-After, of the server: wait, on every verb. The first 401 of an idempotent request: new
  // credentials.
  [[nodiscard]] Step after_answer(int status, const net::Headers& headers, Scope scope = Scope::kServer);
  // A read whose connection broke: wait a second. Nobody listening and time passed are answers of their own.
  [[nodiscard]] Step after_error(const Error& error);

  // The last error, with the one of an earlier attempt if that said something else.
  [[nodiscard]] Error final_error(Error error) const;

  static constexpr int kMaxRetries = 10;
  static constexpr std::chrono::seconds kMaxWait{60};

 private:
  [[nodiscard]] Step wait_for(std::chrono::seconds seconds);

  base::Random& random_;
  bool may_repeat_reads_;
  bool may_refresh_;
  int retries_ = 0;
  std::chrono::seconds waited_{0};
  std::string earlier_;
};

// The connection was lost, as opposed to never made or too slow.
[[nodiscard]] bool is_broken_connection(const Error& error);

}  // namespace keelson::kube
