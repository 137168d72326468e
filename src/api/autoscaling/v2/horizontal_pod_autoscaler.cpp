#include "keelson/api/autoscaling/v2/horizontal_pod_autoscaler.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::autoscaling::v2 {

constexpr kube::StructTable::Field kCrossVersionObjectReferenceFields[] = {
    KEELSON_TABLE_FIELD(CrossVersionObjectReference, kind, "kind", kRequired),
    KEELSON_TABLE_FIELD(CrossVersionObjectReference, name, "name", kRequired),
    KEELSON_TABLE_FIELD(CrossVersionObjectReference, api_version, "apiVersion", kOptional),
};
constinit const kube::StructTable CrossVersionObjectReference::kFields(kCrossVersionObjectReferenceFields);

constexpr kube::StructTable::Field kMetricTargetFields[] = {
    KEELSON_TABLE_FIELD(MetricTarget, type, "type", kRequired),
    KEELSON_TABLE_FIELD(MetricTarget, value, "value", kOptional),
    KEELSON_TABLE_FIELD(MetricTarget, average_value, "averageValue", kOptional),
    KEELSON_TABLE_FIELD(MetricTarget, average_utilization, "averageUtilization", kOptional),
};
constinit const kube::StructTable MetricTarget::kFields(kMetricTargetFields);

constexpr kube::StructTable::Field kMetricIdentifierFields[] = {
    KEELSON_TABLE_FIELD(MetricIdentifier, name, "name", kRequired),
    KEELSON_TABLE_FIELD(MetricIdentifier, selector, "selector", kOptional),
};
constinit const kube::StructTable MetricIdentifier::kFields(kMetricIdentifierFields);

constexpr kube::StructTable::Field kObjectMetricSourceFields[] = {
    KEELSON_TABLE_FIELD(ObjectMetricSource, described_object, "describedObject", kRequired),
    KEELSON_TABLE_FIELD(ObjectMetricSource, target, "target", kRequired),
    KEELSON_TABLE_FIELD(ObjectMetricSource, metric, "metric", kRequired),
};
constinit const kube::StructTable ObjectMetricSource::kFields(kObjectMetricSourceFields);

constexpr kube::StructTable::Field kPodsMetricSourceFields[] = {
    KEELSON_TABLE_FIELD(PodsMetricSource, metric, "metric", kRequired),
    KEELSON_TABLE_FIELD(PodsMetricSource, target, "target", kRequired),
};
constinit const kube::StructTable PodsMetricSource::kFields(kPodsMetricSourceFields);

constexpr kube::StructTable::Field kResourceMetricSourceFields[] = {
    KEELSON_TABLE_FIELD(ResourceMetricSource, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ResourceMetricSource, target, "target", kRequired),
};
constinit const kube::StructTable ResourceMetricSource::kFields(kResourceMetricSourceFields);

constexpr kube::StructTable::Field kContainerResourceMetricSourceFields[] = {
    KEELSON_TABLE_FIELD(ContainerResourceMetricSource, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ContainerResourceMetricSource, target, "target", kRequired),
    KEELSON_TABLE_FIELD(ContainerResourceMetricSource, container, "container", kRequired),
};
constinit const kube::StructTable ContainerResourceMetricSource::kFields(kContainerResourceMetricSourceFields);

constexpr kube::StructTable::Field kExternalMetricSourceFields[] = {
    KEELSON_TABLE_FIELD(ExternalMetricSource, metric, "metric", kRequired),
    KEELSON_TABLE_FIELD(ExternalMetricSource, target, "target", kRequired),
};
constinit const kube::StructTable ExternalMetricSource::kFields(kExternalMetricSourceFields);

constexpr kube::StructTable::Field kMetricSpecFields[] = {
    KEELSON_TABLE_FIELD(MetricSpec, type, "type", kRequired),
    KEELSON_TABLE_FIELD(MetricSpec, object, "object", kOptional),
    KEELSON_TABLE_FIELD(MetricSpec, pods, "pods", kOptional),
    KEELSON_TABLE_FIELD(MetricSpec, resource, "resource", kOptional),
    KEELSON_TABLE_FIELD(MetricSpec, container_resource, "containerResource", kOptional),
    KEELSON_TABLE_FIELD(MetricSpec, external, "external", kOptional),
};
constinit const kube::StructTable MetricSpec::kFields(kMetricSpecFields);

constexpr kube::StructTable::Field kHPAScalingPolicyFields[] = {
    KEELSON_TABLE_FIELD(HPAScalingPolicy, type, "type", kRequired),
    KEELSON_TABLE_FIELD(HPAScalingPolicy, value, "value", kRequired),
    KEELSON_TABLE_FIELD(HPAScalingPolicy, period_seconds, "periodSeconds", kRequired),
};
constinit const kube::StructTable HPAScalingPolicy::kFields(kHPAScalingPolicyFields);

constexpr kube::StructTable::Field kHPAScalingRulesFields[] = {
    KEELSON_TABLE_FIELD(HPAScalingRules, stabilization_window_seconds, "stabilizationWindowSeconds", kOptional),
    KEELSON_TABLE_FIELD(HPAScalingRules, select_policy, "selectPolicy", kOptional),
    KEELSON_TABLE_FIELD(HPAScalingRules, policies, "policies", kOptional),
    KEELSON_TABLE_FIELD(HPAScalingRules, tolerance, "tolerance", kOptional),
};
constinit const kube::StructTable HPAScalingRules::kFields(kHPAScalingRulesFields);

constexpr kube::StructTable::Field kHorizontalPodAutoscalerBehaviorFields[] = {
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerBehavior, scale_up, "scaleUp", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerBehavior, scale_down, "scaleDown", kOptional),
};
constinit const kube::StructTable HorizontalPodAutoscalerBehavior::kFields(kHorizontalPodAutoscalerBehaviorFields);

constexpr kube::StructTable::Field kHorizontalPodAutoscalerSpecFields[] = {
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerSpec, scale_target_ref, "scaleTargetRef", kRequired),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerSpec, min_replicas, "minReplicas", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerSpec, max_replicas, "maxReplicas", kRequired),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerSpec, metrics, "metrics", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerSpec, behavior, "behavior", kOptional),
};
constinit const kube::StructTable HorizontalPodAutoscalerSpec::kFields(kHorizontalPodAutoscalerSpecFields);

constexpr kube::StructTable::Field kMetricValueStatusFields[] = {
    KEELSON_TABLE_FIELD(MetricValueStatus, value, "value", kOptional),
    KEELSON_TABLE_FIELD(MetricValueStatus, average_value, "averageValue", kOptional),
    KEELSON_TABLE_FIELD(MetricValueStatus, average_utilization, "averageUtilization", kOptional),
};
constinit const kube::StructTable MetricValueStatus::kFields(kMetricValueStatusFields);

constexpr kube::StructTable::Field kObjectMetricStatusFields[] = {
    KEELSON_TABLE_FIELD(ObjectMetricStatus, metric, "metric", kRequired),
    KEELSON_TABLE_FIELD(ObjectMetricStatus, current, "current", kRequired),
    KEELSON_TABLE_FIELD(ObjectMetricStatus, described_object, "describedObject", kRequired),
};
constinit const kube::StructTable ObjectMetricStatus::kFields(kObjectMetricStatusFields);

constexpr kube::StructTable::Field kPodsMetricStatusFields[] = {
    KEELSON_TABLE_FIELD(PodsMetricStatus, metric, "metric", kRequired),
    KEELSON_TABLE_FIELD(PodsMetricStatus, current, "current", kRequired),
};
constinit const kube::StructTable PodsMetricStatus::kFields(kPodsMetricStatusFields);

constexpr kube::StructTable::Field kResourceMetricStatusFields[] = {
    KEELSON_TABLE_FIELD(ResourceMetricStatus, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ResourceMetricStatus, current, "current", kRequired),
};
constinit const kube::StructTable ResourceMetricStatus::kFields(kResourceMetricStatusFields);

constexpr kube::StructTable::Field kContainerResourceMetricStatusFields[] = {
    KEELSON_TABLE_FIELD(ContainerResourceMetricStatus, name, "name", kRequired),
    KEELSON_TABLE_FIELD(ContainerResourceMetricStatus, current, "current", kRequired),
    KEELSON_TABLE_FIELD(ContainerResourceMetricStatus, container, "container", kRequired),
};
constinit const kube::StructTable ContainerResourceMetricStatus::kFields(kContainerResourceMetricStatusFields);

constexpr kube::StructTable::Field kExternalMetricStatusFields[] = {
    KEELSON_TABLE_FIELD(ExternalMetricStatus, metric, "metric", kRequired),
    KEELSON_TABLE_FIELD(ExternalMetricStatus, current, "current", kRequired),
};
constinit const kube::StructTable ExternalMetricStatus::kFields(kExternalMetricStatusFields);

constexpr kube::StructTable::Field kMetricStatusFields[] = {
    KEELSON_TABLE_FIELD(MetricStatus, type, "type", kRequired),
    KEELSON_TABLE_FIELD(MetricStatus, object, "object", kOptional),
    KEELSON_TABLE_FIELD(MetricStatus, pods, "pods", kOptional),
    KEELSON_TABLE_FIELD(MetricStatus, resource, "resource", kOptional),
    KEELSON_TABLE_FIELD(MetricStatus, container_resource, "containerResource", kOptional),
    KEELSON_TABLE_FIELD(MetricStatus, external, "external", kOptional),
};
constinit const kube::StructTable MetricStatus::kFields(kMetricStatusFields);

constexpr kube::StructTable::Field kHorizontalPodAutoscalerConditionFields[] = {
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerCondition, type, "type", kRequired),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerCondition, status, "status", kRequired),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerCondition, last_transition_time, "lastTransitionTime", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerCondition, reason, "reason", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerCondition, message, "message", kOptional),
};
constinit const kube::StructTable HorizontalPodAutoscalerCondition::kFields(kHorizontalPodAutoscalerConditionFields);

constexpr kube::StructTable::Field kHorizontalPodAutoscalerStatusFields[] = {
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerStatus, observed_generation, "observedGeneration", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerStatus, last_scale_time, "lastScaleTime", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerStatus, current_replicas, "currentReplicas", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerStatus, desired_replicas, "desiredReplicas", kRequired),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerStatus, current_metrics, "currentMetrics", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscalerStatus, conditions, "conditions", kOptional),
};
constinit const kube::StructTable HorizontalPodAutoscalerStatus::kFields(kHorizontalPodAutoscalerStatusFields);

constexpr kube::StructTable::Field kHorizontalPodAutoscalerFields[] = {
    KEELSON_TABLE_FIELD(HorizontalPodAutoscaler, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscaler, spec, "spec", kRequired),
    KEELSON_TABLE_FIELD(HorizontalPodAutoscaler, status, "status", kOptional),
};
constinit const kube::StructTable HorizontalPodAutoscaler::kFields(kHorizontalPodAutoscalerFields);

}  // namespace keelson::autoscaling::v2
