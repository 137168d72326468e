#include "src/sandbox/validation/validation.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/custom_validation.hpp"
#include "src/sandbox/custom/definition_check.hpp"
#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/names.hpp"
#include "src/sandbox/validation/pod_update.hpp"
#include "src/sandbox/validation/spec_validation.hpp"

namespace keelson::sandbox {

namespace {

// Names of roles may contain a colon ("system:node"), but nothing that changes the path of a URL.
void check_path_name(const std::string& name, std::vector<FieldError>& errors) {
  auto reject = [&](const std::string& why) {
    errors.push_back({FieldReason::kInvalid, "metadata.name", base::quote_go(name), why});
  };
  if (name == "." || name == "..") return reject("may not be '" + name + "'");
  for (const char* part : {"/", "%"}) {
    if (name.find(part) != std::string::npos) reject(std::string("may not contain '") + part + "'");
  }
}

void check_name(const ServedKind& kind, const Tree& object, std::vector<FieldError>& errors) {
  auto name = object.text_at({"metadata", "name"});
  if (name.empty()) {
    errors.push_back({FieldReason::kRequired, "metadata.name", {}, "name or generateName is required"});
  } else if (kind.resource.group == "rbac.authorization.k8s.io") {
    check_path_name(name, errors);
  } else if (auto wrong = subdomain_error(name); !wrong.empty()) {
    errors.push_back({FieldReason::kInvalid, "metadata.name", base::quote_go(name), wrong});
  }
}

void check_owners(const Tree& object, std::vector<FieldError>& errors) {
  const Tree* owners = object.at({"metadata", "ownerReferences"});
  if (owners == nullptr) return;
  std::string first;
  for (const auto& owner : owners->items()) {
    if (!owner.is_true_at({"controller"})) continue;
    auto name = owner.text_at({"kind"}) + "/" + owner.text_at({"name"});
    if (first.empty()) {
      first = name;
      continue;
    }
    errors.push_back({FieldReason::kInvalid, "metadata.ownerReferences", owners->text(),
                      "Only one reference can have Controller set to true. Found \"true\" in references for " + first +
                          " and " + name});
  }
}

void check_new_finalizers(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  if (before.at({"metadata", "deletionTimestamp"}) == nullptr) return;
  const Tree* had = before.at({"metadata", "finalizers"});
  const Tree* has = after.at({"metadata", "finalizers"});
  if (has == nullptr) return;
  std::string extra;
  for (const auto& finalizer : has->items()) {
    bool is_old = had != nullptr && std::ranges::find(had->items(), finalizer) != had->items().end();
    if (is_old) continue;
    if (!extra.empty()) extra += ", ";
    extra += finalizer.text();
  }
  if (extra.empty()) return;
  errors.push_back(
      {FieldReason::kForbidden,
       "metadata.finalizers",
       {},
       "no new finalizers can be added if the object is being deleted, found new finalizers []string{" + extra + "}"});
}

}  // namespace

std::vector<FieldError> validate(const ServedKind& kind, const Tree* before, const Tree& after, Subresource subresource,
                                 RuleUse rules) {
  std::vector<FieldError> errors;
  if (before == nullptr) check_name(kind, after, errors);
  check_owners(after, errors);
  validate_spec(kind, before, after, errors);
  validate_custom(kind, before, after, subresource == Subresource::kStatus ? Written::kStatus : Written::kObject,
                  errors);
  if (before != nullptr) check_new_finalizers(*before, after, errors);
  if (before != nullptr) check_immutable_fields(kind, *before, after, errors);
  if (kind.resource == kube::pods() && before != nullptr) check_pod_update(*before, after, subresource, errors);
  const bool is_definition = kind.resource == kube::custom_resource_definitions() && subresource == Subresource::kNone;
  if (is_definition) check_definition(before, after, rules, errors);
  return errors;
}

}  // namespace keelson::sandbox
