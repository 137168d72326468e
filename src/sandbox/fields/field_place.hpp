// The text of a place in an object, as Go's strict decoder writes it: "spec.ports[0].name".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::sandbox {

inline void append_name(std::string& place, std::string_view name) {
  if (!place.empty()) place += ".";
  place += name;
}

inline void append_index(std::string& place, std::size_t index) { place += "[" + std::to_string(index) + "]"; }

}  // namespace keelson::sandbox
