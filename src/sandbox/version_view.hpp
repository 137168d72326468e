// Kinds that are served in two versions and stored in one: Events of events.k8s.io/v1, HorizontalPodAutoscalers of
// autoscaling/v1.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "src/sandbox/call.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

struct VersionView {
  kube::Resource stored;
  // kind and apiVersion are set by those who call these.
  Tree (*to_stored)(Tree object);
  Tree (*from_stored)(Tree object);
  // The stored name of a field of a fieldSelector; empty: it is not supported.
  std::string (*stored_field)(const std::string& field);
  // What a write makes of the live object, with the fields that the view does not have; null: it has all.
  Tree (*with_hidden)(const Call& call, Tree object, const Tree& live) = nullptr;
};

// Null for a kind that is stored as it is served.
[[nodiscard]] const VersionView* version_view(const kube::Resource& resource);

// A request for a view: its body becomes that of the stored kind, and the answer what the client asked for.
[[nodiscard]] Outcome answer_through_view(const World& world, const Call& call,
                                          const std::function<Outcome(const Call&)>& answer);

// The JSON of an object, or of a list of them, as the view has it; anything else stays.
[[nodiscard]] std::string as_viewed(const ServedKind& view, std::string_view json);

}  // namespace keelson::sandbox
