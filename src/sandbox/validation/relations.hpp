// Rules of built-in kinds that are relations between values, by the names that data/rules.txt calls them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

using Words = std::vector<std::string>;
using Relation = void (*)(RuleCheck&, const Spot&, const Words&);
using Relations = base::TextMap<std::string_view, Relation>;

// Checks the value by the relation of this name. False if there is none.
bool run_relation(std::string_view name, RuleCheck& check, const Spot& at, const Words& words);

// Whether apimachinery makes a selector of a LabelSelector.
[[nodiscard]] bool is_usable_selector(const Tree& selector);

// Those of values of all kinds.
[[nodiscard]] const Relations& value_relations();
// What pods and their templates must fulfill.
[[nodiscard]] const Relations& pod_relations();
// What an update of a pod must fulfill.
[[nodiscard]] const Relations& pod_update_relations();
// What workloads, their selectors and their scaling must fulfill.
[[nodiscard]] const Relations& workload_relations();
// What Jobs must fulfill.
[[nodiscard]] const Relations& job_relations();
// What volumes, claims and their drivers must fulfill.
[[nodiscard]] const Relations& volume_relations();
// What Services, endpoints, Ingresses, network policies and ServiceCIDRs must fulfill.
[[nodiscard]] const Relations& network_relations();
// What webhooks and admission policies must fulfill.
[[nodiscard]] const Relations& webhook_relations();
// What devices, their slices and the claims of devices must fulfill.
[[nodiscard]] const Relations& device_relations();
// What APIServices, certificate requests and the parts of request flows must fulfill.
[[nodiscard]] const Relations& registration_relations();
// What data, limits, nodes, events, priorities, rights and request flows must fulfill.
[[nodiscard]] const Relations& cluster_relations();

}  // namespace keelson::sandbox
