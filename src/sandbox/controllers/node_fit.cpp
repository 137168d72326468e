#include "src/sandbox/controllers/node_fit.hpp"

#include <algorithm>

#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/storage/label_selector.hpp"

namespace keelson::sandbox {

namespace {

bool is_number_above(std::string_view one, std::string_view other) {
  const auto a = base::parse_number<std::int64_t>(one);
  const auto b = base::parse_number<std::int64_t>(other);
  return a && b && *a > *b;
}

// A NodeSelector also has Gt and Lt, which a LabelSelector lacks.
bool meets_expression(const Tree& requirement, const std::optional<std::string>& value) {
  const auto op = requirement.text_at({"operator"});
  if (op != "Gt" && op != "Lt") return meets_requirement(requirement, value);
  const auto& values = requirement.items_at({"values"});
  if (!value || values.empty()) return false;
  const auto limit = values.front().scalar();
  return op == "Gt" ? is_number_above(*value, limit) : is_number_above(limit, *value);
}

bool meets_term(const Tree& term, const Tree& node) {
  const auto& expressions = term.items_at({"matchExpressions"});
  const auto& fields = term.items_at({"matchFields"});
  if (expressions.empty() && fields.empty()) return false;
  // The only field that Kubernetes supports is metadata.name.
  const auto name = node.text_at({"metadata", "name"});
  const auto label_of = labels_in(node.at({"metadata", "labels"}));
  auto is_met = [&label_of](const Tree& one) { return meets_expression(one, label_of(one.text_at({"key"}))); };
  return std::ranges::all_of(expressions, is_met) &&
         std::ranges::all_of(fields, [&name](const Tree& one) { return meets_requirement(one, name); });
}

bool is_selected(const Tree& spec, const Tree& node) {
  for (const auto& [name, value] : spec.members_at({"nodeSelector"})) {
    const Tree* label = node.at({"metadata", "labels", name});
    if (label == nullptr || !(*label == value)) return false;
  }
  const Tree* terms =
      spec.at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"});
  if (terms == nullptr) return true;
  return std::ranges::any_of(terms->items(), [&node](const Tree& term) { return meets_term(term, node); });
}

bool tolerates(const Tree& toleration, const Tree& taint) {
  auto effect = toleration.text_at({"effect"});
  auto key = toleration.text_at({"key"});
  const bool is_any = toleration.text_at({"operator"}) == "Exists";
  if (!effect.empty() && effect != taint.text_at({"effect"})) return false;
  if (key.empty() ? !is_any : key != taint.text_at({"key"})) return false;
  return is_any || toleration.text_at({"value"}) == taint.text_at({"value"});
}

bool tolerates_all(const Tree& spec, const Tree& node, bool with_no_schedule) {
  const auto& taints = node.items_at({"spec", "taints"});
  const auto& tolerations = spec.items_at({"tolerations"});
  return std::ranges::all_of(taints, [&](const Tree& taint) {
    auto effect = taint.text_at({"effect"});
    if (effect != "NoExecute" && (effect != "NoSchedule" || !with_no_schedule)) return true;
    return std::ranges::any_of(tolerations, [&taint](const Tree& toleration) { return tolerates(toleration, taint); });
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
