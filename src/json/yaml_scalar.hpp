// The type of a plain YAML scalar: YAML's core schema, and the old octal form 0644 that manifests use for file modes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace keelson::json {

// The JSON of a plain scalar that is null, a bool or a number; nullopt if it is a string. Infinities and NaN, which
// JSON cannot represent, give an empty text.
[[nodiscard]] std::optional<std::string> plain_scalar_json(std::string_view text);

// True if a reader of YAML 1.1 or 1.2 would not read the plain text as a string: yes, on, 1_000, 2026-01-01, <<.
[[nodiscard]] bool is_plain_ambiguous(std::string_view text);

}  // namespace keelson::json
