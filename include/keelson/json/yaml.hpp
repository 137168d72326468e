// YAML in and out: to JSON as kubectl reads it, and from JSON as controller-gen writes it.
//
// Reading follows YAML's core schema: plain scalars that look like null, true, an integer or a float become that,
// quoted and block scalars stay strings; yes, no, on and off are strings. Keys become strings, of duplicates the last
// wins, merge keys (`<<`) are honoured. Anchors may repeat no more than limits::kObjectBytes of JSON in all.
// Errors name line and column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"

namespace keelson::json {

// The one document of the text; `null` when it is empty. More than one is an error.
[[nodiscard]] Result<std::string> yaml_to_json(std::string_view text);

// Every document of the text, empty ones left out.
[[nodiscard]] Result<std::vector<std::string>> yaml_documents_to_json(std::string_view text);

// Block style: two spaces a level, lists not indented under their key, members in the order they came, strings quoted
// only where a reader would take them for something else, several lines as `|-`. Ends with a newline.
[[nodiscard]] std::string to_yaml(View value);

}  // namespace keelson::json
