// The user of a bearer token. Only the administrator has one, apart from ServiceAccounts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/detail/sandbox/user_info.hpp"

namespace keelson::sandbox_program {

// Runs in constant time: its duration does not reveal where a wrong token differs from the correct one.
[[nodiscard]] std::optional<sandbox::UserInfo> user_of(std::string_view given, const std::string& token);

}  // namespace keelson::sandbox_program
