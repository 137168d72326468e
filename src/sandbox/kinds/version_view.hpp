// Kinds that are served in two versions and stored in one: Events of events.k8s.io/v1, HorizontalPodAutoscalers of
// autoscaling/v1.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

struct VersionView {
  kube::Resource stored;
  // The callers set kind and apiVersion.
  Tree (*to_stored)(Tree object);
  Tree (*from_stored)(Tree object);
  // The stored name of a field of a fieldSelector; empty: it is not supported.
  std::string (*stored_field)(const std::string& field);
  // Adds the fields of the live object that the view lacks to a written object; null: it lacks no fields.
  Tree (*with_hidden)(Tree object, const Tree& live) = nullptr;
};

// Null for a kind that is stored as it is served.
[[nodiscard]] const VersionView* version_view(const kube::Resource& resource);

// The other version in which a kind is served, as it is stored or as a view; null: there is none.
[[nodiscard]] const ServedKind* other_version(const World& world, const ServedKind& kind);

// A stored object in the version of a kind, which is the stored one or a view.
[[nodiscard]] Tree in_version(const ServedKind& kind, Tree object);

// The inverse for the object of a write, in the version of call.view. `live` is the stored object; null: it is new.
[[nodiscard]] Tree as_stored(const Call& call, Tree object, const Tree* live);

// Answers a request for a view: converts the body of a creation or an update to the stored version, and the reply to
// the version of the view. Patches are converted when they have been merged.
[[nodiscard]] RejectionOr<Answer> answer_through_view(const World& world, const Call& call,
                                                      const std::function<RejectionOr<Answer>(const Call&)>& answer);

// The JSON of an object or a list in the version of the view; any other JSON is returned unchanged.
[[nodiscard]] std::string as_viewed(const ServedKind& view, std::string_view json);

}  // namespace keelson::sandbox
