// Who controls an object: making the reference, and the rules under which controller-runtime refuses to.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// The JSON of one entry of metadata.ownerReferences that makes `owner` the controller of an object in namespace
// `child_ns` (empty: cluster-scoped). kInvalid where garbage collection would not work: a namespaced owner of an object
// in another namespace, or of a cluster-scoped one.
[[nodiscard]] Result<std::string> controller_reference(const kube::Resource& resource, const kube::Object& owner,
                                                       std::string_view child_ns);

// controller-runtime's AlreadyOwnedError, when `child` has a controller that is not `owner`. As there group, kind and
// name are compared and not the uid: use is_controlled_by where a new life of the owner's name matters. A namespaced
// owner is another one to a child in another namespace.
[[nodiscard]] Result<void> check_not_owned_by_another(const kube::Resource& resource, const kube::Object& owner,
                                                      const kube::Object& child);

// By uid, and only within the namespace of a namespaced owner: as for the garbage collector, a reference across
// namespaces does not count. Any user can write such a reference.
[[nodiscard]] bool is_controlled_by(const kube::Object& object, const kube::Object& owner);

}  // namespace keelson::controller
