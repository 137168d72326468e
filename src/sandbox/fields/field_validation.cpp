#include "src/sandbox/fields/field_validation.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/fields/apply_check.hpp"
#include "src/sandbox/fields/duplicate_fields.hpp"
#include "src/sandbox/fields/field_check.hpp"
#include "src/sandbox/fields/go_conversion.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/http/openapi_paths.hpp"

namespace keelson::sandbox {

namespace {

bool is_scale(const Call& call) { return call.subresource == Subresource::kScale; }

// Null if the kind has no schema.
const Schema* schema_of(const Call& call) {
  if (is_scale(call)) return built_in_schema("io.k8s.api.autoscaling.v1.Scale");
  return call.kind->is_custom ? call.kind->fields.get() : built_in_schema(openapi_name(*call.kind));
}

bool is_custom(const Call& call) { return call.kind->is_custom && !is_scale(call); }

FieldFindings findings_of(const Call& call, Tree& object) {
  const auto* schema = schema_of(call);
  if (schema == nullptr) return {};
  return is_custom(call) ? check_custom_fields(object, *schema) : check_fields(object, *schema);
}

// Duplicates first. An unknown field is only reported as unknown, even if it is duplicate.
std::vector<std::string> merged_findings(std::vector<std::string> duplicates, const std::vector<std::string>& unknown) {
  constexpr std::string_view kDuplicate = "duplicate field ";
  std::erase_if(duplicates, [&](const std::string& one) {
    auto as_unknown = "unknown field " + one.substr(kDuplicate.size());
    return std::ranges::find(unknown, as_unknown) != unknown.end();
  });
  duplicates.insert(duplicates.end(), unknown.begin(), unknown.end());
  return duplicates;
}

std::string strict_error(const std::vector<std::string>& strict) {
  return "strict decoding error: " + base::join(strict, ", ");
}

}  // namespace

// Duplicates are only searched for if the client receives them, because the search scans the whole body again.
std::vector<std::string> FieldReading::duplicates() const {
  const bool is_patch_list = call_.verb == kube::Verb::kPatch && call_.patch_type != kube::PatchType::kMerge;
  if (is_patch_list || !(is_strict() || call_.hears_warnings)) return {};
  return duplicate_fields(call_.body);
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
  warnings_ = merged_findings(duplicates(), findings.strict);
  if (is_strict() && !warnings_.empty()) return rejected(strict_error(warnings_));
  return {};
}

Rejection FieldReading::rejected_patch(const Tree& object, const std::string& why) const {
  auto patch = call_.is_strategic ? Tree::parse(call_.body) : Result<Tree>(Tree());
  auto value = call_.is_strategic && patch ? go_print(*patch) : object.text();
  const kube::Resource nothing("", "", "", "", false);
  return invalid_object(nothing, "", {{FieldReason::kInvalid, "patch", base::quote_go(value), why}});
}

RejectionOr<void> FieldReading::read_patched(Tree& object) {
  const auto before = object;
  auto findings = findings_of(call_, object);
  if (findings.error) {
    const auto* schema = schema_of(call_);
    auto words = call_.is_strategic && schema != nullptr ? conversion_error(before, *schema) : std::nullopt;
    return rejected_patch(before, words ? *words : *findings.error);
  }
  if (is_ignored()) return {};
  // Go merges patches into maps, which it writes in the order of the names.
  std::ranges::sort(findings.strict);
  warnings_ = merged_findings(duplicates(), findings.strict);
  if (!is_strict() || warnings_.empty()) return {};
  return rejected_patch(before, strict_error(warnings_));
}

RejectionOr<void> FieldReading::read_applied(Tree& applied) const {
  const auto* schema = schema_of(call_);
  if (schema == nullptr) return {};
  const auto kind = is_scale(call_) ? "autoscaling/v1, Kind=Scale"
                                    : call_.resource().api_version() + ", Kind=" + call_.resource().kind;
  auto object = " (" + applied.text_at({"metadata", "namespace"}) + "/" + applied.text_at({"metadata", "name"}) + "; " +
                kind + ")";
  if (auto wrong = apply_error(applied, *schema, *call_.kind)) {
    return rejection(500, "", "failed to create typed patch object" + object + ": " + *wrong);
  }
  auto findings = findings_of(call_, applied);
  if (!findings.error) return {};
  return rejection(500, "",
                   "failed to convert new object" + object +
                       " to proper version: unable to convert unstructured object to " + kind + ": " + *findings.error);
}

RejectionOr<Answer> FieldReading::with_warnings(RejectionOr<Answer> outcome) {
  if (outcome) outcome->warnings = std::move(warnings_);
  return outcome;
}

std::optional<std::string> drop_unknown_fields(const ServedKind& kind, Tree& object) {
  Call call;
  call.kind = &kind;
  return findings_of(call, object).error;
}

std::optional<FieldError> check_field_validation(const Call& call) {
  auto value = call.parameter("fieldValidation");
  if (value.empty() || value == "Ignore" || value == "Warn" || value == "Strict") return std::nullopt;
  return FieldError{FieldReason::kNotSupported, "fieldValidation", base::quote_go(value),
                    R"("", "Ignore", "Strict", "Warn")"};
}

}  // namespace keelson::sandbox
