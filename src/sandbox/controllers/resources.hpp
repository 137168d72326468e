// The kinds of Kubernetes that these controllers read and write, in addition to those of schema/resource.hpp.
#pragma once

#include "keelson/detail/schema/resource.hpp"

namespace keelson::sandbox {

[[nodiscard]] const kube::Resource& namespaces();
[[nodiscard]] const kube::Resource& service_accounts();
[[nodiscard]] const kube::Resource& nodes();
[[nodiscard]] const kube::Resource& component_statuses();
[[nodiscard]] const kube::Resource& persistent_volume_claims();
[[nodiscard]] const kube::Resource& stateful_sets();
[[nodiscard]] const kube::Resource& daemon_sets();
[[nodiscard]] const kube::Resource& controller_revisions();
[[nodiscard]] const kube::Resource& cron_jobs();
[[nodiscard]] const kube::Resource& disruption_budgets();
[[nodiscard]] const kube::Resource& endpoint_slices();
[[nodiscard]] const kube::Resource& endpoints();
[[nodiscard]] const kube::Resource& cluster_roles();
[[nodiscard]] const kube::Resource& cluster_role_bindings();

}  // namespace keelson::sandbox
