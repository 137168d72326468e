#include "src/sandbox/controllers/node_fit.hpp"

#include <algorithm>

#include "keelson/detail/base/parse_number.hpp"

namespace keelson::sandbox {

namespace {

bool is_number_above(const std::string& one, const std::string& other) {
  const auto a = base::parse_number<std::int64_t>(one);
  const auto b = base::parse_number<std::int64_t>(other);
  return a && b && *a > *b;
}

// A NodeSelectorRequirement; `value` is null if the node does not have the label.
bool meets(const Tree& requirement, const Tree* value) {
  auto op = requirement.text_at({"operator"});
  const auto& values = requirement.items_at({"values"});
  bool is_listed = value != nullptr && std::find(values.begin(), values.end(), *value) != values.end();
  if (op == "In") return is_listed;
  if (op == "NotIn") return !is_listed;
  if (op == "Exists") return value != nullptr;
  if (op == "DoesNotExist") return value == nullptr;
  if (value == nullptr || values.empty()) return false;
  return op == "Gt" ? is_number_above(value->scalar(), values[0].scalar())
                    : is_number_above(values[0].scalar(), value->scalar());
}

bool meets_term(const Tree& term, const Tree& node) {
  const auto& expressions = term.items_at({"matchExpressions"});
  const auto& fields = term.items_at({"matchFields"});
  if (expressions.empty() && fields.empty()) return false;
  return std::all_of(expressions.begin(), expressions.end(),
                     [&node](const Tree& one) {
                       return meets(one, node.at({"metadata", "labels", one.text_at({"key"})}));
                     }) &&
         std::all_of(fields.begin(), fields.end(), [&node](const Tree& one) {
           return meets(one, node.at({"metadata", "name"}));
         });
}

bool is_selected(const Tree& spec, const Tree& node) {
  for (const auto& [name, value] : spec.members_at({"nodeSelector"})) {
    const Tree* label = node.at({"metadata", "labels", name});
    if (label == nullptr || !(*label == value)) return false;
  }
  const Tree* terms =
      spec.at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"});
  if (terms == nullptr) return true;
  return std::any_of(terms->items().begin(), terms->items().end(),
                     [&node](const Tree& term) { return meets_term(term, node); });
}

bool tolerates(const Tree& toleration, const Tree& taint) {
  auto effect = toleration.text_at({"effect"});
  auto key = toleration.text_at({"key"});
  bool is_any = toleration.text_at({"operator"}) == "Exists";
  if (!effect.empty() && effect != taint.text_at({"effect"})) return false;
  if (key.empty() ? !is_any : key != taint.text_at({"key"})) return false;
  return is_any || toleration.text_at({"value"}) == taint.text_at({"value"});
}

bool tolerates_all(const Tree& spec, const Tree& node, bool with_no_schedule) {
  const auto& taints = node.items_at({"spec", "taints"});
  const auto& tolerations = spec.items_at({"tolerations"});
  return std::all_of(taints.begin(), taints.end(), [&](const Tree& taint) {
    auto effect = taint.text_at({"effect"});
    if (effect != "NoExecute" && (effect != "NoSchedule" || !with_no_schedule)) return true;
    return std::any_of(tolerations.begin(), tolerations.end(),
                       [&taint](const Tree& toleration) { return tolerates(toleration, taint); });
  });
}

}  // namespace

NodeFit fit(const Tree& pod_spec, const Tree& node) {
  auto name = pod_spec.text_at({"nodeName"});
  if (!name.empty() && name != node.text_at({"metadata", "name"})) return NodeFit::kNever;
  if (!is_selected(pod_spec, node)) return NodeFit::kNever;
  if (tolerates_all(pod_spec, node, true)) return NodeFit::kRuns;
  return tolerates_all(pod_spec, node, false) ? NodeFit::kContinues : NodeFit::kNever;
}

std::string node_of(const Tree& pod) {
  auto bound = pod.text_at({"spec", "nodeName"});
  if (!bound.empty()) return bound;
  for (const auto& term : pod.items_at({"spec", "affinity", "nodeAffinity",
                                        "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"})) {
    for (const auto& field : term.items_at({"matchFields"})) {
      const auto& values = field.items_at({"values"});
      if (field.text_at({"key"}) == "metadata.name" && !values.empty()) return values.front().scalar();
    }
  }
  return "";
}

}  // namespace keelson::sandbox
