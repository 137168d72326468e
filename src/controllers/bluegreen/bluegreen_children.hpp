// What a BlueGreen wants to exist: its Service and a Deployment for each colour, as the JSON that is applied.
#pragma once

#include <string>
#include <string_view>

#include "keelson/kube/key.hpp"

namespace keelson::controllers {

// Objects of the seed's operator carry these names and labels, and a Deployment's selector is immutable.
inline constexpr std::string_view kPhaseLabel = "app.kubernetes.io/phase";

// "demoblue-deployment": without a dash before the colour.
[[nodiscard]] std::string colour_deployment_name(std::string_view bluegreen, std::string_view colour);
// "demo" of it; empty for other names.
[[nodiscard]] std::string bluegreen_name_of(std::string_view deployment);

// Replicas are not ours to wish: a user or an autoscaler sets them.
[[nodiscard]] std::string colour_deployment(const kube::Key& key, std::string_view colour, std::string_view pod_spec);
[[nodiscard]] std::string bluegreen_service(const kube::Key& key, std::string_view colour);

}  // namespace keelson::controllers
