// EventSource of v1. Written by scripts/generate-api-types: do not edit.
#pragma once

#include <string>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::core::v1 {

// The type of Event.deprecatedSource.
struct EventSource {
  std::string component;
  std::string host;

  static const kube::StructTable kFields;
  bool operator==(const EventSource&) const = default;
};

}  // namespace keelson::core::v1
