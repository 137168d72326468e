// YAML: conversion to JSON, as kubectl reads it, and from JSON, as controller-gen writes it.
//
// Reading follows YAML's core schema: plain scalars in the form of null, true, an integer or a float become this type;
// quoted and block scalars are strings, as are yes, no, on and off. Keys become strings; of duplicates the last counts;
// merge keys (`<<`) are resolved. A text is limited to limits::kLocalFileBytes, and the memory of its values together
// with the copies of anchors to 24 MiB, about 100,000 values. Errors are kMalformed, with line and column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"

namespace keelson::json {

// The only document of the text; `null` if it is empty. Several documents are an error.
[[nodiscard]] Result<std::string> yaml_to_json(std::string_view text);

// The same, and each key that occurs again in its map, in the words of Go's strict reader: `line 7: key "a" already set
// in map`. At most 100 keys are added to `repeated`.
[[nodiscard]] Result<std::string> yaml_to_json(std::string_view text, std::vector<std::string>& repeated);

// The first document of the text, as Go's YAML readers take it: what follows its end is not read, and may be malformed.
// `null` if it is empty.
[[nodiscard]] Result<std::string> first_yaml_document_to_json(std::string_view text);

// All documents of the text, without empty ones.
[[nodiscard]] Result<std::vector<std::string>> yaml_documents_to_json(std::string_view text);

// Block style: two spaces per level, lists not indented below their key, members in their order, strings quoted only if
// a reader would take them for another type, text of several lines as `|-`. It ends with a newline.
[[nodiscard]] std::string to_yaml(View value);

}  // namespace keelson::json
