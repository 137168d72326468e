// Whose bearer token it is: the administrator's is the only one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/sandbox/user_info.hpp"

namespace keelson::sandbox_program {

// How long it takes says nothing about where a wrong token differs from the right one.
[[nodiscard]] std::optional<sandbox::UserInfo> user_of(std::string_view given, const std::string& token);

}  // namespace keelson::sandbox_program
