// JSON patches that add and remove a finalizer, which delays the removal of an object until its controller has cleaned
// up. PassState uses them; call them directly only in a Reconciler without Pass.
//
// The patches contain the resourceVersion that was read. If the read was stale, the API server answers 409 Conflict, so
// a patch never removes the finalizer of another controller; return the error, and the reconcile is retried.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

[[nodiscard]] bool has_finalizer(const kube::Object& object, std::string_view finalizer);

// The body of a patch of PatchType::kJson; empty if the object has the finalizer already, or does not have it.
[[nodiscard]] std::optional<std::string> add_finalizer_patch(const kube::Object& object, std::string_view finalizer);
[[nodiscard]] std::optional<std::string> remove_finalizer_patch(const kube::Object& object, std::string_view finalizer);

}  // namespace keelson::controller
