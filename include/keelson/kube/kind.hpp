// A kind of our own, described once: names, columns, schema. From it come the CRD, RBAC and samples.
#pragma once

#include <string>
#include <vector>

#include "keelson/kube/resource.hpp"

namespace keelson::kube {

// `kubectl get` column; `json_path` such as ".spec.size".
struct PrinterColumn {
  std::string name;
  std::string type;  // integer, string, date, boolean
  std::string json_path;
};

// An x-kubernetes-validations rule at the root of the object (metadata.name and spec can be read there).
struct CelRule {
  std::string rule;
  std::string message;
  // What a refusal names as the place, ".metadata.name"; empty: the object.
  std::string field_path{};
  // CEL for a text that shows what was refused; the server falls back on `message`. Only at the root of a kind.
  std::string message_expression{};
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
};

}  // namespace keelson::kube
