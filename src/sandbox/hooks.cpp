#include "src/sandbox/hooks.hpp"

#include <algorithm>

#include "keelson/base/go_text.hpp"
#include "keelson/base/limits.hpp"

namespace keelson::sandbox {

namespace {

const char* word_of(kube::Verb verb) {
  switch (verb) {
    case kube::Verb::kGet:
      return "get";
    case kube::Verb::kList:
      return "list";
    case kube::Verb::kWatch:
      return "watch";
    case kube::Verb::kCreate:
      return "create";
    case kube::Verb::kUpdate:
      return "update";
    case kube::Verb::kPatch:
      return "patch";
    case kube::Verb::kDelete:
      return "delete";
    case kube::Verb::kDeleteCollection:
      return "deletecollection";
  }
  return "";
}

}  // namespace

std::shared_ptr<void> Hooks::forbid(RequestPredicate fits) {
  auto kept = std::make_shared<RequestPredicate>(std::move(fits));
  forbidden_.push_back(kept);
  return kept;
}

std::optional<Error> Hooks::take_failure(const RequestInfo& request) {
  auto found =
      std::find_if(failures_.begin(), failures_.end(), [&](const auto& failure) { return failure.first(request); });
  if (found == failures_.end()) return std::nullopt;
  auto error = std::move(found->second);
  failures_.erase(found);
  return error;
}

bool Hooks::is_forbidden(const RequestInfo& request) {
  std::erase_if(forbidden_, [](const auto& weak) { return weak.expired(); });
  return std::any_of(forbidden_.begin(), forbidden_.end(), [&](const auto& weak) { return (*weak.lock())(request); });
}

WriteFate Hooks::fate_of(const RequestInfo& request) const {
  return before_write && request.is_write() ? before_write(request) : WriteFate::kProceeds;
}

void Hooks::record(RequestInfo request) {
  if (has_log_ && log_.size() < limits::kSandboxRequests) log_.push_back(std::move(request));
}

Refusal forbidden(const RequestInfo& request) {
  const auto& resource = request.resource;
  auto what = resource.plural + (request.subresource.empty() ? "" : "/" + request.subresource);
  auto subject = resource.qualified_plural() + (request.key.name.empty() ? "" : " " + base::quote_go(request.key.name));
  auto where = request.key.ns.empty() || !resource.namespaced ? std::string(" at the cluster scope")
                                                              : " in the namespace " + base::quote_go(request.key.ns);
  auto message = subject + " is forbidden: User " + base::quote_go(request.user) + " cannot " + word_of(request.verb) +
                 " resource " + base::quote_go(what) + " in API group " + base::quote_go(resource.group) + where;
  auto refused = refusal(403, "Forbidden", message);
  auto details = Tree::object();
  if (!request.key.name.empty()) details["name"] = request.key.name;
  if (!resource.group.empty()) details["group"] = resource.group;
  details["kind"] = resource.plural;
  refused.status["details"] = details;
  return refused;
}

}  // namespace keelson::sandbox
