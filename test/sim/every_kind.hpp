// Every kind with a controller, and an object of each: its sample.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson::testing {

struct KindRow {
  controller::Definition definition;
  std::string spec;
  std::string other_spec;  // a merge patch that leads to another generation
};

// Throws if the spec of a sample has neither an integer nor an enum, from which other_spec follows.
[[nodiscard]] std::vector<KindRow> every_kind();

// Creates default/one.
[[nodiscard]] std::string object_of(const kube::Resource& resource, const std::string& spec);

}  // namespace keelson::testing
