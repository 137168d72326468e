// Parsing of an apiVersion.
#pragma once

#include <string_view>

namespace keelson::controller {

// The group of an apiVersion: "apps" for "apps/v1"; empty for the core group.
[[nodiscard]] inline std::string_view group_of(std::string_view api_version) {
  auto slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace keelson::controller
