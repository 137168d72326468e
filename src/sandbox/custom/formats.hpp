// The formats of strings that the API server checks in custom resources, as its package strfmt does.
#pragma once

#include <string>
#include <string_view>

namespace keelson::sandbox {

// The format as it is checked for values of this type; empty when the API server ignores it.
[[nodiscard]] std::string checked_format(std::string_view type, const std::string& format);

// True for formats that are not known, too.
[[nodiscard]] bool has_format(std::string_view text, std::string_view format);

}  // namespace keelson::sandbox
