// Every kind with a controller, and objects of it.
#pragma once

#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"

namespace keelson::test {

struct KindRow {
  controller::Definition definition;
  std::string spec;
  std::string other_spec;  // to be merged in: another generation
};

[[nodiscard]] std::vector<KindRow> every_kind();

// default/one.
[[nodiscard]] std::string object_of(const kube::Resource& resource, const std::string& spec);

}  // namespace keelson::test
