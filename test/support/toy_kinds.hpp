// Parts of the kinds that tests declare: metadata, specs and statuses that many of them need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/schema/condition.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::testing {

// Metadata of a projection.
struct ShortMetadata {
  std::string name;
  std::string ns;
};
inline void describe(kube::Description& d, ShortMetadata& metadata) {
  d.field("name", metadata.name, "");
  d.field("namespace", metadata.ns, "");
}

struct PhaseStatus {
  std::string phase;
};
inline void describe(kube::Description& d, PhaseStatus& status) { d.field("phase", status.phase, ""); }

// The spec of a kind that has a ConfigMap for each item.
struct ItemsSpec {
  std::vector<std::string> items;
};
inline void describe(kube::Description& d, ItemsSpec& spec) { d.field("items", spec.items, "Names of ConfigMaps."); }

struct ConditionsStatus {
  std::vector<kube::Condition> conditions;
};
inline void describe(kube::Description& d, ConditionsStatus& status) {
  d.field("conditions", status.conditions, "The conditions.").list_map({"type"});
}

// With it, the framework records the generation of the spec that the conditions are about.
struct ObservedStatus {
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;
};
inline void describe(kube::Description& d, ObservedStatus& status) {
  d.field("observedGeneration", status.observed_generation, "The generation.");
  d.field("conditions", status.conditions, "The conditions.").list_map({"type"});
}

}  // namespace keelson::testing
