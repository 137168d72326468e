#include "src/sandbox/validation/validation.hpp"

#include "src/sandbox/admission/pod_security.hpp"
#include "src/sandbox/custom/custom_validation.hpp"
#include "src/sandbox/custom/definition_check.hpp"
#include "src/sandbox/validation/metadata_check.hpp"
#include "src/sandbox/validation/pod_update.hpp"
#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

namespace {

// The errors of an object of a built-in kind. The real server has no limit, and an object of the largest size can have
// about a million of them.
constexpr std::size_t kMostBuiltInErrors = 10'000;

void check_built_in(const ServedKind& kind, const Tree* before, const Tree& after, Subresource subresource,
                    FieldErrors& errors) {
  const auto& group = kind.resource.group;
  RuleCheck check(before, after, subresource, errors);
  const bool has_rules = !kind.is_custom && check.run(kind.resource.kind + (group.empty() ? "" : "." + group));
  if (has_rules) return;
  const Spot root{&after, &check.before()};
  check_metadata(check, root.field("metadata"), "dns_subdomain", true);
}

}  // namespace

std::vector<FieldError> validate(const ServedKind& kind, const Tree* before, const Tree& after, Subresource subresource,
                                 RuleUse rules) {
  std::vector<FieldError> list;
  FieldErrors errors(list, kMostBuiltInErrors);
  check_built_in(kind, before, after, subresource, errors);
  const bool is_namespace = kind.resource.group.empty() && kind.resource.plural == "namespaces";
  if (is_namespace) check_security_labels(before, after, errors);
  validate_custom(kind, before, after, subresource == Subresource::kStatus ? Written::kStatus : Written::kObject, list);
  if (kind.resource == kube::pods() && before != nullptr) check_pod_update(*before, after, subresource, errors);
  const bool is_definition = kind.resource == kube::custom_resource_definitions() && subresource == Subresource::kNone;
  if (is_definition) check_definition(before, after, rules, list);
  return list;
}

}  // namespace keelson::sandbox
