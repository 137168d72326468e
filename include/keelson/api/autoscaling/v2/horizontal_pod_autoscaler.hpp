// HorizontalPodAutoscaler of autoscaling/v2. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/described_type.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace keelson::autoscaling::v2 {

// The type of HorizontalPodAutoscalerSpec.scaleTargetRef, ObjectMetricSource.describedObject and
// ObjectMetricStatus.describedObject.
struct CrossVersionObjectReference {
  std::string kind;         // required
  std::string name;         // required
  std::string api_version;  // apiVersion

  static const kube::StructTable kFields;
  bool operator==(const CrossVersionObjectReference&) const = default;
};

// The type of ContainerResourceMetricSource.target, ExternalMetricSource.target, ObjectMetricSource.target,
// PodsMetricSource.target and ResourceMetricSource.target.
struct MetricTarget {
  std::string type;  // required
  std::optional<kube::Quantity> value;
  std::optional<kube::Quantity> average_value;      // averageValue
  std::optional<std::int32_t> average_utilization;  // averageUtilization

  static const kube::StructTable kFields;
  bool operator==(const MetricTarget&) const = default;
};

// The type of ExternalMetricSource.metric, ExternalMetricStatus.metric, ObjectMetricSource.metric,
// ObjectMetricStatus.metric and 2 others.
struct MetricIdentifier {
  std::string name;  // required
  kube::Box<meta::v1::LabelSelector> selector;

  static const kube::StructTable kFields;
  bool operator==(const MetricIdentifier&) const = default;
};

// The type of MetricSpec.object.
struct ObjectMetricSource {
  CrossVersionObjectReference described_object;  // describedObject, required
  MetricTarget target;                           // required
  MetricIdentifier metric;                       // required

  static const kube::StructTable kFields;
  bool operator==(const ObjectMetricSource&) const = default;
};

// The type of MetricSpec.pods.
struct PodsMetricSource {
  MetricIdentifier metric;  // required
  MetricTarget target;      // required

  static const kube::StructTable kFields;
  bool operator==(const PodsMetricSource&) const = default;
};

// The type of MetricSpec.resource.
struct ResourceMetricSource {
  std::string name;     // required
  MetricTarget target;  // required

  static const kube::StructTable kFields;
  bool operator==(const ResourceMetricSource&) const = default;
};

// The type of MetricSpec.containerResource.
struct ContainerResourceMetricSource {
  std::string name;       // required
  MetricTarget target;    // required
  std::string container;  // required

  static const kube::StructTable kFields;
  bool operator==(const ContainerResourceMetricSource&) const = default;
};

// The type of MetricSpec.external.
struct ExternalMetricSource {
  MetricIdentifier metric;  // required
  MetricTarget target;      // required

  static const kube::StructTable kFields;
  bool operator==(const ExternalMetricSource&) const = default;
};

// The type of HorizontalPodAutoscalerSpec.metrics.
struct MetricSpec {
  std::string type;  // required
  kube::Box<ObjectMetricSource> object;
  kube::Box<PodsMetricSource> pods;
  kube::Box<ResourceMetricSource> resource;
  kube::Box<ContainerResourceMetricSource> container_resource;  // containerResource
  kube::Box<ExternalMetricSource> external;

  static const kube::StructTable kFields;
  bool operator==(const MetricSpec&) const = default;
};

// The type of HPAScalingRules.policies.
struct HPAScalingPolicy {
  std::string type;                 // required
  std::int32_t value = 0;           // required
  std::int32_t period_seconds = 0;  // periodSeconds, required

  static const kube::StructTable kFields;
  bool operator==(const HPAScalingPolicy&) const = default;
};

// The type of HorizontalPodAutoscalerBehavior.scaleDown and HorizontalPodAutoscalerBehavior.scaleUp.
struct HPAScalingRules {
  std::optional<std::int32_t> stabilization_window_seconds;  // stabilizationWindowSeconds
  std::optional<std::string> select_policy;                  // selectPolicy
  kube::ListOf<HPAScalingPolicy> policies;                   // applied as a whole
  std::optional<kube::Quantity> tolerance;

  static const kube::StructTable kFields;
  bool operator==(const HPAScalingRules&) const = default;
};

// The type of HorizontalPodAutoscalerSpec.behavior.
struct HorizontalPodAutoscalerBehavior {
  kube::Box<HPAScalingRules> scale_up;    // scaleUp
  kube::Box<HPAScalingRules> scale_down;  // scaleDown

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerBehavior&) const = default;
};

// The type of HorizontalPodAutoscaler.spec.
struct HorizontalPodAutoscalerSpec {
  CrossVersionObjectReference scale_target_ref;  // scaleTargetRef, required
  std::optional<std::int32_t> min_replicas;      // minReplicas
  std::int32_t max_replicas = 0;                 // maxReplicas, required
  kube::ListOf<MetricSpec> metrics;              // applied as a whole
  kube::Box<HorizontalPodAutoscalerBehavior> behavior;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerSpec&) const = default;
};

// The type of ContainerResourceMetricStatus.current, ExternalMetricStatus.current, ObjectMetricStatus.current,
// PodsMetricStatus.current and ResourceMetricStatus.current.
struct MetricValueStatus {
  std::optional<kube::Quantity> value;
  std::optional<kube::Quantity> average_value;      // averageValue
  std::optional<std::int32_t> average_utilization;  // averageUtilization

  static const kube::StructTable kFields;
  bool operator==(const MetricValueStatus&) const = default;
};

// The type of MetricStatus.object.
struct ObjectMetricStatus {
  MetricIdentifier metric;                       // required
  MetricValueStatus current;                     // required
  CrossVersionObjectReference described_object;  // describedObject, required

  static const kube::StructTable kFields;
  bool operator==(const ObjectMetricStatus&) const = default;
};

// The type of MetricStatus.pods.
struct PodsMetricStatus {
  MetricIdentifier metric;    // required
  MetricValueStatus current;  // required

  static const kube::StructTable kFields;
  bool operator==(const PodsMetricStatus&) const = default;
};

// The type of MetricStatus.resource.
struct ResourceMetricStatus {
  std::string name;           // required
  MetricValueStatus current;  // required

  static const kube::StructTable kFields;
  bool operator==(const ResourceMetricStatus&) const = default;
};

// The type of MetricStatus.containerResource.
struct ContainerResourceMetricStatus {
  std::string name;           // required
  MetricValueStatus current;  // required
  std::string container;      // required

  static const kube::StructTable kFields;
  bool operator==(const ContainerResourceMetricStatus&) const = default;
};

// The type of MetricStatus.external.
struct ExternalMetricStatus {
  MetricIdentifier metric;    // required
  MetricValueStatus current;  // required

  static const kube::StructTable kFields;
  bool operator==(const ExternalMetricStatus&) const = default;
};

// The type of HorizontalPodAutoscalerStatus.currentMetrics.
struct MetricStatus {
  std::string type;  // required
  kube::Box<ObjectMetricStatus> object;
  kube::Box<PodsMetricStatus> pods;
  kube::Box<ResourceMetricStatus> resource;
  kube::Box<ContainerResourceMetricStatus> container_resource;  // containerResource
  kube::Box<ExternalMetricStatus> external;

  static const kube::StructTable kFields;
  bool operator==(const MetricStatus&) const = default;
};

// The type of HorizontalPodAutoscalerStatus.conditions.
struct HorizontalPodAutoscalerCondition {
  std::string type;                                // required
  std::string status;                              // required
  std::optional<kube::Time> last_transition_time;  // lastTransitionTime
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerCondition&) const = default;
};

// The type of HorizontalPodAutoscaler.status.
struct HorizontalPodAutoscalerStatus {
  std::optional<std::int64_t> observed_generation;            // observedGeneration
  std::optional<kube::Time> last_scale_time;                  // lastScaleTime
  std::int32_t current_replicas = 0;                          // currentReplicas
  std::int32_t desired_replicas = 0;                          // desiredReplicas, required
  kube::ListOf<MetricStatus> current_metrics;                 // currentMetrics, applied as a whole
  kube::ListOf<HorizontalPodAutoscalerCondition> conditions;  // one for each type

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerStatus&) const = default;
};

// HorizontalPodAutoscaler, namespaced. `kubectl explain horizontalpodautoscaler --recursive` shows what its fields
// mean.
struct HorizontalPodAutoscaler {
  static constexpr kube::Identity kIdentity{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"};

  meta::v1::ObjectMeta metadata;
  HorizontalPodAutoscalerSpec spec;  // required
  HorizontalPodAutoscalerStatus status;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscaler&) const = default;
};

}  // namespace keelson::autoscaling::v2
