#include "src/sandbox/requests/query_options.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/sandbox/fields/go_values.hpp"

namespace keelson::sandbox {

namespace {

using OptionErrors = std::vector<FieldError>;

template <class Number>
std::optional<std::string> number_error(const std::string& text, const char* parser, bool may_be_negative) {
  if (base::parse_number<Number>(text)) return std::nullopt;
  std::string_view digits = text;
  if (may_be_negative && digits.starts_with('-')) digits.remove_prefix(1);
  const bool is_large = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  return std::string("strconv.") + parser + ": parsing " + base::quote_go(text) +
         (is_large ? ": value out of range" : ": invalid syntax");
}

RejectionOr<void> check_integers(const Call& call, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto* value = call.given(name);
    if (value == nullptr) continue;
    if (auto error = number_error<std::int64_t>(*value, "ParseInt", true)) return bad_request(*error);
  }
  return {};
}

RejectionOr<void> rejected_if_any(const char* options, const OptionErrors& errors) {
  if (errors.empty()) return {};
  return invalid_object({"meta.k8s.io", "v1", options, "", false}, "", errors);
}

FieldError forbidden_match(const std::string& why) {
  return {FieldReason::kForbidden, "resourceVersionMatch", {}, "resourceVersionMatch " + why};
}

FieldError unsupported_match(const std::string& match, std::string_view supported) {
  return {FieldReason::kNotSupported, "resourceVersionMatch", base::quote_go(match), supported};
}

// `quote_go` leaves a printable character as it is.
bool is_printable(std::string_view character) {
  return character == "\\" || character == "\"" || base::quote_go(character)[1] != '\\';
}

void check_manager(std::string_view manager, OptionErrors& errors) {
  constexpr std::size_t kLongestManager = 128;
  if (manager.size() > kLongestManager) errors.push_back(FieldError::too_long("fieldManager", kLongestManager));
  for (std::size_t at = 0; at < manager.size();) {
    const auto rune = base::first_rune(manager.substr(at));
    const auto bytes = std::max<std::size_t>(rune.bytes, 1);
    if (rune.bytes > 0 && !is_printable(manager.substr(at, bytes))) {
      char code_point[16];
      std::snprintf(code_point, sizeof code_point, "U+%04X", static_cast<unsigned>(rune.code_point));
      errors.emplace_back(FieldReason::kInvalid, "fieldManager", base::quote_go(manager),
                          std::string("invalid character ") + code_point + " (at position " + std::to_string(at) + ")");
    }
    at += bytes;
  }
}

void check_dry_run(const Tree& stages, OptionErrors& errors) {
  const bool is_known = std::ranges::all_of(stages.items(), [](const Tree& stage) { return stage == Tree("All"); });
  if (!is_known) errors.emplace_back(FieldReason::kNotSupported, "dryRun", stages.text(), R"("All")");
}

void check_field_validation(const std::string& value, OptionErrors& errors) {
  if (value.empty() || value == "Ignore" || value == "Warn" || value == "Strict") return;
  errors.emplace_back(FieldReason::kNotSupported, "fieldValidation", base::quote_go(value),
                      R"("", "Ignore", "Strict", "Warn")");
}

Tree stages_in(const Call& call) {
  auto stages = Tree::array();
  const auto [begin, end] = call.query.equal_range("dryRun");
  for (auto stage = begin; stage != end; ++stage) stages.items().emplace_back(stage->second);
  return stages;
}

RejectionOr<Tree> delete_options_in_query(const Call& call) {
  KEELSON_TRY(check_integers(call, {"gracePeriodSeconds"}));
  auto options = Tree::object();
  if (const auto* grace = call.given("gracePeriodSeconds")) {
    options["gracePeriodSeconds"] = *base::parse_number<std::int64_t>(*grace);
  }
  if (call.given("orphanDependents") != nullptr) options["orphanDependents"] = call.is_set("orphanDependents");
  if (const auto* policy = call.given("propagationPolicy")) options["propagationPolicy"] = *policy;
  if (auto stages = stages_in(call); !stages.is_empty()) options["dryRun"] = std::move(stages);
  for (const char* name : {"uid", "resourceVersion"}) {
    if (!call.parameter(name).empty()) options["preconditions"][name] = call.parameter(name);
  }
  return options;
}

// The error of Go's JSON decoder for the first option of a wrong type.
std::optional<std::string> type_error(const Tree& options) {
  struct Option {
    const char* name;
    Tree::Type type;
    const char* go_type;
  };
  constexpr Option kOptions[] = {{"gracePeriodSeconds", Tree::Type::kNumber, "int64"},
                                 {"orphanDependents", Tree::Type::kBool, "bool"},
                                 {"propagationPolicy", Tree::Type::kString, "v1.DeletionPropagation"},
                                 {"dryRun", Tree::Type::kArray, "[]string"}};
  for (const auto& option : kOptions) {
    const auto* value = options.find(option.name);
    if (value == nullptr || value->is_null() || value->type() == option.type) continue;
    return "json: cannot unmarshal " + go_kind(*value) + " into Go struct field DeleteOptions." + option.name +
           " of type " + option.go_type;
  }
  return std::nullopt;
}

RejectionOr<Tree> delete_options_in_body(const Call& call) {
  auto options = Tree::parse(call.body);
  if (!options || !options->is_object()) return bad_request("the DeleteOptions cannot be read");
  if (auto error = type_error(*options)) return bad_request(*error);
  std::erase_if(options->members(), [](const auto& member) { return member.second.is_null(); });
  return std::move(*options);
}

OptionErrors delete_option_errors(const Tree& options) {
  OptionErrors errors;
  if (options.find("propagationPolicy") != nullptr) {
    const auto policy = options.text_at({"propagationPolicy"});
    const auto add = [&](FieldReason reason, const char* why) {
      errors.emplace_back(reason, "propagationPolicy", base::quote_go(policy), why);
    };
    if (options.find("orphanDependents") != nullptr) {
      add(FieldReason::kInvalid, "orphanDependents and deletionPropagation cannot be both set");
    }
    if (policy != "Foreground" && policy != "Background" && policy != "Orphan") {
      add(FieldReason::kNotSupported, R"("Foreground", "Background", "Orphan", "nil")");
    }
  }
  if (const auto* stages = options.find("dryRun")) check_dry_run(*stages, errors);
  return errors;
}

}  // namespace

std::optional<std::string> version_error(const std::string& version) {
  return version.empty() ? std::nullopt : number_error<std::uint64_t>(version, "ParseUint", false);
}

std::optional<std::string> query_version_error(const Call& call) {
  const auto version = call.parameter("resourceVersion");
  const auto error = version_error(version);
  if (!error) return std::nullopt;
  return FieldError{FieldReason::kInvalid, "resourceVersion", base::quote_go(version), *error}.message();
}

RejectionOr<void> check_list_options(const Call& call) {
  KEELSON_TRY(check_integers(call, {"timeoutSeconds", "limit"}));
  OptionErrors errors;
  const auto match = call.parameter("resourceVersionMatch");
  const auto version = call.parameter("resourceVersion");
  if (!match.empty()) {
    if (version.empty()) errors.push_back(forbidden_match("is forbidden unless resourceVersion is provided"));
    if (!call.parameter("continue").empty()) {
      errors.push_back(forbidden_match("is forbidden when continue is provided"));
    }
    if (match != "Exact" && match != "NotOlderThan") {
      errors.push_back(unsupported_match(match, R"("Exact", "NotOlderThan", "")"));
    }
    if (match == "Exact" && version == "0") {
      errors.push_back(forbidden_match(R"("exact" is forbidden for resourceVersion "0")"));
    }
  }
  if (call.given("sendInitialEvents") != nullptr) {
    errors.push_back({FieldReason::kForbidden, "sendInitialEvents", {}, "sendInitialEvents is forbidden for list"});
  }
  return rejected_if_any("ListOptions", errors);
}

RejectionOr<void> check_watch_options(const Call& call) {
  KEELSON_TRY(check_integers(call, {"timeoutSeconds", "limit"}));
  OptionErrors errors;
  auto match = call.parameter("resourceVersionMatch");
  const auto version = call.parameter("resourceVersion");
  bool has_initial = call.given("sendInitialEvents") != nullptr;
  // The defaults of a watch from no particular version (SetListOptionsDefaults in apimachinery).
  if (!has_initial && match.empty() && (version.empty() || version == "0")) {
    has_initial = true;
    match = "NotOlderThan";
  }
  if (has_initial && match != "NotOlderThan") {
    errors.push_back({FieldReason::kForbidden,
                      "resourceVersionMatch",
                      {},
                      "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"});
  }
  if (!match.empty()) {
    if (!has_initial) {
      errors.push_back(forbidden_match("is forbidden for watch unless sendInitialEvents is provided"));
    }
    if (match != "NotOlderThan") errors.push_back(unsupported_match(match, R"("NotOlderThan")"));
    if (!call.parameter("continue").empty()) {
      errors.push_back(forbidden_match("is forbidden when continue is provided"));
    }
  }
  return rejected_if_any("ListOptions", errors);
}

RejectionOr<void> check_listed_version(const Call& call, std::uint64_t current) {
  if (auto error = query_version_error(call)) return bad_request("invalid resource version: " + *error);
  const auto asked = base::parse_number<std::uint64_t>(call.parameter("resourceVersion")).value_or(0);
  if (asked > current) return too_large_version(asked, current);
  return {};
}

RejectionOr<void> check_write_options(const Call& call) {
  const bool is_patch = call.verb == kube::Verb::kPatch;
  const bool is_apply = is_patch && call.patch_type == kube::PatchType::kApply;
  const auto manager = call.parameter("fieldManager");
  OptionErrors errors;
  if (is_apply && manager.empty()) {
    errors.push_back({FieldReason::kRequired, "fieldManager", {}, "is required for apply patch"});
  }
  if (is_patch && !is_apply && call.given("force") != nullptr) {
    errors.push_back({FieldReason::kForbidden, "force", {}, "may not be specified for non-apply patch"});
  }
  check_manager(manager, errors);
  check_dry_run(stages_in(call), errors);
  check_field_validation(call.parameter("fieldValidation"), errors);
  return rejected_if_any(is_patch                           ? "PatchOptions"
                         : call.verb == kube::Verb::kUpdate ? "UpdateOptions"
                                                            : "CreateOptions",
                         errors);
}

RejectionOr<Tree> delete_options(const Call& call) {
  KEELSON_LET(auto options, call.body.empty() ? delete_options_in_query(call) : delete_options_in_body(call));
  KEELSON_TRY(rejected_if_any("DeleteOptions", delete_option_errors(options)));
  return options;
}

}  // namespace keelson::sandbox
