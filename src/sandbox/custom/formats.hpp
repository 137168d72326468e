// The string formats that the API server validates in custom resources, as its package strfmt does.
#pragma once

#include <string>
#include <string_view>

namespace keelson::sandbox {

// The format that is validated for values of this type; empty if the API server ignores it.
[[nodiscard]] std::string checked_format(std::string_view type, const std::string& format);

// Also true for unknown formats.
[[nodiscard]] bool has_format(std::string_view text, std::string_view format);

}  // namespace keelson::sandbox
