// What a plain scalar of YAML means: YAML's core schema, and the old octal form 0644 that manifests use for file modes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace keelson::json {

// The JSON of a plain scalar that is null, a bool or a number; nothing when it is a string.
// Infinities and NaN, which JSON does not have, give an empty text.
[[nodiscard]] std::optional<std::string> plain_scalar_json(std::string_view text);

// Some reader of YAML (1.1 or 1.2) would not take the plain text for a string: yes, on, 1_000, 2026-01-01, <<.
[[nodiscard]] bool is_plain_ambiguous(std::string_view text);

}  // namespace keelson::json
