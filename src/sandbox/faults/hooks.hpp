// The hooks of tests: failed and forbidden requests, lost writes, and the log of requests.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/api_server.hpp"

namespace keelson::limits {

// Requests in the log of tests.
inline constexpr std::size_t kSandboxRequests = 200000;

}  // namespace keelson::limits

namespace keelson::sandbox {

class Hooks {
 public:
  std::function<WriteFate(const RequestInfo&)> before_write;
  WriteObserver after_write;
  const RequestInfo* current_request = nullptr;  // the one that is executed; null between requests
  WarningObserver on_warning;

  void fail_next(RequestPredicate fits, Error error) { failures_.emplace_back(std::move(fits), std::move(error)); }
  [[nodiscard]] std::shared_ptr<void> forbid(RequestPredicate fits);

  // Removes and returns the failure that fail_next() set for this request, if any.
  [[nodiscard]] std::optional<Error> take_failure(const RequestInfo& request);
  [[nodiscard]] bool is_forbidden(const RequestInfo& request);
  [[nodiscard]] WriteFate fate_of(const RequestInfo& request) const;

  void set_log(bool is_on) { has_log_ = is_on; }
  void record(RequestInfo request);
  [[nodiscard]] const std::vector<RequestInfo>& log() const { return log_; }
  void clear_log() { log_.clear(); }

 private:
  std::list<std::pair<RequestPredicate, Error>> failures_;
  std::vector<std::weak_ptr<RequestPredicate>> forbidden_;
  std::vector<RequestInfo> log_;
  bool has_log_ = true;
};

}  // namespace keelson::sandbox
