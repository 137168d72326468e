// Strings in JSON that a test reads where it needs no distinction between an empty and an absent one.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::testing {

inline std::string string_or_empty(json::View view) { return std::string(view.string().value_or("")); }
inline std::string text_at(json::View view, std::initializer_list<std::string_view> path) {
  return string_or_empty(view.at(path));
}

}  // namespace keelson::testing
