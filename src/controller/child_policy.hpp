// Decides about a child without I/O: the body to apply, and whether it is sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"
#include "src/controller/child.hpp"

namespace keelson::controller {

struct ChildPlan {
  enum class Action { kNothing, kCreate, kUpdate, kNotOwned, kWait };
  Action action = Action::kNothing;
  kube::Key key;
  std::string body;         // the body of the apply, for kCreate and kUpdate
  ChildUpdate update = {};  // of kUpdate
};

[[nodiscard]] Result<ChildPlan> plan_child(const kube::Resource& resource, const kube::Resource& owner_resource,
                                           const kube::Object& owner, std::string_view desired,
                                           const std::optional<kube::Object>& current,
                                           const kube::OperatorName& name = kube::OperatorName());
// The plan for a child that is created once: its body has no hash, which only an update compares.
[[nodiscard]] Result<ChildPlan> plan_creation(const kube::Resource& resource, const kube::Resource& owner_resource,
                                              const kube::Object& owner, std::string_view desired);

// True for an object that is not owned and will be removed by itself: it is being deleted, or its controller has our
// owner's name and another uid. That is an earlier object of this name, and garbage collection removes its children.
[[nodiscard]] bool is_leaving(const kube::Resource& owner_resource, const kube::Object& owner,
                              const kube::Object& current);

// 16 hexadecimal digits; the same on every build and machine, because the cluster stores it.
[[nodiscard]] std::string hash_of(std::string_view desired);

// The first desired path ("spec.replicas") that the projection lacks; empty if it has all.
[[nodiscard]] std::optional<std::string> uncovered_path(json::View desired, const json::Projection& projection);

}  // namespace keelson::controller
