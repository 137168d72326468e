// Owner references: creating the reference of a controller, and checking which object controls another.
//
// Pass::apply and Pass::create set and check them; call these functions only in a Reconciler without Pass. Rules and
// error texts are those of controller-runtime's SetControllerReference.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

// The JSON of an entry of metadata.ownerReferences that makes `owner`, an object of `resource`, the controller of an
// object in namespace `child_ns` (empty: cluster-scoped), with blockOwnerDeletion. kInvalid if garbage collection would
// delete the child as an orphan: a namespaced owner of an object in another namespace, or of a cluster-scoped object.
[[nodiscard]] Result<std::string> controller_reference(const kube::Resource& resource, const kube::Object& owner,
                                                       std::string_view child_ns);

// kInvalid with the text of controller-runtime's AlreadyOwnedError if `child` has a controller that is not `owner`. It
// compares group, kind and name, as controller-runtime does, and not the uid: use is_controlled_by if an earlier object
// of the owner's name must not count. An owner in another namespace than the child does not count.
[[nodiscard]] Result<void> check_not_owned_by_another(const kube::Resource& resource, const kube::Object& owner,
                                                      const kube::Object& child);

// Compares the uid of the controller reference. As for the garbage collector, a reference to a namespaced owner counts
// only within its namespace, because any user can write any uid into their own objects.
[[nodiscard]] bool is_controlled_by(const kube::Object& object, const kube::Object& owner);

}  // namespace keelson::controller
