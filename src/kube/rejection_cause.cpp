#include "src/kube/rejection_cause.hpp"

namespace keelson::kube {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The text of an admission webhook or a policy is the author's, so it may contain any of the other texts.
bool is_denial(std::string_view text) {
  return text.starts_with("admission webhook ") || has(text, " denied the request") ||
         has(text, "ValidatingAdmissionPolicy '");
}

// RBAC: `pods is forbidden: User "u" cannot list resource "pods" …`, and for a Role that grants more than its writer
// has: `roles.rbac.authorization.k8s.io "r" is forbidden: user "u" … is attempting to grant …`.
// OwnerReferencesPermissionEnforcement is an admission plugin that misses a permission.
bool is_about_permission(std::string_view text) {
  const auto user = text.find("forbidden: User \"");
  if (user != std::string_view::npos) return has(text.substr(user), "\" cannot ");
  return has(text, "cannot set blockOwnerDeletion") ||
         has(text, "is attempting to grant RBAC permissions not currently held");
}

bool is_about_quota(std::string_view text) {
  return has(text, "forbidden: exceeded quota: ") || has(text, "forbidden: failed quota: ");
}

// An apply with a field that the schema lacks is no rejection by its code: the API server answers with 500.
std::string_view cause_of_failure(std::string_view text) {
  if (has(text, "failed calling webhook")) return "webhook";
  return has(text, ": field not declared in schema") ? "schema" : "";
}

}  // namespace

std::string_view rejection_cause(const Error& error) {
  const std::string_view text = error.server_text;
  if (error.kind != Error::Kind::kStatus) return "";
  if (error.code == 401) return "unauthenticated";
  if (error.code >= 500) return cause_of_failure(text);
  if (is_denial(text)) return "admission";
  if (error.code != 403) return "";
  if (is_about_permission(text)) return "permission";
  if (is_about_quota(text)) return "quota";
  // The words of a proxy on the way are not those of the API server.
  if (!has(text, " is forbidden: ")) return "";
  // A namespace that is being deleted takes its objects with it.
  return has(text, "because it is being terminated") ? "" : "admission";
}

}  // namespace keelson::kube
