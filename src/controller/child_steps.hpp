// What is to be done about a child, decided without asking anybody: the body to apply, and whether and how.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/operator_name.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

struct ChildPlan {
  // kTakeOver: nothing but to release the fields of the operator's former name (child.hpp).
  enum class Action { kNothing, kCreate, kUpdate, kTakeOver, kForeign, kWait };
  Action action = Action::kNothing;
  kube::Key key;
  std::string body;         // what to apply, when something is
  bool takes_over = false;  // after the apply of kUpdate, release the fields of the former name
};

[[nodiscard]] Result<ChildPlan> plan_child(const kube::Resource& resource, const kube::Resource& owner_resource,
                                           const kube::Object& owner, std::string_view wanted,
                                           const std::optional<kube::Object>& current,
                                           const kube::OperatorName& name = kube::OperatorName());

// An object of somebody else that will be gone by itself. A controller of our owner's name and another uid is the
// owner's earlier life: garbage collection removes what it left behind.
[[nodiscard]] bool is_leaving(const kube::Resource& owner_resource, const kube::Object& owner,
                              const kube::Object& current);

// 16 hexadecimal digits; the same on every build and machine, because the cluster keeps it.
[[nodiscard]] std::string hash_of(std::string_view wanted);

// The first path ("spec.replicas") that is wanted and not kept by the projection; nothing when all are.
[[nodiscard]] std::optional<std::string> uncovered_path(json::View wanted, const json::Projection& projection);

}  // namespace keelson::controller
