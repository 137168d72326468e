// LabelSelector of meta/v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/kube/box.hpp"
#include "keelson/kube/described_type.hpp"

namespace keelson::meta::v1 {

struct LabelSelectorRequirement {
  std::string key;
  std::string operator_;
  std::vector<std::string> values;

  static const kube::StructTable kFields;
  bool operator==(const LabelSelectorRequirement&) const = default;
};

struct LabelSelector {
  std::map<std::string, std::string> match_labels;
  kube::ListOf<LabelSelectorRequirement> match_expressions;

  static const kube::StructTable kFields;
  bool operator==(const LabelSelector&) const = default;
};

}  // namespace keelson::meta::v1
