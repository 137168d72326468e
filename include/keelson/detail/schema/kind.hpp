// A kind that your operator defines: names, columns and schema, from which the CRD, RBAC rules and samples are
// generated.
//
// A kind that the API server would reject (an uppercase short name, a selectable field of a type that cannot be
// selected) is a base::Misuse when the program starts, and in `generate` (check_kind() of crd.hpp). All types here are
// plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/schema/field_error.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::kube {

// A column of `kubectl get`, in addition to NAME. Without columns, kubectl shows AGE.
struct PrinterColumn {
  std::string name;           // "Ready"; kubectl prints it in capitals
  std::string type;           // integer, number, string, boolean, date
  std::string json_path;      // ".spec.size", ".status.conditions[?(@.type==\"Ready\")].status"
  std::string description{};  // for API documentation; kubectl does not print it
  std::string format{};       // int32, int64, float, double, byte, date, date-time, password; empty: none
  std::int32_t priority = 0;  // above 0: only in `kubectl get --output wide`
};

// The reason of the error of a rule that is false: kInvalid, kForbidden, kRequired or kDuplicate.
using RuleReason = FieldReason;

// An x-kubernetes-validations rule in CEL, which the API server evaluates. `self` is the value that has the rule: the
// object for a rule of a kind (which can read metadata.name, spec and status), a struct, or a field.
struct CelRule {
  std::string rule;       // "self.minReplicas <= self.maxReplicas"; must be true
  std::string message{};  // what the user reads if it is false: one line
  // The field that the error names, relative to `self` (".metadata.name"); empty: `self` itself.
  std::string field_path{};
  // A CEL expression for a message that contains the rejected value; if it fails, the API server uses `message`. The
  // API server estimates the highest cost of expressions: string(self.size) has no maximum length and is rejected as
  // too expensive, a string with max_length() is accepted.
  std::string message_expression{};
  std::optional<RuleReason> reason{};  // nullopt: kInvalid
  // `oldSelf` is an optional in the rule, which is then evaluated on creates as well as on updates.
  bool optional_old_self = false;

  bool operator==(const CelRule&) const = default;
};

// The fields behind the scale subresource (`kubectl scale`, HorizontalPodAutoscaler).
struct ScalePaths {
  std::string spec_replicas;    // ".spec.size": an integer of the spec
  std::string status_replicas;  // ".status.replicas": an integer of the status
  std::string selector;  // ".status.selector": a label selector as a string, which autoscalers need; may be empty
};

// One kind with all of its versions.
struct Kind {
  Resource resource;                     // group, version, kind, plural and scope
  std::string singular;                  // "memcached": required
  std::vector<std::string> short_names;  // "mc": `kubectl get mc`
  std::string description;               // of the kind, for `kubectl explain`
  std::vector<PrinterColumn> columns;
  std::vector<CelRule> rules;  // rules of the whole object
  bool has_scale = false;      // serve the scale subresource
  ScalePaths scale;
  std::string spec_schema;    // OpenAPI v3 as JSON, from schema_of<Spec>()
  std::string status_schema;  // from schema_of<Status>(); empty: no status
  std::string sample;         // the sample object as YAML, with its comment lines

  std::vector<std::string> categories;  // "all": `kubectl get all` lists the kind
  // Fields by which `--field-selector` and watches can select, such as ".spec.color": at most 8, of type string,
  // boolean or integer. They need Kubernetes 1.30 or later.
  std::vector<std::string> selectable_fields;
  // Clients that use this version get a warning: this text (one line, at most 256 bytes), or the API server's own if it
  // is empty.
  bool is_deprecated = false;
  std::string deprecation_warning;
  // Metadata of the CRD.
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;

  // The kind in other versions. There is no conversion: the API server only changes apiVersion, and drops fields that
  // the schema of the requested version lacks. Controllers, webhooks and samples use the version above. An entry's own
  // names, scope, categories, metadata and sample are ignored.
  std::vector<Kind> other_versions;
  bool is_served = true;        // false: clients cannot use this version; stored objects of it remain readable
  std::string storage_version;  // the version in which etcd stores objects, "v1beta1"; empty: the version of `resource`
};

}  // namespace keelson::kube
