// Applies the children of an object with the minimal number of writes, and never changes an object that is not owned.
//
// Nothing is sent while the cached child has all desired fields and the hash of the desired state; otherwise a single
// server-side apply is sent. Fields of other owners (defaults, sidecars, labels) are left alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"
#include "src/controller/managed_field.hpp"

namespace keelson::controller {

// The annotation OperatorName::annotation(kHashKey) has the hash of the desired state: it shows that a field is no
// longer desired (a removed env entry).
inline constexpr const char* kHashKey = "applied-hash";

struct Child {
  enum class Outcome {
    kUnchanged,  // it has the desired state, or is being deleted: nothing was sent
    kCreated,
    kUpdated,
    // An object of that name is not owned, but it will be gone: it is being deleted, or its controller is an earlier
    // object of our owner's name, so that garbage collection removes it. Nothing was sent.
    kWaiting,
    // It differs from the desired state, and BeforeUpdate decided that nothing is sent now.
    kHeldBack,
  };
  Outcome outcome = Outcome::kUnchanged;
  std::optional<kube::Object> object;  // as it is now

  [[nodiscard]] bool was_written() const { return outcome == Outcome::kCreated || outcome == Outcome::kUpdated; }
};

// The reasons of the conditions for Errors of these kinds.
inline constexpr const char* kNotOwned = "NotOwned";
inline constexpr const char* kChildDeleting = "ChildDeleting";

// The Error (kNotOwned) of both functions below when the name belongs to an object that the owner does not control.
// Nothing was sent, or nothing was changed.
[[nodiscard]] Error not_owned(const kube::Resource& resource, const kube::Key& key, const kube::Resource& owner);

// An update that is about to be sent.
struct ChildUpdate {
  std::string hash;    // of the desired state
  ManagedField field;  // the first field that differs
};
// Called before an existing child is changed. False: nothing is sent (kHeldBack). Its Error ends the apply.
using BeforeUpdate = std::function<Task<bool>(ChildUpdate)>;

// `desired` is the whole object as JSON with apiVersion, kind, metadata.name (and namespace), without ownerReferences.
// `current` is what the cache has under that name. If the cache was stale the API server rejects the write (409, 422)
// and nothing has changed: return the error, so that the key is retried. kInvalid if `current` was projected and the
// projection lacks a desired path. If the API server rejects the update because of fields that others have set
// (blocking_fields.hpp), these are taken over, and the update is repeated once.
[[nodiscard]] Task<Child> apply_child(kube::Client& client, kube::Resource resource, kube::Resource owner_resource,
                                      kube::Object owner, std::string desired, std::optional<kube::Object> current,
                                      BeforeUpdate before_update = {});

// Applies a child that is created once and never changed. kUnchanged: the child exists already and is owned. It was
// created earlier, and the reply was lost or the child is not in the cache yet.
[[nodiscard]] Task<Child> create_child(kube::Client& client, kube::Resource resource, kube::Resource owner_resource,
                                       kube::Object owner, std::string desired);

// True if `desired` is the state that was last applied to `child`, regardless of drift since then.
[[nodiscard]] bool was_applied(const kube::Object& child, std::string_view desired, const kube::OperatorName& name);

// Reads one object by a list, which needs no permission that a watch does not need; empty if it does not exist.
[[nodiscard]] Task<std::optional<kube::Object>> read_live(kube::Client& client, kube::Resource resource, kube::Key key);

// The same with metadata.managedFields: the reply to the list, whose `items` has at most one object.
[[nodiscard]] Task<json::Document> read_live_list(kube::Client& client, kube::Resource resource, kube::Key key);

// True if `actual` has all desired fields. Lists of objects with a key (containers, env, volumes, ports …) are matched
// by it and may have more entries; other lists are equal entry by entry, and so are atomic maps (selectors). Empty
// texts, lists and objects may be absent. false and 0 may be absent only where Kubernetes' Go types omit them
// (hostNetwork): for others, and in custom kinds, set them only if the API server stores them. Quantities are compared
// by value.
[[nodiscard]] bool covers(json::View actual, json::View desired);
// The first desired field that `actual` does not have, in the order of `desired`; empty if covers() is true.
[[nodiscard]] std::optional<ManagedField> first_difference(json::View actual, json::View desired);

}  // namespace keelson::controller
