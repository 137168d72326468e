#include "keelson/detail/sandbox/user_info.hpp"

#include <algorithm>

#include "src/sandbox/authorization/service_account_name.hpp"

namespace keelson::sandbox {

bool UserInfo::is_in(std::string_view group) const { return std::ranges::find(groups, group) != groups.end(); }

UserInfo user_named(std::string name) {
  UserInfo user;
  user.name = std::move(name);
  if (user.name == kAnonymous) {
    user.groups = {kUnauthenticated};
    return user;
  }
  if (user.name == kAdministrator || user.name == "system:apiserver") user.groups.emplace_back(kMasters);
  if (user.name.starts_with("system:node:")) user.groups.emplace_back("system:nodes");
  if (auto account = service_account_of(user.name)) user.groups = service_account_groups(account->ns);
  user.groups.emplace_back(kAuthenticated);
  return user;
}

}  // namespace keelson::sandbox
