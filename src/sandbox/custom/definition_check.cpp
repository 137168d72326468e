#include "src/sandbox/custom/definition_check.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/structural_check.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/custom/value_schema.hpp"
#include "src/sandbox/custom/version_check.hpp"
#include "src/sandbox/validation/names.hpp"

namespace keelson::sandbox {

namespace {

class DefinitionCheck {
 public:
  DefinitionCheck(const Tree& definition, RuleUse rules, std::vector<FieldError>& errors)
      : spec_(definition.find("spec") != nullptr ? *definition.find("spec") : Tree()),
        definition_(definition),
        rules_(rules),
        errors_(errors) {}

  void check_name();
  void check_spec();
  void check_update(const Tree& before);
  void check_stored(const Tree* before);
  void check_approval(const Tree* before);

 private:
  void check_group();
  void check_versions();
  void check_version_flags();
  void check_deprecation(const Tree& version, const std::string& at);
  void check_names();
  void check_label(const char* name, bool folds_case);
  void check_conversion();
  [[nodiscard]] bool is_same_in_all_versions(const char* name) const;
  // The versions in the form of the server's internal type.
  [[nodiscard]] Tree internal_versions() const;

  Tree spec_;
  const Tree& definition_;
  RuleUse rules_;
  FieldErrors errors_;
};

void DefinitionCheck::check_name() {
  auto wanted = spec_.text_at({"names", "plural"}) + "." + spec_.text_at({"group"});
  auto name = definition_.text_at({"metadata", "name"});
  if (!name.empty() && name != wanted) {
    errors_.invalid("metadata.name", Tree(name), "must be spec.names.plural+\".\"+spec.group");
  }
}

void DefinitionCheck::check_group() {
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

bool DefinitionCheck::is_same_in_all_versions(const char* name) const {
  const auto& versions = spec_.items_at({"versions"});
  if (versions.empty()) return false;
  auto value_of = [name](const Tree& version) {
    const Tree* value = version.find(name);
    return value != nullptr ? *value : Tree();
  };
  auto first = value_of(versions[0]);
  return std::ranges::all_of(versions, [&](const Tree& one) { return value_of(one) == first; });
}

void DefinitionCheck::check_versions() {
  const auto& versions = spec_.items_at({"versions"});
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (versions[i].at({"schema", "openAPIV3Schema"}) == nullptr) {
      errors_.required(index_path("spec.versions", i) + ".schema.openAPIV3Schema");
    }
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
    check_version_parts(versions[i], own, at, errors_);
  }
  check_version_flags();
  if (!versions.empty()) {
    auto name = versions[0].text_at({"name"});
    if (auto wrong = label_error(name); !wrong.empty()) errors_.invalid("spec.version", Tree(name), wrong);
  }
  check_names();
  if (!versions.empty()) check_version_parts(versions[0], shared, "spec", errors_);
}

void DefinitionCheck::check_deprecation(const Tree& version, const std::string& at) {
  const Tree* warning = version.find("deprecationWarning");
  if (warning == nullptr || warning->is_null()) return;
  auto invalid = [&](const std::string& why) { errors_.invalid(at + ".deprecationWarning", *warning, why); };
  const auto& text = warning->scalar();
  if (!version.is_true_at({"deprecated"})) invalid("can only be set for deprecated versions");
  if (text.size() > 256) invalid("must be <= 256 characters long");
  if (text.empty()) invalid("must not be an empty string");
  auto wrong = std::ranges::find_if(text, base::is_control);
  if (wrong == text.end()) return;
  invalid("must only contain printable UTF-8 characters; non-printable character found at index " +
          std::to_string(wrong - text.begin()));
}

Tree DefinitionCheck::internal_versions() const {
  std::string list;
  for (const auto& version : spec_.items_at({"versions"})) {
    auto json_at = [&version](const char* name, const char* otherwise) {
      const Tree* value = version.find(name);
      return value != nullptr ? value->text() : std::string(otherwise);
    };
    list += (list.empty() ? "{\"Name\":" : ",{\"Name\":") + json_at("name", "\"\"") +
            ",\"Served\":" + json_at("served", "false") + ",\"Storage\":" + json_at("storage", "false") +
            ",\"Deprecated\":" + json_at("deprecated", "false") +
            ",\"DeprecationWarning\":" + json_at("deprecationWarning", "null") +
            R"(,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null})";
  }
  return Tree::raw("[" + list + "]");
}

void DefinitionCheck::check_version_flags() {
  std::set<std::string> names;
  bool is_unique = true;
  std::size_t stored = 0;
  for (const auto& version : spec_.items_at({"versions"})) {
    is_unique = names.insert(version.text_at({"name"})).second && is_unique;
    if (version.is_true_at({"storage"})) ++stored;
  }
  if (!is_unique) errors_.invalid("spec.versions", internal_versions(), "must contain unique version names");
  if (stored != 1) {
    errors_.invalid("spec.versions", internal_versions(), "must have exactly one version marked as storage version");
  }
}

void DefinitionCheck::check_label(const char* name, bool folds_case) {
  auto text = spec_.text_at({"names", name});
  auto at = std::string("spec.names.") + name;
  if (text.empty()) return;
  auto wrong = label_error(folds_case ? base::to_lower(text) : text);
  if (wrong.empty()) return;
  errors_.invalid(at, Tree(text), (folds_case ? "may have mixed case, but should otherwise match: " : "") + wrong);
}

void DefinitionCheck::check_names() {
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

void DefinitionCheck::check_conversion() {
  auto strategy = spec_.text_at({"conversion", "strategy"});
  if (strategy.empty()) return;
  if (strategy != "None" && strategy != "Webhook") {
    return errors_.unsupported("spec.conversion.strategy", Tree(strategy), R"("None", "Webhook")");
  }
  const Tree* webhook = spec_.at({"conversion", "webhook"});
  const bool has_config = webhook != nullptr && has_value_at(*webhook, "clientConfig");
  if (strategy == "Webhook" && !has_config) {
    errors_.required("spec.conversion.webhookClientConfig", "required when strategy is set to Webhook");
  }
  if (strategy == "None" && has_config) {
    errors_.forbidden("spec.conversion.webhookClientConfig", "should not be set when strategy is not set to Webhook");
  }
  const Tree* reviewed = webhook != nullptr ? webhook->find("conversionReviewVersions") : nullptr;
  const bool has_versions = reviewed != nullptr && !reviewed->items().empty();
  if (strategy == "Webhook" && !has_versions) errors_.required("spec.conversion.conversionReviewVersions");
}

void DefinitionCheck::check_spec() {
  check_group();
  check_versions();
  check_conversion();
}

void DefinitionCheck::check_update(const Tree& before) {
  auto check_same = [&](std::initializer_list<std::string_view> path) {
    auto whole = std::vector<std::string>();
    const Tree* was = before.find("spec");
    const Tree* is = &spec_;
    for (auto name : path) {
      whole.emplace_back(name);
      was = was != nullptr ? was->find(name) : nullptr;
      is = is != nullptr ? is->find(name) : nullptr;
    }
    auto old_value = was != nullptr ? *was : Tree("");
    auto new_value = is != nullptr ? *is : Tree("");
    if (!(old_value == new_value)) {
      errors_.invalid("spec." + base::join(whole, "."), new_value, "field is immutable");
    }
  };
  check_same({"scope"});
  check_same({"names", "kind"});
  check_same({"group"});
  check_same({"names", "plural"});
}

void DefinitionCheck::check_stored(const Tree* before) {
  std::vector<std::string> stored;
  const Tree* status = before != nullptr ? before->find("status") : nullptr;
  if (status != nullptr) {
    for (const auto& name : status->items_at({"storedVersions"})) stored.push_back(name.scalar());
  }
  std::set<std::string> names;
  bool has_storage = false;
  for (const auto& version : spec_.items_at({"versions"})) {
    auto name = version.text_at({"name"});
    names.insert(name);
    if (!version.is_true_at({"storage"})) continue;
    bool is_new = std::ranges::find(stored, name) == stored.end();
    if (is_new && !has_storage) stored.push_back(name);
    if (is_new && has_storage) {
      auto list = Tree::array();
      for (const auto& one : stored) list.items().emplace_back(one);
      errors_.invalid("status.storedVersions", list, "must have the storage version " + name);
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

void DefinitionCheck::check_approval(const Tree* before) {
  constexpr std::string_view kAnnotation = "api-approved.kubernetes.io";
  auto group = spec_.text_at({"group"});
  const bool is_protected =
      group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" || group.ends_with(".kubernetes.io");
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

}  // namespace

void check_definition(const Tree* before, const Tree& after, RuleUse rules, std::vector<FieldError>& errors) {
  DefinitionCheck check(after, rules, errors);
  if (before == nullptr) check.check_name();
  check.check_spec();
  if (before != nullptr) check.check_update(*before);
  check.check_stored(before);
  check.check_approval(before);
}

}  // namespace keelson::sandbox
