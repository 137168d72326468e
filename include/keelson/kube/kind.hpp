// A kind of our own, described once: names, columns, schema. From it come the CRD, RBAC and samples.
//
// What the API server would reject of it (an uppercase short name, a selectable field of a type that cannot be
// selected) is a base::Misuse when the program starts, and in `generate` (crd.hpp, check_kind).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "keelson/kube/resource.hpp"

namespace keelson::kube {

// `kubectl get` column; `json_path` such as ".spec.size".
struct PrinterColumn {
  std::string name;
  std::string type;  // integer, number, string, boolean, date
  std::string json_path;
  std::string description{};
  std::string format{};       // int32, int64, float, double, byte, date, date-time, password; empty: none
  std::int32_t priority = 0;  // above 0: only in `kubectl get --output wide`
};

// Of the error that a failed rule is; kUnset: FieldValueInvalid.
enum class RuleReason : std::uint8_t { kUnset, kInvalid, kForbidden, kRequired, kDuplicate };

// An x-kubernetes-validations rule: at the root of a kind (metadata.name, spec and status can be read there), of a
// struct or of a field (`self` is its value).
struct CelRule {
  std::string rule;
  std::string message{};
  // The field that an error names, relative to `self` (".metadata.name"); empty: `self` itself.
  std::string field_path{};
  // CEL for a text that shows the rejected value; the server falls back on `message`. It estimates what rules and texts
  // cost at most: string(self.size) has no largest length and is too dear, a string with max_length() is not.
  std::string message_expression{};
  RuleReason reason = RuleReason::kUnset;
  // The rule reads oldSelf as an optional, and is evaluated for creates as well.
  bool optional_old_self = false;

  bool operator==(const CelRule&) const = default;
};

struct ScalePaths {
  std::string spec_replicas;    // ".spec.size"
  std::string status_replicas;  // ".status.replicas"
  std::string selector;         // ".status.selector"
};

struct Kind {
  Resource resource;
  std::string singular;
  std::vector<std::string> short_names;
  std::string description;
  std::vector<PrinterColumn> columns;
  std::vector<CelRule> rules;
  bool has_scale = false;
  ScalePaths scale;
  std::string spec_schema;    // OpenAPI v3 as JSON, from schema_of<Spec>()
  std::string status_schema;  // from schema_of<Status>()
  std::string sample;         // the sample object as YAML, with its comment lines

  std::vector<std::string> categories;  // "all": `kubectl get all` lists the kind
  // Fields that `--field-selector` and watches may select by, such as ".spec.color": at most 8, strings, booleans or
  // integers. Kubernetes 1.30 or later.
  std::vector<std::string> selectable_fields;
  // Clients of this version get a warning: the text, or the API server's own if it is empty.
  bool is_deprecated = false;
  std::string deprecation_warning;
  // Metadata of the CRD.
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;

  // The kind in other versions, between which the API server only changes apiVersion: it drops fields that the schema
  // of the requested version lacks. Controllers, webhooks and samples are those of the version above. An entry's own
  // names, scope, categories, metadata and sample are ignored.
  std::vector<Kind> other_versions;
  bool is_served = true;        // false: clients cannot use this version, and stored objects of it remain readable
  std::string storage_version;  // in which etcd has the objects, "v1beta1"; empty: the version of `resource`
};

}  // namespace keelson::kube
