#include "src/sandbox/faults/hooks.hpp"

#include <algorithm>

namespace keelson::sandbox {

std::shared_ptr<void> Hooks::forbid(RequestPredicate fits) {
  auto kept = std::make_shared<RequestPredicate>(std::move(fits));
  forbidden_.push_back(kept);
  return kept;
}

std::optional<Error> Hooks::take_failure(const RequestInfo& request) {
  auto found = std::ranges::find_if(failures_, [&](const auto& failure) { return failure.first(request); });
  if (found == failures_.end()) return std::nullopt;
  auto error = std::move(found->second);
  failures_.erase(found);
  return error;
}

bool Hooks::is_forbidden(const RequestInfo& request) {
  std::erase_if(forbidden_, [](const auto& weak) { return weak.expired(); });
  return std::ranges::any_of(forbidden_, [&](const auto& weak) { return (*weak.lock())(request); });
}

WriteFate Hooks::fate_of(const RequestInfo& request) const {
  return before_write && request.is_write() ? before_write(request) : WriteFate::kProceeds;
}

void Hooks::record(RequestInfo request) {
  if (has_log_ && log_.size() < limits::kSandboxRequests) log_.push_back(std::move(request));
}

}  // namespace keelson::sandbox
