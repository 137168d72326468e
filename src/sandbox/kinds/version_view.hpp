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
  Tree (*with_hidden)(const Call& call, Tree object, const Tree& live) = nullptr;
};

// Null for a kind that is stored as it is served.
[[nodiscard]] const VersionView* version_view(const kube::Resource& resource);

// Answers a request for a view: converts its body to the stored version, and the reply to the version of the view.
[[nodiscard]] RejectionOr<Answer> answer_through_view(const World& world, const Call& call,
                                                      const std::function<RejectionOr<Answer>(const Call&)>& answer);

// The JSON of an object or a list in the version of the view; any other JSON is returned unchanged.
[[nodiscard]] std::string as_viewed(const ServedKind& view, std::string_view json);

}  // namespace keelson::sandbox
