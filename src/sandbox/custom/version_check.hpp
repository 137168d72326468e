// Validates a version of a CustomResourceDefinition.
#pragma once

#include <string>

#include "src/sandbox/custom/field_errors.hpp"

namespace keelson::sandbox {

// The parts of a version to check.
struct VersionParts {
  bool schema = false;
  bool subresources = false;
  bool columns = false;
  bool selectable = false;
  bool has_status = false;  // the status subresource is enabled
  std::size_t pattern_budget = 0;
  std::size_t rule_budget = 0;  // 0: rules are ignored
};

// `path`: "spec.versions[0]", or "spec" for the parts that all versions share.
void check_version_parts(const Tree& version, const VersionParts& parts, const std::string& path, FieldErrors& errors);

}  // namespace keelson::sandbox
