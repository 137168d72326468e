// The admission plugins of kube-apiserver that run in the server itself. Controllers pass them with their creates and
// updates, not with their deletions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/sandbox/admission/policies.hpp"
#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

class Plugins {
 public:
  explicit Plugins(World& world) : policies(world), world_(world) {}

  void hear(const Change& change) { policies.hear(change); }

  // Whether this write may get warnings of a plugin, for which it needs an AdmissionSession.
  [[nodiscard]] bool may_warn(const kube::ApiRequest& request);
  // The plugins that validate a write before webhooks do. The attributes are created only if one of them needs them.
  using AttributesOf = std::function<Attributes()>;
  [[nodiscard]] RejectionOr<void> validate(const Call& call, const AttributesOf& attributes);
  // The quotas, after webhooks.
  [[nodiscard]] RejectionOr<void> charge(const Call& call, const AttributesOf& attributes);

  Policies policies;

 private:
  [[nodiscard]] RejectionOr<void> check_security(const Call& call, const Attributes& attributes,
                                                 std::vector<std::string>& warnings) const;

  World& world_;
};

// Whether plugins see the write: the object or a part of it, but not an action such as a binding.
[[nodiscard]] bool is_for_plugins(const Call& call);

}  // namespace keelson::sandbox
