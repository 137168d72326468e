// What an object uses of a ResourceQuota: at its admission, and in the status of the quota.
#pragma once

#include <string_view>

#include "src/sandbox/admission/amounts.hpp"
#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// Whether the resource is one of these of the core group, which are separated by blanks.
[[nodiscard]] bool is_core(const kube::Resource& resource, std::string_view plurals);

// By the names of a quota: "pods", "requests.cpu", "count/jobs.batch".
[[nodiscard]] Amounts usage_of_object(const kube::Resource& resource, const Tree& object);
// Those of `amounts` that `names` has.
[[nodiscard]] Amounts masked(const Amounts& amounts, const Amounts& names);

// Whether the quota with this spec counts the object; only pods have scopes.
[[nodiscard]] bool counts_object(const Tree& quota_spec, const kube::Resource& resource, const Tree& object);

// Whether a term of the pod's affinity selects pods of other namespaces: the scope CrossNamespacePodAffinity.
[[nodiscard]] bool has_affinity_across_namespaces(const Tree& pod);

}  // namespace keelson::sandbox
