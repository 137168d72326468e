// The sample object of a controller's own kind, as config/samples has it: tests of every kind begin with it.
#pragma once

#include <stdexcept>
#include <string>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/schema/sample.hpp"
#include "keelson/json/value.hpp"

namespace keelson::testing {

// Throws if the kind has no sample and none follows from its schema.
inline std::string sample_yaml(const controller::Definition& definition) {
  const auto& kind = definition.parts().kinds.at(0);
  return kind.sample.empty() ? kube::sample_of(kind).value() : kind.sample;
}

inline json::Document sample_object(const controller::Definition& definition) {
  const auto json = json::yaml_to_json(sample_yaml(definition));
  auto document = json::Document::parse(json ? *json : "");
  if (!document) throw std::runtime_error("the sample of " + definition.resource().kind + " is not YAML");
  return std::move(*document);
}

}  // namespace keelson::testing
