#include "src/doctor/permissions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/json/writer.hpp"
#include "src/doctor/sample.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// RoleBindings have larger pages, because clusters with a namespace for each tenant have tens of thousands.
constexpr std::int64_t kBindingsPage = 500;

const char* const kRbac = "rbac.authorization.k8s.io";

using Needs = std::set<NeededPermission>;

void add_rules(const std::vector<controller::PolicyRule>& rules, const std::vector<std::string>& namespaces,
               Needs& needed) {
  for (const auto& rule : rules) {
    for (const auto& group : rule.groups) {
      for (const auto& resource : rule.resources) {
        for (const auto& verb : rule.verbs) {
          for (const auto& ns : namespaces) needed.insert({group, resource, verb, ns, ""});
        }
      }
    }
  }
}

void add_get_and_patch(std::string_view group, std::string_view resource, const std::string& ns,
                       const std::string& name, Needs& needed) {
  for (const char* verb : {"get", "patch"}) {
    needed.insert({std::string(group), std::string(resource), verb, ns, name});
  }
}

// A list of at most a few words.
std::string joined(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> shown(words.begin(),
                                 words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kShown)));
  auto text = base::join(shown, ", ");
  if (words.size() > kShown) text += " and " + std::to_string(words.size() - kShown) + " more";
  return text;
}

std::string qualified(const std::string& group, const std::string& resource) {
  const auto slash = resource.find('/');
  if (group.empty()) return resource;
  return resource.substr(0, slash) + "." + group + (slash == std::string::npos ? "" : resource.substr(slash));
}

std::string target_of(const NeededPermission& needed) {
  auto target = qualified(needed.group, needed.resource);
  if (!needed.name.empty()) target += " " + needed.name;
  if (!needed.ns.empty()) target += " in " + needed.ns;
  return target;
}

std::vector<std::string> texts_of(json::View list) {
  std::vector<std::string> texts;
  for (const auto item : list.items()) texts.emplace_back(item.string().value_or(""));
  return texts;
}

bool is_needed(const Needs& needed, const std::string& group, const std::string& resource, const std::string& verb) {
  return std::ranges::any_of(needed, [&](const NeededPermission& permission) {
    return permission.group == group && permission.resource == resource && permission.verb == verb;
  });
}

// What the roles of the service account grant, and the program does not need.
awaitable<void> examine_roles(Reader& reader, const Installation& installation, const Needs& useful,
                              Findings& findings) {
  const auto& deployed = installation.deployed;
  std::set<BoundRole> bound;
  const auto take = [&](Reading bindings) {
    if (!bindings) return findings.add_unreadable(Area::kPermissions, bindings.error());
    add_bound_roles(bindings->root(), deployed.ns, deployed.account, bound);
  };
  const std::pair<const char*, const char*> kinds[] = {{"ClusterRoleBinding", "clusterrolebindings"},
                                                       {"RoleBinding", "rolebindings"}};
  for (const auto& [kind, plural] : kinds) {
    Query query = {{"limit", std::to_string(kBindingsPage)}};
    kube::Resource bindings(kRbac, "v1", kind, plural);
    co_await reader.read_pages(std::move(bindings), "", std::move(query), take);
  }
  // `doctor --role` prints it: it is for these checks.
  std::erase_if(bound, [&](const BoundRole& role) { return role.name == installation.examined.name.with("doctor"); });
  Requests roles;
  for (const auto& role : bound) {
    const bool is_namespaced = role.kind == "Role";
    roles.emplace_back(
        get_of({kRbac, "v1", role.kind, is_namespaced ? "roles" : "clusterroles", is_namespaced}, role.ns, role.name));
  }
  co_await reader.read(roles);
  auto role = roles.begin();
  for (const auto& binding : bound) {
    const auto& reading = (role++)->reply;
    // It may have been deleted meanwhile.
    if (!reading) findings.add_unread(Area::kPermissions, reading.error());
    if (reading) check_role(binding, reading->root(), useful, findings);
  }
}

}  // namespace

awaitable<void> examine_permissions(Reader& reader, const Installation& installation, const Needs& useful,
                                    Findings& findings) {
  if (installation.unread) {
    findings.add_unreadable(Area::kPermissions, *installation.unread);
    findings.summarize(Area::kPermissions, "the manager's service account is unknown");
    co_return;
  }
  const auto& deployed = installation.deployed;
  const auto needed = needed_permissions(installation.examined, installation.flags, installation.ns,
                                         installation.lease_namespace(), deployed.proxy_port.has_value());
  auto account = deployed.account;
  Requests self;
  self.emplace_back(review_of("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews",
                              R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"));
  co_await reader.read(self);
  const auto& user = self.front().reply;
  const auto manager = "system:serviceaccount:" + deployed.ns + ":" + account;
  if (user && text_at(user->root(), {"status", "userInfo", "username"}) == manager) account.clear();
  // If the first review fails, the others would fail as well.
  Requests reviews;
  for (const auto& permission : needed) {
    reviews.emplace_back(access_review(permission, installation.ns, account));
    if (reviews.size() > 1) continue;
    co_await reader.read(reviews);
    if (!reviews.front().reply) break;
  }
  if (reviews.size() == needed.size()) co_await reader.read(reviews);
  check_needed(needed, reviews, findings);
  if (installation.has_deployment()) co_await examine_roles(reader, installation, useful, findings);
}

std::set<NeededPermission> needed_permissions(const Examined& examined, const DeployedFlags& flags,
                                              const std::string& ns, const std::string& lease_ns, bool has_proxy) {
  Needs needed;
  auto namespaces = flags.watch_namespaces;
  if (namespaces.empty()) namespaces.emplace_back();
  if (namespaces.size() > limits::kReviewedNamespaces) namespaces.resize(limits::kReviewedNamespaces);
  add_rules(controller::manager_rules(examined.controllers, examined.permissions), namespaces, needed);
  if (flags.leader_elect) add_rules(controller::leader_election_rules(), {lease_ns}, needed);
  if (flags.webhooks == DeployedFlags::Webhooks::kSelfSigned) {
    constexpr const char* kGroup = "admissionregistration.k8s.io";
    add_get_and_patch(kGroup, "mutatingwebhookconfigurations", "", flags.mutating_configuration, needed);
    add_get_and_patch(kGroup, "validatingwebhookconfigurations", "", flags.validating_configuration, needed);
    add_get_and_patch("", "secrets", ns, flags.webhook_secret, needed);
  }
  if (has_proxy || flags.metrics == DeployedFlags::Metrics::kSecure) {
    needed.insert({"authentication.k8s.io", "tokenreviews", "create", "", ""});
    needed.insert({"authorization.k8s.io", "subjectaccessreviews", "create", "", ""});
  }
  return needed;
}

std::set<NeededPermission> useful_permissions(const Examined& examined) {
  DeployedFlags flags;
  flags.leader_elect = true;
  flags.webhooks = DeployedFlags::Webhooks::kSelfSigned;
  return needed_permissions(examined, flags, "", "", true);
}

kube::ApiRequest access_review(const NeededPermission& needed, const std::string& ns, const std::string& account) {
  const auto* kind = account.empty() ? "SelfSubjectAccessReview" : "SubjectAccessReview";
  const auto slash = needed.resource.find('/');
  json::Writer writer;
  writer.begin_object().field("apiVersion", "authorization.k8s.io/v1").field("kind", kind);
  writer.key("spec").begin_object();
  if (!account.empty()) {
    writer.field("user", "system:serviceaccount:" + ns + ":" + account);
    writer.key("groups").begin_array().string("system:serviceaccounts").string("system:serviceaccounts:" + ns);
    writer.string("system:authenticated").end_array();
  }
  writer.key("resourceAttributes").begin_object().field("verb", needed.verb).field("group", needed.group);
  writer.field("resource", needed.resource.substr(0, slash));
  if (slash != std::string::npos) writer.field("subresource", needed.resource.substr(slash + 1));
  if (!needed.ns.empty()) writer.field("namespace", needed.ns);
  if (!needed.name.empty()) writer.field("name", needed.name);
  writer.end_object().end_object().end_object();
  return review_of("authorization.k8s.io", kind, account.empty() ? "selfsubjectaccessreviews" : "subjectaccessreviews",
                   std::move(writer).take());
}

void check_needed(const std::set<NeededPermission>& needed, const Requests& reviews, Findings& findings) {
  std::map<std::string, std::vector<std::string>> missing;
  std::size_t granted = 0;
  std::size_t unknown = needed.size() - reviews.size();
  bool is_reported = false;
  auto review = reviews.begin();
  for (const auto& permission : needed) {
    // Not all were sent.
    if (review == reviews.end()) break;
    const auto& reading = (review++)->reply;
    const auto allowed = reading ? reading->root().at({"status", "allowed"}).boolean() : std::nullopt;
    if (!allowed) ++unknown;
    if (!allowed && !std::exchange(is_reported, true)) {
      // The others fail for the same reason.
      findings.add_unreadable(Area::kPermissions,
                              reading ? malformed_error("the access review has no status") : reading.error());
    }
    if (allowed == true) ++granted;
    if (allowed == false) missing[target_of(permission)].push_back(permission.verb);
  }
  for (const auto& [target, verbs] : missing) findings.add("permission-missing", target, joined(verbs));
  findings.summarize(Area::kPermissions, std::to_string(granted) + " of " + std::to_string(needed.size()) +
                                             " permissions are granted" +
                                             (unknown > 0 ? ", " + std::to_string(unknown) + " are unknown" : ""));
}

void add_bound_roles(json::View bindings, const std::string& ns, const std::string& account,
                     std::set<BoundRole>& roles) {
  for (const auto binding : bindings.find("items").items()) {
    for (const auto subject : binding.find("subjects").items()) {
      if (subject.find("kind").string() != "ServiceAccount" || subject.find("name").string() != account ||
          subject.find("namespace").string() != ns) {
        continue;
      }
      auto kind = text_at(binding, {"roleRef", "kind"});
      auto role_ns = kind == "Role" ? text_at(binding, {"metadata", "namespace"}) : std::string();
      roles.insert({std::move(kind), std::move(role_ns), text_at(binding, {"roleRef", "name"})});
    }
  }
}

void check_role(const BoundRole& bound, json::View role, const std::set<NeededPermission>& useful, Findings& findings) {
  std::vector<std::string> unused;
  for (const auto rule : role.find("rules").items()) {
    const auto groups = texts_of(rule.find("apiGroups"));
    const auto resources = texts_of(rule.find("resources"));
    for (const auto& verb : texts_of(rule.find("verbs"))) {
      for (const auto& group : groups) {
        for (const auto& resource : resources) {
          if (!is_needed(useful, group, resource, verb)) unused.push_back(verb + " " + qualified(group, resource));
        }
      }
    }
  }
  if (unused.empty()) return;
  findings.add("permission-unused", bound.kind == "Role" ? "roles/" + bound.name : "clusterroles/" + bound.name,
               joined(unused));
}

}  // namespace keelson::doctor
