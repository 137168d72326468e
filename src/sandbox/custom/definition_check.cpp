#include "src/sandbox/custom/definition_check.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/conversion_check.hpp"
#include "src/sandbox/custom/internal_form.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/custom/version_check.hpp"
#include "src/sandbox/fields/simple_path.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/names.hpp"

namespace keelson::sandbox {

namespace {

// Whether a part of a version, a schema, has a default.
bool has_default(const Tree& part) {
  if (part.is_array()) return std::ranges::any_of(part.items(), has_default);
  return std::ranges::any_of(part.members(), [](const auto& member) {
    const auto& [name, value] = member;
    if (name == "default") return !value.is_null();
    if (name == "properties" || name == "schema") {
      return std::ranges::any_of(value.members(), [](const auto& property) { return has_default(property.second); });
    }
    return has_word("items allOf anyOf oneOf not additionalProperties", name) && has_default(value);
  });
}

class DefinitionCheck {
 public:
  DefinitionCheck(const Tree& definition, RuleUse rules, std::vector<FieldError>& errors)
      : spec_(definition.find("spec") != nullptr ? *definition.find("spec") : Tree()),
        definition_(definition),
        rules_(rules),
        errors_(errors) {}

  void check_name() {
    auto wanted = spec_.text_at({"names", "plural"}) + "." + spec_.text_at({"group"});
    auto name = definition_.text_at({"metadata", "name"});
    if (!name.empty() && name != wanted) {
      errors_.invalid("metadata.name", Tree(name), "must be spec.names.plural+\".\"+spec.group");
    }
  }

  void check_spec(const Tree* before) {
    check_group();
    check_versions();
    check_conversion_of(spec_, before, errors_);
  }

  void check_update(const Tree& before) {
    for (const std::string path : {"spec.scope", "spec.names.kind", "spec.group", "spec.names.plural"}) {
      const Tree* was = at_path(before, path);
      const Tree* is = at_path(definition_, path);
      const auto now = is != nullptr ? *is : Tree("");
      if (now != (was != nullptr ? *was : Tree(""))) errors_.invalid(path, now, "field is immutable");
    }
  }

  void check_stored(const Tree* before) {
    auto stored = before != nullptr ? before->texts_at({"status", "storedVersions"}) : std::vector<std::string>();
    std::set<std::string> names;
    bool has_storage = false;
    for (const auto& version : spec_.items_at({"versions"})) {
      auto name = version.text_at({"name"});
      names.insert(name);
      if (!version.is_true_at({"storage"})) continue;
      const bool is_new = !contains(stored, name);
      if (is_new && !has_storage) stored.push_back(name);
      if (is_new && has_storage) {
        errors_.invalid("status.storedVersions", text_list(stored), "must have the storage version " + name);
      }
      has_storage = true;
    }
    if (stored.empty()) {
      return errors_.invalid("status.storedVersions", before != nullptr ? Tree::array() : Tree(),
                             "must have at least one stored version");
    }
    for (std::size_t i = 0; i < stored.size(); ++i) {
      if (names.contains(stored[i])) continue;
      errors_.invalid(index_path("status.storedVersions", i), Tree(stored[i]),
                      "missing from spec.versions; " + stored[i] +
                          " was previously a storage version, and must remain in spec.versions until a storage "
                          "migration ensures no data remains persisted in " +
                          stored[i] + " and removes " + stored[i] + " from status.storedVersions");
    }
  }

  void check_approval(const Tree* before) {
    constexpr std::string_view kAnnotation = "api-approved.kubernetes.io";
    auto group = spec_.text_at({"group"});
    const bool is_protected = group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" ||
                              group.ends_with(".kubernetes.io");
    auto approval = definition_.text_at({"metadata", "annotations", kAnnotation});
    if (is_protected && approval.empty() && before == nullptr) {
      errors_.required(key_path("metadata.annotations", kAnnotation),
                       "protected groups must have approval annotation " + base::quote_go(kAnnotation) +
                           ", see https://github.com/kubernetes/enhancements/pull/1111");
    }
    if (spec_.is_true_at({"preserveUnknownFields"})) {
      errors_.invalid("spec.preserveUnknownFields", Tree(true),
                      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema "
                      "instead");
    }
  }

 private:
  void check_group() {
    auto group = spec_.text_at({"group"});
    if (group.empty()) {
      errors_.required("spec.group");
    } else if (auto wrong = subdomain_error(group); !wrong.empty()) {
      errors_.invalid("spec.group", Tree(group), wrong);
    } else if (group.find('.') == std::string::npos) {
      errors_.invalid("spec.group", Tree(group), "should be a domain with at least one dot");
    }
    auto scope = spec_.text_at({"scope"});
    if (scope.empty()) {
      errors_.required("spec.scope");
    } else if (scope != "Cluster" && scope != "Namespaced") {
      errors_.unsupported("spec.scope", Tree(scope), R"("Cluster", "Namespaced")");
    }
  }

  void check_versions() {
    const auto& versions = spec_.items_at({"versions"});
    for (std::size_t i = 0; i < versions.size(); ++i) {
      if (versions[i].at({"schema", "openAPIV3Schema"}) == nullptr) {
        errors_.required(index_path("spec.versions", i) + ".schema.openAPIV3Schema");
      }
    }
    if (spec_.is_true_at({"preserveUnknownFields"}) && std::ranges::any_of(versions, has_default)) {
      errors_.invalid("spec.preserveUnknownFields", Tree(true), "must be false in order to use defaults in the schema");
    }
    // Parts that are equal in all versions are reported once, with the path in the server's internal type.
    VersionParts shared{
        .schema = is_same_in_all_versions("schema"),
        .subresources = is_same_in_all_versions("subresources"),
        .columns = is_same_in_all_versions("additionalPrinterColumns"),
        .selectable = is_same_in_all_versions("selectableFields"),
        .pattern_budget = kPatternBudget / std::max<std::size_t>(versions.size(), 1),
        .rule_budget = rules_ == RuleUse::kIgnored ? 0 : 1 + kRuleBudget / std::max<std::size_t>(versions.size(), 1)};
    auto own = shared;
    for (bool VersionParts::*part :
         {&VersionParts::schema, &VersionParts::subresources, &VersionParts::columns, &VersionParts::selectable}) {
      own.*part = !(shared.*part);
    }
    for (std::size_t i = 0; i < versions.size(); ++i) {
      auto at = index_path("spec.versions", i);
      if (auto wrong = label_error(versions[i].text_at({"name"})); !wrong.empty()) {
        errors_.invalid(at + ".name", Tree(versions[i].text_at({"name"})), wrong);
      }
      check_deprecation(versions[i], at);
      own.has_status = has_status(versions[i]);
      check_version_parts(versions[i], own, at, errors_);
    }
    check_version_flags(own);
    if (!versions.empty()) {
      auto name = versions[0].text_at({"name"});
      const auto wrong = name.empty() ? "" : label_error(name);
      if (!wrong.empty()) errors_.invalid("spec.version", Tree(name), wrong);
    }
    check_names();
    shared.has_status = std::ranges::any_of(versions, has_status);
    if (!versions.empty()) check_version_parts(versions[0], shared, "spec", errors_);
  }

  static bool has_status(const Tree& version) { return version.at({"subresources", "status"}) != nullptr; }

  void check_version_flags(const VersionParts& own) {
    std::set<std::string> names;
    bool is_unique = true;
    std::size_t stored = 0;
    for (const auto& version : spec_.items_at({"versions"})) {
      is_unique = names.insert(version.text_at({"name"})).second && is_unique;
      if (version.is_true_at({"storage"})) ++stored;
    }
    if (is_unique && stored == 1) return;
    const auto shown = internal_versions(
        spec_.find("versions"),
        {.schema = own.schema, .subresources = own.subresources, .columns = own.columns, .selectable = own.selectable});
    const auto add = [&](const char* why) { errors_.add({FieldReason::kInvalid, "spec.versions", shown, why}); };
    if (!is_unique) add("must contain unique version names");
    if (stored != 1) add("must have exactly one version marked as storage version");
  }

  void check_deprecation(const Tree& version, const std::string& at) {
    const Tree* warning = version.find("deprecationWarning");
    if (warning == nullptr || warning->is_null()) return;
    auto invalid = [&](const std::string& why) { errors_.invalid(at + ".deprecationWarning", *warning, why); };
    const auto& text = warning->scalar();
    if (!version.is_true_at({"deprecated"})) return invalid("can only be set for deprecated versions");
    if (text.size() > 256) invalid("must be <= 256 characters long");
    if (text.empty()) invalid("must not be an empty string");
    auto wrong = std::ranges::find_if(text, base::is_control);
    if (wrong == text.end()) return;
    invalid("must only contain printable UTF-8 characters; non-printable character found at index " +
            std::to_string(wrong - text.begin()));
  }

  void check_names() {
    for (const char* name : {"plural", "singular", "kind", "listKind"}) {
      if (spec_.text_at({"names", name}).empty()) errors_.required(std::string("spec.names.") + name);
    }
    check_label("plural", false);
    check_label("singular", false);
    check_label("kind", true);
    check_label("listKind", true);
    auto check_list = [&](const char* name) {
      const auto& list = spec_.items_at({"names", name});
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (auto wrong = label_error(list[i].scalar()); !wrong.empty()) {
          errors_.invalid(index_path(std::string("spec.names.") + name, i), list[i], wrong);
        }
      }
    };
    check_list("shortNames");
    auto kind = spec_.text_at({"names", "kind"});
    if (!kind.empty() && kind == spec_.text_at({"names", "listKind"})) {
      errors_.invalid("spec.names.listKind", Tree(kind), "kind and listKind may not be the same");
    }
    check_list("categories");
  }

  void check_label(const char* name, bool folds_case) {
    auto text = spec_.text_at({"names", name});
    auto at = std::string("spec.names.") + name;
    if (text.empty()) return;
    auto wrong = folds_case ? kind_error(text) : label_error(text);
    if (!wrong.empty()) errors_.invalid(at, Tree(text), wrong);
  }

  [[nodiscard]] bool is_same_in_all_versions(const char* name) const {
    const auto& versions = spec_.items_at({"versions"});
    if (versions.empty()) return false;
    auto value_of = [name](const Tree& version) {
      const Tree* value = version.find(name);
      return value != nullptr ? *value : Tree();
    };
    auto first = value_of(versions[0]);
    return std::ranges::all_of(versions, [&](const Tree& one) { return value_of(one) == first; });
  }

  Tree spec_;
  const Tree& definition_;
  RuleUse rules_;
  FieldErrors errors_;
};

}  // namespace

void check_definition(const Tree* before, const Tree& after, RuleUse rules, std::vector<FieldError>& errors) {
  DefinitionCheck check(after, rules, errors);
  if (before == nullptr) check.check_name();
  check.check_spec(before);
  if (before != nullptr) check.check_update(*before);
  check.check_stored(before);
  check.check_approval(before);
}

}  // namespace keelson::sandbox
