#include "src/sandbox/admission/runtime_class.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "src/sandbox/admission/amounts.hpp"

namespace keelson::sandbox {

namespace {

constexpr auto kForever = std::numeric_limits<std::int64_t>::max();

bool are_equal(const Amounts& one, const Amounts& two) {
  return std::ranges::equal(
      one, two, [](const auto& a, const auto& b) { return a.first == b.first && a.second.milli == b.second.milli; });
}

std::string set_overhead(Tree& spec, const Tree* fixed) {
  const auto own = amounts_in(spec.find("overhead"));
  if (fixed == nullptr) {
    return own.empty() ? "" : "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
  }
  if (!own.empty() && !are_equal(own, amounts_in(fixed))) {
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  }
  spec["overhead"] = *fixed;
  return "";
}

std::string set_node_selector(Tree& spec, const Tree& wanted) {
  for (const auto& [key, value] : wanted.members()) {
    const Tree* own = spec.at({"nodeSelector", key.c_str()});
    if (own != nullptr && *own != value) {
      return "conflict: runtimeClass.scheduling.nodeSelector[" + key + "] = " + value.scalar() +
             "; pod.spec.nodeSelector[" + key + "] = " + own->scalar();
    }
    spec["nodeSelector"][key] = value;
  }
  return "";
}

// What a toleration includes: all values of a key, or one.
struct Reach {
  std::string key;
  std::string effect;
  std::string value;
  bool is_for_all_values = false;
  auto operator<=>(const Reach&) const = default;
};

Reach reach_of(const Tree& toleration) {
  const bool is_for_all = toleration.text_at({"operator"}) == "Exists";
  return {toleration.text_at({"key"}), toleration.text_at({"effect"}),
          is_for_all ? std::string() : toleration.text_at({"value"}), is_for_all};
}

// Only the effect NoExecute has a limit of time.
std::int64_t seconds_of(const Tree& toleration) {
  const Tree* seconds = toleration.find("tolerationSeconds");
  if (seconds == nullptr || toleration.text_at({"effect"}) != "NoExecute") return kForever;
  return toleration.integer_at({"tolerationSeconds"});
}

// The reaches that include all of this one.
std::vector<Reach> wider_than(const Reach& reach) {
  std::vector<Reach> wider;
  for (const auto& effect : {reach.effect, std::string()}) {
    wider.push_back({"", effect, "", true});
    wider.push_back({reach.key, effect, "", true});
    if (!reach.is_for_all_values) wider.push_back({reach.key, effect, reach.value, false});
  }
  return wider;
}

}  // namespace

Tree merged_tolerations(const std::vector<Tree>& first, const std::vector<Tree>& second) {
  std::vector<const Tree*> all;
  for (const auto& toleration : first) all.push_back(&toleration);
  for (const auto& toleration : second) all.push_back(&toleration);
  std::map<Reach, std::int64_t> longest;
  for (const auto* toleration : all) {
    auto& seconds = longest.try_emplace(reach_of(*toleration), std::numeric_limits<std::int64_t>::min()).first->second;
    seconds = std::max(seconds, seconds_of(*toleration));
  }
  std::set<Reach> added;
  auto merged = Tree::array();
  for (const auto* toleration : all) {
    const auto reach = reach_of(*toleration);
    const auto seconds = seconds_of(*toleration);
    const bool is_included = std::ranges::any_of(wider_than(reach), [&](const Reach& other) {
      const auto found = longest.find(other);
      return found != longest.end() && (other == reach ? found->second > seconds : found->second >= seconds);
    });
    if (!is_included && added.insert(reach).second) merged.items().push_back(*toleration);
  }
  return merged;
}

std::string admit_runtime_class(const World& world, Tree& spec) {
  static const kube::Resource kClasses("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", false);
  const auto name = spec.text_at({"runtimeClassName"});
  const auto* kind = world.kinds.find(kClasses);
  if (name.empty() || kind == nullptr) return set_overhead(spec, nullptr);
  const auto* entry = world.store.find(*kind, kube::Key("", name));
  if (entry == nullptr) return "pod rejected: RuntimeClass \"" + name + "\" not found";
  const auto& runtime_class = entry->stored().tree;
  auto error = set_overhead(spec, runtime_class.at({"overhead", "podFixed"}));
  if (error.empty()) error = set_node_selector(spec, runtime_class.copy_at({"scheduling", "nodeSelector"}));
  if (!error.empty() || runtime_class.at({"scheduling"}) == nullptr) return error;
  auto tolerations =
      merged_tolerations(spec.items_at({"tolerations"}), runtime_class.items_at({"scheduling", "tolerations"}));
  if (!tolerations.is_empty()) spec["tolerations"] = std::move(tolerations);
  return "";
}

}  // namespace keelson::sandbox
