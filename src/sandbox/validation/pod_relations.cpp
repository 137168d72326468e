#include "src/sandbox/validation/relations.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/resource_check.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

// `at` is a list of containers.
void check_host_ports(RuleCheck& check, const Spot& at, const Words&) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto container = at.item(i);
    const auto ports = container.field("ports");
    for (std::size_t k = 0; k < ports.value->items().size(); ++k) {
      const auto& port = ports.value->items()[k];
      const auto number = port.integer_at({"hostPort"});
      if (number == 0) continue;
      const auto protocol = port.text_at({"protocol"});
      const auto text =
          (protocol.empty() ? "TCP" : protocol) + "/" + port.text_at({"hostIP"}) + "/" + std::to_string(number);
      if (!seen.insert(text).second) {
        const auto spot = ports.item(k);
        check.add({FieldReason::kDuplicate, spot.path() + ".hostPort", base::quote_go(text)});
      }
    }
  }
}

void check_distinct_spread(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  std::set<std::string> later;
  std::vector<std::size_t> repeated;
  auto pair_of = [](const Tree& item) {
    return "{" + item.text_at({"topologyKey"}) + ", " + item.text_at({"whenUnsatisfiable"}) + "}";
  };
  for (std::size_t i = items.size(); i-- > 0;) {
    if (!later.insert(pair_of(items[i])).second) repeated.push_back(i);
  }
  for (std::size_t k = repeated.size(); k-- > 0;) {
    const auto spot = at.item(repeated[k]);
    check.add({FieldReason::kDuplicate, spot.path() + ".{topologyKey, whenUnsatisfiable}",
               base::quote_go(pair_of(*spot.value))});
  }
}

void check_shared_processes(RuleCheck& check, const Spot& at, const Words&) {
  check.add({FieldReason::kInvalid, at.field("shareProcessNamespace").path(), "true",
             "ShareProcessNamespace and HostPID cannot both be enabled"});
}

void check_mode(RuleCheck& check, const Spot& at, const Words&) {
  const auto number = number_in(*at.value);
  if (number < 0 || number > 0777) check.invalid(at, "must be a number between 0 and 0777 (octal), both inclusive");
}

void check_empty_dir_limit(RuleCheck& check, const Spot& at, const Words&) {
  if (!at.value->scalar().starts_with('-')) return;
  check.add({FieldReason::kForbidden, at.path(), {}, "SizeLimit field must be a valid resource quantity"});
}

void check_search_domain(RuleCheck& check, const Spot& at, const Words&) {
  auto text = at.value->scalar();
  if (text.ends_with('.')) text.pop_back();
  for (const auto& why : format_errors("dns_subdomain_underscore", text)) check.invalid(at, Tree(text), why);
}

// `at` is the spec of a pod, or `overhead` of a RuntimeClass.
void check_overhead(RuleCheck& check, const Spot& at, const Words&) {
  const auto overhead = at.field("overhead");
  auto limits = overhead.field("limits");
  limits.value = overhead.value;
  check_resource_amounts(check, limits, {"container"});
}

void check_runtime_overhead(RuleCheck& check, const Spot& at, const Words&) {
  const auto overhead = at.field("overhead");
  auto limits = overhead.field("limits");
  limits.value = &value_at(*overhead.value, "podFixed");
  check_resource_amounts(check, limits, {"container"});
}

// `at` is valueFrom of a variable.
void check_variable_source(RuleCheck& check, const Spot& at, const Words&) {
  const auto count =
      std::ranges::count_if(at.value->members(), [](const auto& member) { return !member.second.is_null(); });
  const auto invalid = [&](const char* why) { check.invalid(at, Tree(""), why); };
  if (count == 0) {
    invalid("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
  } else if (!at.outer->value->text_at({"value"}).empty()) {
    invalid("may not be specified when `value` is not empty");
  } else if (count > 1) {
    invalid("may not have more than one field specified at a time");
  }
}

// The fields of a pod that environment variables and files may have.
void check_field_label(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::string_view kLabels =
      "metadata.annotations metadata.labels metadata.name metadata.namespace metadata.uid spec.nodeName "
      "spec.restartPolicy spec.serviceAccountName spec.schedulerName status.phase status.hostIP status.hostIPs "
      "status.podIP status.podIPs spec.host";
  const auto& text = at.value->scalar();
  const auto version = at.outer->value->text_at({"apiVersion"});
  if (!version.empty() && version != "v1") {
    return check.invalid(at, "error converting fieldPath: unsupported pod version: " + version);
  }
  const bool is_part = text.starts_with("metadata.labels[") || text.starts_with("metadata.annotations[");
  if (is_part || has_word(kLabels, text)) return;
  check.invalid(at, "error converting fieldPath: field label not supported: " + text);
}

// The tolerations of a RuntimeClass.
void check_distinct_tolerations(RuleCheck& check, const Spot& at, const Words&) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto item = at.item(i);
    std::string key;
    for (const char* name : {"key", "operator", "value", "effect"}) key += item.value->text_at({name}) + "\n";
    if (seen.insert(key).second) continue;
    check.add({FieldReason::kDuplicate, item.path(), internal_text(*item.value, "core.Toleration")});
  }
}

}  // namespace

const Relations& pod_relations() {
  static const Relations kRelations{
      {"host_ports", check_host_ports},
      {"field_label", check_field_label},
      {"variable_source", check_variable_source},
      {"overhead", check_overhead},
      {"runtime_overhead", check_runtime_overhead},
      {"distinct_tolerations", check_distinct_tolerations},
      {"search_domain", check_search_domain},
      {"empty_dir_limit", check_empty_dir_limit},
      {"invalid_share", check_shared_processes},
      {"distinct_spread", check_distinct_spread},
      {"mode", check_mode},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
