// Decides whether and when a request is sent again, by client-go's rules and without I/O. The backoff of a reconcile is
// in keelson/detail/queue/retry_backoff.hpp.
//
// There is an instance for each request. A request is repeated at most ten times and waits for a minute in total; then
// the caller decides. Retry-After is the minimum wait. A random tenth at most is added, so that requests that were
// rejected together are not sent again together.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/error.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

class RetryPolicy {
 public:
  RetryPolicy(const ApiRequest& request, base::Random& random);

  enum class Next { kDone, kWait, kNewCredentials };
  struct Step {
    Next next = Next::kDone;
    async::Duration wait{};
  };

  // The scope of a rejection. kObject: the reply to a write is a Status (an eviction that a budget forbids, a webhook,
  // a quota). It does not concern other objects, so the caller's queue waits instead of this request. kServer: any
  // other reply. Priority and fairness, a server that shuts down, and load balancers reply with plain text.
  enum class Scope { kServer, kObject };

  // After 429 and 5xx with Retry-After and scope kServer, a request of any verb waits. After its first 401, an
  // idempotent request gets new credentials.
  [[nodiscard]] Step after_answer(int status, const net::Headers& headers, Scope scope = Scope::kServer);
  // A read whose connection was lost waits a second. A refused connection and a timeout are final.
  [[nodiscard]] Step after_error(const Error& error);

  // The last error, with the error of an earlier attempt if its text differs.
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

// Whether an established connection was lost; false for a refused connection and for a timeout.
[[nodiscard]] bool is_broken_connection(const Error& error);

}  // namespace keelson::kube
