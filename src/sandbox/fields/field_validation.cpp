#include "src/sandbox/fields/field_validation.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/custom_pruning.hpp"
#include "src/sandbox/fields/apply_check.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/fields/duplicate_fields.hpp"
#include "src/sandbox/fields/field_check.hpp"
#include "src/sandbox/fields/go_conversion.hpp"
#include "src/sandbox/fields/go_structs.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/fields/patched_object.hpp"
#include "src/sandbox/http/openapi_paths.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kScale = "io.k8s.api.autoscaling.v1.Scale";

bool is_scale(const Call& call) { return call.subresource == Subresource::kScale; }

bool is_custom(const Call& call) { return call.kind->is_custom && !is_scale(call); }

// The name of the schema; empty for a custom kind.
std::string definition_of(const Call& call) {
  if (is_custom(call)) return "";
  return is_scale(call) ? std::string(kScale) : openapi_name(*call.kind);
}

// Null if the kind has no schema.
const Schema* schema_of(const Call& call) {
  return is_custom(call) ? call.kind->fields.get() : built_in_schema(definition_of(call));
}

FieldFindings findings_of(const Call& call, Tree& object) {
  if (is_custom(call)) return call.kind->values ? check_custom_fields(object, *call.kind->values) : FieldFindings();
  const auto* schema = schema_of(call);
  return schema != nullptr ? check_fields(object, *schema, definition_of(call)) : FieldFindings();
}

// The error of Go's decoder for an object of a kind that no type has; empty: it has one.
std::string unknown_kind(const Tree& object) {
  const auto kind = object.text_at({"kind"});
  const auto api_version = object.text_at({"apiVersion"});
  if (kind.empty() || api_version.empty()) return "";
  const auto slash = api_version.find('/');
  const auto group = slash == std::string::npos ? "" : api_version.substr(0, slash);
  const auto version = slash == std::string::npos ? api_version : api_version.substr(slash + 1);
  if (built_in_schema(definition_name(group, version, kind)) != nullptr) return "";
  return "no kind " + base::quote_go(kind) + " is registered for version " + base::quote_go(api_version) +
         " in scheme \"pkg/runtime/scheme.go:111\"";
}

std::vector<std::string> joined_findings(std::vector<std::string> duplicates, const std::vector<std::string>& unknown) {
  duplicates.insert(duplicates.end(), unknown.begin(), unknown.end());
  if (duplicates.size() > kMostFieldFindings) duplicates.resize(kMostFieldFindings);
  return duplicates;
}

std::string strict_error(const std::vector<std::string>& strict) {
  return "strict decoding error: " + base::join(strict, ", ");
}

// Go's reader reports all repeated keys in a text of several lines.
std::string repeated_text(const std::vector<std::string>& repeated) {
  return "yaml: unmarshal errors:\n  " + base::join(repeated, "\n  ");
}

std::string yaml_error(const std::vector<std::string>& repeated, std::vector<std::string> unknown) {
  if (!repeated.empty()) unknown.insert(unknown.begin(), repeated_text(repeated));
  return strict_error(unknown);
}

}  // namespace

Rejection unprocessable_patch() {
  auto rejected = rejection(422, "Invalid", "the server rejected our request due to an error in our request");
  rejected.status["details"] = Tree::object();
  return rejected;
}

// Duplicates are only searched for if the client receives them, because the search scans the whole body again.
std::vector<std::string> FieldReading::duplicates() const {
  if (!is_reported()) return {};
  auto found = duplicate_fields(call_.body);
  const bool is_patch_list = call_.verb == kube::Verb::kPatch && call_.patch_type == kube::PatchType::kJson;
  for (auto& one : found) {
    if (is_patch_list) one = "json patch " + one;
  }
  return found;
}

RejectionOr<void> FieldReading::read(Tree& object) {
  auto findings = findings_of(call_, object);
  auto rejected = [this](const std::string& why) {
    auto kind = is_scale(call_) ? std::string("Scale") : call_.resource().kind;
    auto version = is_scale(call_) ? std::string("v1") : call_.resource().version;
    return bad_request(kind + " in version " + base::quote_go(version) + " cannot be handled as a " + kind + ": " +
                       why);
  };
  if (findings.error) return rejected(*findings.error);
  if (is_ignored()) return {};
  // Go decodes YAML and custom kinds into maps first, which finds duplicates.
  if (call_.repeated_keys) {
    if (!is_custom(call_)) std::ranges::sort(findings.strict);
    warnings_ = joined_findings(*call_.repeated_keys, findings.strict);
    if (is_strict() && !warnings_.empty()) return rejected(yaml_error(*call_.repeated_keys, findings.strict));
    return {};
  }
  if (is_custom(call_)) {
    warnings_ = joined_findings(duplicates(), findings.strict);
  } else {
    warnings_ = is_reported() ? strict_findings(call_.body, findings.strict) : findings.strict;
  }
  if (is_strict() && !warnings_.empty()) return rejected(strict_error(warnings_));
  return {};
}

Rejection FieldReading::rejected_patch(const Tree& object, const std::string& why) const {
  auto patch = call_.is_strategic ? Tree::parse(call_.body) : Result<Tree>(Tree());
  auto value = call_.is_strategic && patch ? go_print(*patch) : html_safe(object.text());
  const kube::Resource nothing("", "", "", "", false);
  return invalid_object(nothing, "", {{FieldReason::kInvalid, "patch", base::quote_go(value), why}});
}

// The object as the decoder of a merge patch or a JSON patch receives it.
Tree FieldReading::patched_as_go(const Tree& live, const Managers& managers) const {
  auto base = live;
  if (!managers.empty() && !is_scale(call_)) base["metadata"]["managedFields"] = managed_fields(managers);
  const auto definition = definition_of(call_);
  return call_.patch_type == kube::PatchType::kJson ? json_patched_as_go(std::move(base), call_.body, definition)
                                                    : merge_patched_as_go(std::move(base), call_.body, definition);
}

RejectionOr<void> FieldReading::read_patched(Tree& object, const Tree& live, const Managers& managers) {
  auto before = object;
  const bool is_decoded = !is_custom(call_) && !is_scale(call_) && !call_.is_strategic;
  if (const auto unknown = unknown_kind(object); is_decoded && !unknown.empty()) {
    return rejected_patch(patched_as_go(live, managers), unknown);
  }
  auto findings = findings_of(call_, object);
  if (findings.error && call_.is_strategic) {
    const auto* schema = schema_of(call_);
    auto words = schema != nullptr ? conversion_error(before, *schema) : std::nullopt;
    return rejected_patch(before, words ? *words : *findings.error);
  }
  if (findings.error) {
    before = patched_as_go(live, managers);
    auto decoded = before;
    const auto in_order = findings_of(call_, decoded).error;
    return rejected_patch(before, in_order ? *in_order : *findings.error);
  }
  if (is_ignored()) return {};
  // Go merges patches into maps, which it writes in the order of the names.
  std::ranges::sort(findings.strict);
  warnings_ = joined_findings(duplicates(), findings.strict);
  if (!is_strict() || warnings_.empty()) return {};
  if (!call_.is_strategic) before = patched_as_go(live, managers);
  return rejected_patch(before, strict_error(warnings_));
}

std::string FieldReading::applied_object(const Tree& object) const {
  const auto& resource = call_.resource();
  const auto kind = is_scale(call_) ? "autoscaling/v1, Kind=Scale"
                                    : resource.group + "/" + resource.version + ", Kind=" + resource.kind;
  return " (" + object.text_at({"metadata", "namespace"}) + "/" + object.text_at({"metadata", "name"}) + "; " + kind +
         ")";
}

RejectionOr<void> FieldReading::check_applied(const Tree& applied) const {
  const auto& type = is_scale(call_) ? built_in_merge_type(kScale) : call_.kind->merge_type();
  if (auto wrong = apply_error(applied, type)) {
    return rejection(500, "", "failed to create typed patch object" + applied_object(applied) + ": " + *wrong);
  }
  return {};
}

RejectionOr<void> FieldReading::check_repeated_keys() {
  if (is_ignored() || !call_.repeated_keys || call_.repeated_keys->empty()) return {};
  warnings_ = *call_.repeated_keys;
  if (!is_strict()) return {};
  return bad_request("error strict decoding YAML: error converting YAML to JSON: " + repeated_text(warnings_));
}

RejectionOr<void> FieldReading::read_merged(Tree& object, const Tree& applied) const {
  const auto findings = findings_of(call_, object);
  if (!findings.error) return {};
  const auto where = applied_object(applied);
  const auto kind = where.substr(where.find("; ") + 2);
  return rejection(500, "",
                   "failed to convert new object" + where +
                       " to proper version: unable to convert unstructured object to " +
                       kind.substr(0, kind.size() - 1) + ": " + *findings.error);
}

RejectionOr<Answer> FieldReading::with_warnings(RejectionOr<Answer> outcome) {
  auto& warnings = outcome ? outcome->warnings : outcome.error().warnings;
  warnings.insert(warnings.begin(), warnings_.begin(), warnings_.end());
  return outcome;
}

std::optional<std::string> drop_unknown_fields(const ServedKind& kind, Tree& object) {
  Call call;
  call.kind = &kind;
  return findings_of(call, object).error;
}

}  // namespace keelson::sandbox
