#include "src/sandbox/validation/relations.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/metadata_check.hpp"
#include "src/sandbox/validation/resource_check.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

void check_meta(RuleCheck& check, const Spot& at, const Words& words) {
  check_metadata(check, at, words[0], contains(words, "plain"));
}

void check_key(RuleCheck& check, const Spot& at, const Words& words) {
  const std::string key(at.name);
  for (const auto& why : format_errors(words[0], key)) check.invalid(at, Tree(key), why);
}

// The same, for keys whose errors are those of the map.
void check_key_of_map(RuleCheck& check, const Spot& at, const Words& words) {
  const std::string key(at.name);
  for (const auto& why : format_errors(words[0], key)) check.invalid(*at.outer, Tree(key), why);
}

// Each item of a list of texts has the format, and its errors are those of the list.
void check_texts(RuleCheck& check, const Spot& at, const Words& words) {
  for (const auto& item : at.value->items()) {
    for (const auto& why : format_errors(words[0], item.scalar())) check.invalid(at, item, why);
  }
}

// `at` is a map: each of these keys must exist.
void check_keys(RuleCheck& check, const Spot& at, const Words& words) {
  for (const auto& key : words) {
    if (at.value->find(key) == nullptr) check.add({FieldReason::kRequired, key_path(at.path(), key)});
  }
}

void check_only_members(RuleCheck& check, const Spot& at, const Words& words) {
  for (const auto& [name, value] : at.value->members()) {
    if (is_zero(value) || contains(words, name)) continue;
    check.add({FieldReason::kForbidden, at.field(name).path(), {}, words[0].substr(1)});
  }
}

// `at` is a list of objects, of which no two may have the same values of the members words[1]...; words[0] is the
// suffix of the path.
void check_distinct(RuleCheck& check, const Spot& at, const Words& words) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto& item = at.value->items()[i];
    auto shown = Tree::object();
    std::string key;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const auto& value = value_at(item, words[k]);
      key += value.scalar() + "\n";
      shown[words[k]] = value;
    }
    if (seen.insert(key).second) continue;
    const auto spot = at.item(i);
    check.add({FieldReason::kDuplicate, spot.path() + words[0].substr(1), shown_value(shown)});
  }
}

void check_intersection(RuleCheck& check, const Spot& at, const Words& words) {
  const auto& other = value_at(check.after(), words[0]);
  for (const auto& [key, value] : at.value->members()) {
    if (other.find(key) == nullptr) continue;
    check.invalid(at.key(key, value), Tree(key), words[1].substr(1));
  }
}

// One of the words may not have company: "*" in a list.
void check_alone(RuleCheck& check, const Spot& at, const Words& words) {
  const auto& items = at.value->items();
  const auto is_it = [&words](const Tree& item) { return item.scalar() == words[0]; };
  if (items.size() > 1 && std::ranges::any_of(items, is_it)) check.invalid(at, words[1].substr(1));
}

// A domain and a path: "example.com/controller".
void check_domain_path(RuleCheck& check, const Spot& at, const Words&) {
  const auto& text = at.value->scalar();
  if (text.empty()) return check.add({FieldReason::kRequired, at.path()});
  const auto slash = text.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == text.size()) {
    return check.invalid(at, "must be a domain-prefixed path (such as \"acme.io/foo\")");
  }
  for (const auto& why : format_errors("dns_subdomain", text.substr(0, slash))) {
    check.invalid(at, Tree(text.substr(0, slash)), why);
  }
  for (const auto& why : format_errors("http_path", text.substr(slash + 1))) {
    check.invalid(at, Tree(text.substr(slash + 1)), why);
  }
}

// A name with at least words[0] labels, "three" for webhooks.
void check_domain(RuleCheck& check, const Spot& at, const Words& words) {
  const auto& text = at.value->scalar();
  if (text.empty()) return check.add({FieldReason::kRequired, at.path()});
  const auto errors = format_errors("dns_subdomain", text);
  if (!errors.empty()) return check.invalid(at, base::join(errors, ","));
  const auto least = base::parse_number<std::size_t>(words[0]).value_or(0);
  if (parts_of(text, '.').size() >= least) return;
  check.invalid(at, std::string("should be a domain with at least ") + (least == 3 ? "three" : "two") +
                        " segments separated by dots");
}

// A reference to an API: its text of group and version.
void check_group_version(RuleCheck& check, const Spot& at, const Words& words) {
  const auto& text = at.value->scalar();
  const auto slashes = std::ranges::count(text, '/');
  if (slashes > 1) return check.invalid(at, "unexpected GroupVersion string: " + text);
  if (contains(words, "group") && slashes == 0) check.invalid(at, "apiVersion must specify API group");
}

// `at` is the spec of a StatefulSet; the words are its mutable fields.
void check_mutable_only(RuleCheck& check, const Spot& at, const Words& words) {
  auto fixed = [&words](Tree spec) {
    for (const auto& name : words) spec.erase(name);
    return spec;
  };
  if (is_same(fixed(*at.before), fixed(*at.value))) return;
  check.add({FieldReason::kForbidden, at.path(), {}, words[0].substr(1)});
}

// An amount of the status that may not exceed another one: words are the field, the other one and the message.
void check_not_greater(RuleCheck& check, const Spot& at, const Words& words) {
  const auto amount = at.field(words[0]);
  const auto number = number_in(*amount.value);
  if (number > number_in(value_at(*at.value, words[1]))) check.invalid(amount, Tree(number), words[2].substr(1));
}

void check_invalid_without_value(RuleCheck& check, const Spot& at, const Words& words) {
  check.add({FieldReason::kInvalid, at.path(), {}, words[0].substr(1)});
}

// At least one of the keys must exist.
void check_one_key(RuleCheck& check, const Spot& at, const Words& words) {
  const bool has_one = std::ranges::any_of(words, [&](const auto& key) { return at.value->find(key) != nullptr; });
  if (!has_one) check_keys(check, at, words);
}

// A label key whose errors show it in lower case.
void check_label_key_in_lower_case(RuleCheck& check, const Spot& at, const Words&) {
  const auto text = base::to_lower(at.value->scalar());
  for (const auto& why : format_errors("label_key", text)) check.invalid(at, Tree(text), why);
}

void check_max_characters(RuleCheck& check, const Spot& at, const Words& words) {
  if (at.value->scalar().size() <= base::parse_number<std::size_t>(words[0]).value_or(0)) return;
  check.invalid(at, "must be " + words[0] + " characters or less");
}

// A number from words[0] to words[1]; an absent one is 0.
void check_between(RuleCheck& check, const Spot& at, const Words& words) {
  const auto number = number_in(*at.value);
  const auto least = base::parse_number<std::int64_t>(words[0]).value_or(0);
  const auto most = base::parse_number<std::int64_t>(words[1]).value_or(0);
  if (number < least || number > most) check.invalid(at, Tree(number), words[2].substr(1));
}

// A bool that must be present, true or false.
void check_required_bool(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->is_null()) check.add({FieldReason::kRequired, at.path()});
}

}  // namespace

const Relations& value_relations() {
  static const Relations kRelations{
      {"meta", check_meta},
      {"labels", [](RuleCheck& check, const Spot& at, const Words&) { check_labels(check, at); }},
      {"annotations", [](RuleCheck& check, const Spot& at, const Words&) { check_annotations(check, at); }},
      {"key", check_key},
      {"key_of_map", check_key_of_map},
      {"template_meta", [](RuleCheck& check, const Spot& at, const Words&) { check_template_metadata(check, at); }},
      {"label_key_in_lower_case", check_label_key_in_lower_case},
      {"max_characters", check_max_characters},
      {"between", check_between},
      {"required_bool", check_required_bool},
      {"texts", check_texts},
      {"keys", check_keys},
      {"only_members", check_only_members},
      {"distinct", check_distinct},
      {"not_in", check_intersection},
      {"alone", check_alone},
      {"domain_path", check_domain_path},
      {"domain", check_domain},
      {"group_version", check_group_version},
      {"mutable_only", check_mutable_only},
      {"not_greater", check_not_greater},
      {"invalid_without_value", check_invalid_without_value},
      {"one_key", check_one_key},
      {"resources", check_resources},
      {"quantity", check_quantity},
      {"resource_amounts", check_resource_amounts},
  };
  return kRelations;
}

bool run_relation(std::string_view name, RuleCheck& check, const Spot& at, const Words& words) {
  for (const auto* relations : {&value_relations(), &pod_relations(), &pod_update_relations(), &workload_relations(),
                                &job_relations(), &volume_relations(), &network_relations(), &webhook_relations(),
                                &cluster_relations(), &device_relations(), &registration_relations()}) {
    const auto found = relations->find(name);
    if (found == relations->end()) continue;
    found->second(check, at, words);
    return true;
  }
  return false;
}

}  // namespace keelson::sandbox
