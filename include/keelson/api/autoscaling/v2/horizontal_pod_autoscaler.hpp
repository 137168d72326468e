// HorizontalPodAutoscaler of autoscaling/v2. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keelson/api/meta/v1/label_selector.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/quantity.hpp"

namespace keelson::autoscaling::v2 {

struct CrossVersionObjectReference {
  std::string kind;
  std::string name;
  std::string api_version;

  static const kube::StructTable kFields;
  bool operator==(const CrossVersionObjectReference&) const = default;
};

struct MetricTarget {
  std::string type;
  std::optional<kube::Quantity> value;
  std::optional<kube::Quantity> average_value;
  std::optional<std::int32_t> average_utilization;

  static const kube::StructTable kFields;
  bool operator==(const MetricTarget&) const = default;
};

struct MetricIdentifier {
  std::string name;
  kube::Box<meta::v1::LabelSelector> selector;

  static const kube::StructTable kFields;
  bool operator==(const MetricIdentifier&) const = default;
};

struct ObjectMetricSource {
  CrossVersionObjectReference described_object;
  MetricTarget target;
  MetricIdentifier metric;

  static const kube::StructTable kFields;
  bool operator==(const ObjectMetricSource&) const = default;
};

struct PodsMetricSource {
  MetricIdentifier metric;
  MetricTarget target;

  static const kube::StructTable kFields;
  bool operator==(const PodsMetricSource&) const = default;
};

struct ResourceMetricSource {
  std::string name;
  MetricTarget target;

  static const kube::StructTable kFields;
  bool operator==(const ResourceMetricSource&) const = default;
};

struct ContainerResourceMetricSource {
  std::string name;
  MetricTarget target;
  std::string container;

  static const kube::StructTable kFields;
  bool operator==(const ContainerResourceMetricSource&) const = default;
};

struct ExternalMetricSource {
  MetricIdentifier metric;
  MetricTarget target;

  static const kube::StructTable kFields;
  bool operator==(const ExternalMetricSource&) const = default;
};

struct MetricSpec {
  std::string type;
  kube::Box<ObjectMetricSource> object;
  kube::Box<PodsMetricSource> pods;
  kube::Box<ResourceMetricSource> resource;
  kube::Box<ContainerResourceMetricSource> container_resource;
  kube::Box<ExternalMetricSource> external;

  static const kube::StructTable kFields;
  bool operator==(const MetricSpec&) const = default;
};

struct HPAScalingPolicy {
  std::string type;
  std::int32_t value = 0;
  std::int32_t period_seconds = 0;

  static const kube::StructTable kFields;
  bool operator==(const HPAScalingPolicy&) const = default;
};

struct HPAScalingRules {
  std::optional<std::int32_t> stabilization_window_seconds;
  std::optional<std::string> select_policy;
  kube::ListOf<HPAScalingPolicy> policies;
  std::optional<kube::Quantity> tolerance;

  static const kube::StructTable kFields;
  bool operator==(const HPAScalingRules&) const = default;
};

struct HorizontalPodAutoscalerBehavior {
  kube::Box<HPAScalingRules> scale_up;
  kube::Box<HPAScalingRules> scale_down;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerBehavior&) const = default;
};

struct HorizontalPodAutoscalerSpec {
  CrossVersionObjectReference scale_target_ref;
  std::optional<std::int32_t> min_replicas;
  std::int32_t max_replicas = 0;
  kube::ListOf<MetricSpec> metrics;
  kube::Box<HorizontalPodAutoscalerBehavior> behavior;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerSpec&) const = default;
};

struct MetricValueStatus {
  std::optional<kube::Quantity> value;
  std::optional<kube::Quantity> average_value;
  std::optional<std::int32_t> average_utilization;

  static const kube::StructTable kFields;
  bool operator==(const MetricValueStatus&) const = default;
};

struct ObjectMetricStatus {
  MetricIdentifier metric;
  MetricValueStatus current;
  CrossVersionObjectReference described_object;

  static const kube::StructTable kFields;
  bool operator==(const ObjectMetricStatus&) const = default;
};

struct PodsMetricStatus {
  MetricIdentifier metric;
  MetricValueStatus current;

  static const kube::StructTable kFields;
  bool operator==(const PodsMetricStatus&) const = default;
};

struct ResourceMetricStatus {
  std::string name;
  MetricValueStatus current;

  static const kube::StructTable kFields;
  bool operator==(const ResourceMetricStatus&) const = default;
};

struct ContainerResourceMetricStatus {
  std::string name;
  MetricValueStatus current;
  std::string container;

  static const kube::StructTable kFields;
  bool operator==(const ContainerResourceMetricStatus&) const = default;
};

struct ExternalMetricStatus {
  MetricIdentifier metric;
  MetricValueStatus current;

  static const kube::StructTable kFields;
  bool operator==(const ExternalMetricStatus&) const = default;
};

struct MetricStatus {
  std::string type;
  kube::Box<ObjectMetricStatus> object;
  kube::Box<PodsMetricStatus> pods;
  kube::Box<ResourceMetricStatus> resource;
  kube::Box<ContainerResourceMetricStatus> container_resource;
  kube::Box<ExternalMetricStatus> external;

  static const kube::StructTable kFields;
  bool operator==(const MetricStatus&) const = default;
};

struct HorizontalPodAutoscalerCondition {
  std::string type;
  std::string status;
  std::optional<kube::Time> last_transition_time;
  std::string reason;
  std::string message;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerCondition&) const = default;
};

struct HorizontalPodAutoscalerStatus {
  std::optional<std::int64_t> observed_generation;
  std::optional<kube::Time> last_scale_time;
  std::int32_t current_replicas = 0;
  std::int32_t desired_replicas = 0;
  kube::ListOf<MetricStatus> current_metrics;
  kube::ListOf<HorizontalPodAutoscalerCondition> conditions;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscalerStatus&) const = default;
};

struct HorizontalPodAutoscaler {
  static constexpr kube::Identity kIdentity{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"};

  meta::v1::ObjectMeta metadata;
  HorizontalPodAutoscalerSpec spec;
  HorizontalPodAutoscalerStatus status;

  static const kube::StructTable kFields;
  bool operator==(const HorizontalPodAutoscaler&) const = default;
};

}  // namespace keelson::autoscaling::v2
