#include "src/sandbox/validation/relations.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/metadata_check.hpp"
#include "src/sandbox/validation/resource_check.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kMostDataBytes = std::size_t{1} << 20;  // of a ConfigMap or Secret

std::size_t data_bytes(const Tree& values, bool is_base64) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : values.members()) {
    const auto& text = value.scalar();
    bytes += is_base64 ? text.size() / 4 * 3 - static_cast<std::size_t>(std::ranges::count(text, '=')) : text.size();
  }
  return bytes;
}

void check_data_size(RuleCheck& check, const Spot& at, const Words& words) {
  const bool is_secret = words[0] == "secret";
  const auto bytes =
      data_bytes(value_at(*at.value, "data"), is_secret) + data_bytes(value_at(*at.value, "binaryData"), true);
  if (bytes > kMostDataBytes) check.add(FieldError::too_long(is_secret ? "data" : "", kMostDataBytes));
}

// A Secret's value that must be a JSON object.
void check_json_data(RuleCheck& check, const Spot& at, const Words& words) {
  const auto key = key_path(at.path(), words[0]);
  const Tree* value = at.value->find(words[0]);
  if (value == nullptr) return check.add({FieldReason::kRequired, key});
  const auto text = base::base64_decode(value->scalar());
  const auto tree = text ? Tree::parse(*text) : Result<Tree>(Tree());
  if (tree && (tree->is_object() || (tree->is_null() && text && *text == "null"))) return;
  check.add({FieldReason::kInvalid, key, R"("<secret contents redacted>")",
             !text || text->empty() ? "unexpected end of JSON input"
             : tree                 ? "json: cannot unmarshal"
                                    : "invalid character"});
}

void check_signer(RuleCheck& check, const Spot& at, const Words&) {
  const auto& text = at.value->scalar();
  if (text.empty()) return check.add({FieldReason::kRequired, at.path()});
  const auto slash = text.find('/');
  if (slash == std::string::npos || text.find('/', slash + 1) != std::string::npos) {
    return check.invalid(at, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  }
  const auto check_part = [&](const std::string& part, std::string_view format) {
    for (const auto label : parts_of(part, '.')) {
      const auto errors = format_errors(format, std::string(label));
      for (const auto& why : errors) {
        check.invalid(at, Tree(part), "validating label " + base::quote_go(label) + ": " + why);
      }
      if (!errors.empty()) return;
    }
  };
  check_part(text.substr(0, slash), "dns_label");
  if (text.substr(0, slash).find('.') == std::string::npos) {
    check.invalid(at, Tree(text.substr(0, slash)), "should be a domain with at least two segments separated by dots");
  }
  check_part(text.substr(slash + 1), "dns_subdomain");
}

void check_limit_type(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->scalar().find('/') != std::string::npos) return;
  check.invalid(at, "must be a standard limit type or fully qualified");
}

void check_scope_name(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::string_view kScopes =
      "Terminating NotTerminating BestEffort NotBestEffort PriorityClass CrossNamespacePodAffinity "
      "VolumeAttributesClass";
  if (!has_word(kScopes, at.value->scalar())) check.invalid(at, "unsupported scope");
}

void check_node_amounts(RuleCheck& check, const Spot& at, const Words&) {
  for (const auto& [name, value] : at.value->members()) {
    auto spot = at.field(name);
    check_quantity(check, spot, {});
  }
}

// A second network of a node has the other family.
void check_node_networks(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  const auto is_v6 = [](const Tree& item) { return item.scalar().find(':') != std::string::npos; };
  if (items.size() == 2 && is_v6(items[0]) != is_v6(items[1])) return;
  check.invalid(at, "may specify no more than one CIDR for each IP family");
}

void check_distinct_taints(RuleCheck& check, const Spot& at, const Words&) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto spot = at.item(i);
    if (seen.insert(spot.value->text_at({"effect"}) + "\n" + spot.value->text_at({"key"})).second) continue;
    const auto& taint = *spot.value;
    check.add({FieldReason::kDuplicate, spot.path(),
               shown_value(Tree::object({{"Key", taint.text_at({"key"})},
                                         {"Value", taint.text_at({"value"})},
                                         {"Effect", taint.text_at({"effect"})},
                                         {"TimeAdded", value_at(taint, "timeAdded")}})),
               "taints must be unique by key and effect pair"});
  }
}

// `at` is an Event in the stored version; words[0] is the name that the served version has for the reporting component.
void check_event(RuleCheck& check, const Spot& at, const Words& words) {
  const auto& event = *at.value;
  const auto ns = event.text_at({"metadata", "namespace"});
  const auto object = event.text_at({"involvedObject", "namespace"});
  const bool is_timed = !event.text_at({"eventTime"}).empty();
  const bool may_be_empty = ns == "default" || (is_timed && ns == "kube-system");
  const auto invalid = [&](const std::string& path, const Tree& value, const std::string& why) {
    check.add({FieldReason::kInvalid, path, shown_value(value), why});
  };
  const bool is_wrong = object.empty() ? !may_be_empty : !is_timed && object != ns;
  if (is_wrong) invalid("involvedObject.namespace", Tree(object), "does not match event.namespace");
  if (!is_timed) return;
  const auto& reporter = words[0];
  const auto name = event.text_at({"reportingComponent"});
  if (name.empty()) check.add({FieldReason::kRequired, reporter});
  for (const auto& why : format_errors("label_key", name)) invalid(reporter, Tree(name), why);
  for (const char* field : {"reportingInstance", "action", "reason"}) {
    const auto text = event.text_at({field});
    if (text.empty()) check.add({FieldReason::kRequired, field});
    if (text.size() > 128) invalid(field, Tree(""), "can have at most 128 characters");
  }
  const auto note = event.text_at({"message"});
  if (note.size() > 1024) invalid("message", Tree(""), "can have at most 1024 characters");
}

void check_priority_class(RuleCheck& check, const Spot& at, const Words&) {
  const auto name = at.value->text_at({"metadata", "name"});
  const auto value = at.value->integer_at({"value"});
  if (name.starts_with("system-")) {
    const std::int64_t known = name == "system-node-critical"      ? 2'000'001'000
                               : name == "system-cluster-critical" ? 2'000'000'000
                                                                   : 0;
    if (known == value && known != 0) return;
    check.add({FieldReason::kForbidden,
               "metadata.name",
               {},
               "priority class names with 'system-' prefix are reserved for system use only. error: " +
                   (known == 0 ? name + " is not a known system priority class"
                               : "value of " + name + " PriorityClass must be " + std::to_string(known))});
  } else if (value > 1'000'000'000) {
    check.add({FieldReason::kForbidden, "value", {}, "maximum allowed value of a user defined priority is 1000000000"});
  }
}

void check_mixed_rule(RuleCheck& check, const Spot& at, const Words&) {
  const bool has_resources = std::ranges::any_of(std::to_array({"apiGroups", "resources", "resourceNames"}),
                                                 [&](const char* name) { return !at.value->items_at({name}).empty(); });
  if (!has_resources) return;
  check.invalid(at.field("nonResourceURLs"), "rules cannot apply to both regular resources and non-resource URLs");
}

void check_flow_verbs(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::string_view kVerbs = "create delete deletecollection get list patch proxy update watch";
  const auto& items = at.value->items();
  if (contains(items, Tree("*"))) return;
  if (std::ranges::all_of(items, [&](const Tree& item) { return has_word(kVerbs, item.scalar()); })) return;
  check.add({FieldReason::kNotSupported, at.path(), shown_value(*at.value),
             R"("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")"});
}

void check_flow_distinguisher(RuleCheck& check, const Spot& at, const Words&) {
  check.add({FieldReason::kNotSupported, at.field("type").path(),
             R"({"Type":)" + base::quote_go(at.value->text_at({"type"})) + "}", R"("ByNamespace", "ByUser")"});
}

}  // namespace

const Relations& cluster_relations() {
  static const Relations kRelations{
      {"data_size", check_data_size},
      {"json_data", check_json_data},
      {"limit_type", check_limit_type},
      {"scope_name", check_scope_name},
      {"limit_range", check_limit_range},
      {"quota_scopes", check_quota_scopes},
      {"node_amounts", check_node_amounts},
      {"node_networks", check_node_networks},
      {"distinct_taints", check_distinct_taints},
      {"event", check_event},
      {"priority_class", check_priority_class},
      {"mixed_rule", check_mixed_rule},
      {"flow_verbs", check_flow_verbs},
      {"flow_distinguisher", check_flow_distinguisher},
      {"signer", check_signer},
      {"finalizers", [](RuleCheck& c, const Spot& at, const Words&) { check_namespace_finalizers(c, at); }},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
