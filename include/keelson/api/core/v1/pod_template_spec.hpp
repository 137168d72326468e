// PodTemplateSpec of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include "keelson/api/core/v1/pod_spec.hpp"
#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/detail/schema/described_type.hpp"

namespace keelson::core::v1 {

// The type of DaemonSetSpec.template, DeploymentSpec.template, JobSpec.template, ReplicaSetSpec.template and
// StatefulSetSpec.template.
struct PodTemplateSpec {
  meta::v1::ObjectMeta metadata;
  PodSpec spec;

  static const kube::StructTable kFields;
  bool operator==(const PodTemplateSpec&) const = default;
};

}  // namespace keelson::core::v1
