// Finalizers as JSON patches: what keeps an object until its controller has cleaned up.
//
// The patches carry the resourceVersion that was read, so a stale read is a 409 conflict and never removes a
// neighbour's entry.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

[[nodiscard]] bool has_finalizer(const kube::Object& object, std::string_view finalizer);

// The body of a PatchType::kJson, or nothing when there is nothing to do.
[[nodiscard]] std::optional<std::string> add_finalizer_patch(const kube::Object& object, std::string_view finalizer);
[[nodiscard]] std::optional<std::string> remove_finalizer_patch(const kube::Object& object, std::string_view finalizer);

}  // namespace keelson::controller
