#include "src/sandbox/authorization/service_account_name.hpp"

#include "src/sandbox/validation/names.hpp"

namespace keelson::sandbox {

namespace {
constexpr std::string_view kAccountPrefix = "system:serviceaccount:";
}  // namespace

std::string service_account_user(const kube::Key& account) {
  return std::string(kAccountPrefix) + account.ns + ":" + account.name;
}

std::optional<kube::Key> service_account_of(std::string_view user) {
  if (!user.starts_with(kAccountPrefix)) return std::nullopt;
  user.remove_prefix(kAccountPrefix.size());
  auto colon = user.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  kube::Key account(user.substr(0, colon), user.substr(colon + 1));
  const bool is_valid = subdomain_error(account.ns).empty() && account.ns.find('.') == std::string::npos &&
                        subdomain_error(account.name).empty();
  return is_valid ? std::optional(std::move(account)) : std::nullopt;
}

std::vector<std::string> service_account_groups(const std::string& ns) {
  return {"system:serviceaccounts", "system:serviceaccounts:" + ns};
}

}  // namespace keelson::sandbox
