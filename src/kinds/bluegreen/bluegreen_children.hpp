// The desired state of a BlueGreen's children: its Service, and a Deployment for each color.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "keelson/api/core/v1/service.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "src/kinds/bluegreen/bluegreen.hpp"

namespace keelson::kinds {

// Objects of the original operator have these names and labels, and a Deployment's selector is immutable.
inline constexpr std::string_view kPhaseLabel = "app.kubernetes.io/phase";
// The other labels of its Deployments, their ReplicaSets and pods.
inline constexpr std::string_view kNameLabel = "app.kubernetes.io/name";
inline constexpr std::string_view kManagedBy = "app.demo.kakao.com";  // of app.kubernetes.io/managed-by

// The desired state of a Deployment. The pod spec is the user's JSON as received: a struct would lose fields that it
// does not have. Users and autoscalers set the replicas.
struct ColorDeployment {
  static constexpr kube::Identity kIdentity{"apps", "v1", "Deployment"};

  struct Selector {
    std::map<std::string, std::string> match_labels;
  };
  struct PodTemplate {
    meta::v1::ObjectMeta metadata;
    kube::RawJson spec;
  };
  struct Spec {
    Selector selector;
    PodTemplate pod_template;
  };
  meta::v1::ObjectMeta metadata;
  Spec spec;
};

void describe(kube::Description& d, ColorDeployment::Selector& selector);
void describe(kube::Description& d, ColorDeployment::PodTemplate& pod_template);
void describe(kube::Description& d, ColorDeployment::Spec& spec);
void describe(kube::Description& d, ColorDeployment& deployment);

// "demoblue-deployment": without a dash before the color.
[[nodiscard]] std::string color_deployment_name(std::string_view bluegreen, std::string_view color);

[[nodiscard]] ColorDeployment deployment_of(const BlueGreen& bluegreen, std::string_view color);
[[nodiscard]] core::v1::Service service_of(const BlueGreen& bluegreen, std::string_view color);

}  // namespace keelson::kinds
