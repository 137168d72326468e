#include "src/sandbox/authorization/impersonation.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/authorization/service_account_name.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/names.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kNode = "system:node:";
constexpr const char* kAuthenticationGroup = "authentication.k8s.io";

// The user that the headers describe.
UserInfo impersonated_user(const net::Headers& headers) {
  constexpr std::string_view kExtra = "impersonate-extra-";
  UserInfo wanted;
  wanted.name = net::header(headers, "Impersonate-User");
  wanted.uid = net::header(headers, "Impersonate-Uid");
  for (const auto& [header, value] : headers) {
    auto name = base::to_lower(header);
    if (name == "impersonate-group") wanted.groups.push_back(value);
    if (name.starts_with(kExtra)) {
      const auto key = name.substr(kExtra.size());
      // As in Go, a key with an invalid escape is used as it is.
      wanted.extra[base::percent_decode(key).value_or(std::string(key))].push_back(value);
    }
  }
  return wanted;
}

// The text that Go prints for a user.DefaultInfo with %#v.
std::string go_text_of(const UserInfo& user) {
  auto texts = [](const std::vector<std::string>& values) { return "{" + quoted_words(values) + "}"; };
  std::string extra;
  for (const auto& [key, values] : user.extra) {
    extra += (extra.empty() ? "" : ", ") + base::quote_go(key) + ":[]string" + texts(values);
  }
  return "&user.DefaultInfo{Name:" + base::quote_go(user.name) + ", UID:" + base::quote_go(user.uid) +
         ", Groups:[]string" + (user.groups.empty() ? "(nil)" : texts(user.groups)) + ", Extra:map[string][]string" +
         (user.extra.empty() ? "(nil)" : "{" + extra + "}") + "}";
}

std::string node_name_of(std::string_view user) {
  if (!user.starts_with(kNode)) return "";
  auto name = std::string(user.substr(kNode.size()));
  return subdomain_error(name).empty() ? name : "";
}

// A mode of impersonation. Permitted is either the verb `impersonate` on users, groups and so on, or, since 1.36, both
// `impersonate-on:MODE:VERB` on the requested resource and `impersonate:MODE`.
class ImpersonationMode {
 public:
  ImpersonationMode(Authorizer& authorizer, const UserInfo& requester, const UserInfo& wanted, std::string mode)
      : authorizer_(authorizer), requester_(requester), wanted_(wanted), mode_(std::move(mode)) {}

  [[nodiscard]] RejectionOr<void> check(const Access& access) const {
    if (is_constrained()) {
      auto on = access;
      on.verb = "impersonate-on:" + mode_ + ":" + access.verb;
      KEELSON_TRY(authorizer_.check(requester_, on));
    }
    KEELSON_TRY(authorizer_.check(requester_, user_access()));
    if (!wanted_.uid.empty()) {
      KEELSON_TRY(authorizer_.check(requester_, access_to("uids", wanted_.uid)));
    }
    KEELSON_TRY(check_groups());
    for (const auto& [key, values] : wanted_.extra) {
      for (const auto& value : values) {
        auto extra = access_to("userextras", value);
        extra.subresource = key;
        KEELSON_TRY(authorizer_.check(requester_, extra));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_constrained() const { return !mode_.empty(); }

  [[nodiscard]] Access access_to(const char* resource, const std::string& name) const {
    Access access;
    access.verb = is_constrained() ? "impersonate:" + mode_ : "impersonate";
    access.group = kAuthenticationGroup;
    access.resource = resource;
    access.name = name;
    return access;
  }

  [[nodiscard]] Access user_access() const {
    auto access = access_to("users", wanted_.name);
    if (!is_constrained()) access.group.clear();
    if (auto account = service_account_of(wanted_.name)) {
      access.resource = "serviceaccounts";
      access.ns = account->ns;
      access.name = account->name;
    } else if (auto node = node_name_of(wanted_.name); is_constrained() && !node.empty()) {
      access.resource = "nodes";
      access.name = node;
    }
    return access;
  }

  [[nodiscard]] RejectionOr<void> check_groups() const {
    for (const auto& name : wanted_.groups) {
      auto group = access_to("groups", name);
      if (!is_constrained()) group.group.clear();
      if (is_constrained() && name == kMasters) {
        return forbidden(requester_.name, group, "impersonating the system:masters group is not allowed");
      }
      if (is_constrained() && name.empty()) {
        return forbidden(requester_.name, group, "impersonating the empty string group is not allowed");
      }
      KEELSON_TRY(authorizer_.check(requester_, group));
    }
    return {};
  }

  Authorizer& authorizer_;
  const UserInfo& requester_;
  const UserInfo& wanted_;
  std::string mode_;  // empty: the only mode until 1.35
};

// The modes in the order in which kube-apiserver tries them; the first error is returned.
std::vector<std::string> modes_for(const UserInfo& wanted) {
  const bool is_name_only = wanted.uid.empty() && wanted.groups.empty() && wanted.extra.empty();
  const bool is_node = !node_name_of(wanted.name).empty();
  const bool is_account = service_account_of(wanted.name).has_value();
  if (is_node) return is_name_only ? std::vector<std::string>{"arbitrary-node", ""} : std::vector<std::string>{""};
  if (is_account) return is_name_only ? std::vector<std::string>{"serviceaccount", ""} : std::vector<std::string>{""};
  return {"user-info", ""};
}

// Adds the groups that follow from the user's name, if the headers have none.
UserInfo completed(UserInfo user, bool is_constrained) {
  auto account = service_account_of(user.name);
  if (account && user.groups.empty()) user.groups = service_account_groups(account->ns);
  if (is_constrained && !node_name_of(user.name).empty()) user.groups = {"system:nodes"};
  const char* group = nullptr;
  if (user.name == kAnonymous) {
    group = kUnauthenticated;
  } else if (!user.is_in(kUnauthenticated)) {
    group = kAuthenticated;
  }
  if (group != nullptr && !user.is_in(group)) user.groups.emplace_back(group);
  return user;
}

}  // namespace

RejectionOr<UserInfo> impersonated(const net::Headers& headers, UserInfo requester, const Access& access,
                                   Authorizer& authorizer) {
  auto wanted = impersonated_user(headers);
  const bool has_more = !wanted.uid.empty() || !wanted.groups.empty() || !wanted.extra.empty();
  if (wanted.name.empty() && !has_more) return requester;
  if (wanted.name.empty()) {
    return bad_request("requested " + go_text_of(wanted) + " without impersonating a user name");
  }
  std::optional<Rejection> first;
  for (const auto& mode : modes_for(wanted)) {
    auto checked = ImpersonationMode(authorizer, requester, wanted, mode).check(access);
    if (checked) return completed(std::move(wanted), !mode.empty());
    if (!first) first = std::move(checked.error());
  }
  return std::move(*first);
}

}  // namespace keelson::sandbox
