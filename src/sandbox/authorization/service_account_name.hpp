// The user names of ServiceAccounts: system:serviceaccount:NAMESPACE:NAME.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/object.hpp"

namespace keelson::sandbox {

[[nodiscard]] std::string service_account_user(const kube::Key& account);
// nullopt if it is not such a name.
[[nodiscard]] std::optional<kube::Key> service_account_of(std::string_view user);
// Without system:authenticated.
[[nodiscard]] std::vector<std::string> service_account_groups(const std::string& ns);

}  // namespace keelson::sandbox
