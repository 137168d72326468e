#include "src/sandbox/admission/limit_range.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "src/sandbox/admission/amounts.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// Of all containers of a pod together. The real server has no limit.
constexpr std::size_t kMostAmounts = 100'000;

// The specs of the LimitRanges in a namespace, by name.
std::vector<Tree> limit_ranges(const World& world, const std::string& ns) {
  static const kube::Resource kRanges("", "v1", "LimitRange", "limitranges", true);
  std::vector<Tree> specs;
  const auto& all = world.store.all(*world.kinds.find(kRanges));
  for (auto entry = all.lower_bound(kube::Key(ns, "")); entry != all.end() && entry->first.ns == ns; ++entry) {
    specs.push_back(entry->second.stored().tree.copy_at({"spec"}));
  }
  return specs;
}

Tree with_missing(Tree list, const Tree& more) {
  for (const auto& [name, value] : more.members()) list.set_default(name, value);
  return list;
}

// Adds missing amounts; the sorted names of those, separated by commas.
std::string added(Tree& container, const char* list, const Tree& defaults) {
  std::vector<std::string> names;
  for (const auto& [name, value] : defaults.members()) {
    auto& place = container["resources"][list][name];
    if (!place.is_null()) continue;
    place = value;
    names.push_back(name);
  }
  std::ranges::sort(names);
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void add_to_containers(Tree& spec, const Tree& limit, std::vector<std::string>& notes) {
  const auto limits = with_missing(limit.copy_at({"default"}), limit.copy_at({"max"}));
  const auto requests = with_missing(with_missing(limit.copy_at({"defaultRequest"}), limits), limit.copy_at({"min"}));
  for (const auto& [list, prefix] :
       {std::pair("containers", "container "), std::pair("initContainers", "init container ")}) {
    for (auto& container : spec.items_of(list)) {
      const auto owner = prefix + container.text_at({"name"});
      const auto of_limits = added(container, "limits", limits);
      const auto of_requests = added(container, "requests", requests);
      if (!of_requests.empty()) notes.push_back(of_requests + " request for " + owner);
      if (!of_limits.empty()) notes.push_back(of_limits + " limit for " + owner);
    }
  }
}

// The amounts that a LimitRange sets or checks in a pod: its containers times the names of its resources.
std::size_t amounts_of(const Tree& limit, const Tree& spec) {
  std::size_t names = 0;
  for (const auto& [list, amounts] : limit.members()) names += amounts.members().size();
  return names * (spec.items_at({"containers"}).size() + spec.items_at({"initContainers"}).size());
}

// Whether the LimitRanges of a namespace are too long for this pod.
bool has_too_many_amounts(const std::vector<Tree>& ranges, const Tree& spec) {
  std::size_t amounts = 0;
  for (const auto& range : ranges) {
    for (const auto& limit : range.items_at({"limits"})) amounts += amounts_of(limit, spec);
  }
  return amounts > kMostAmounts;
}

struct Measured {
  Amounts requests;
  Amounts limits;
};

std::string usage_of(const std::string& bound, const std::string& name, const std::string& type, const Amount& amount) {
  return bound + " " + name + " usage per " + type + " is " + amount.text();
}

class LimitCheck {
 public:
  LimitCheck(const Tree& limit, std::vector<std::string>& errors)
      : type_(limit.text_at({"type"})),
        least_(amounts_in(limit.find("min"))),
        most_(amounts_in(limit.find("max"))),
        ratio_(amounts_in(limit.find("maxLimitRequestRatio"))),
        errors_(errors) {}

  void check(const Measured& measured) {
    for (const auto& [name, least] : least_) check_least(name, least, measured);
    for (const auto& [name, most] : most_) check_most(name, most, measured);
    for (const auto& [name, ratio] : ratio_) check_ratio(name, ratio, measured);
  }

  // Claims have requests only.
  void check_claim(const Measured& measured) {
    for (const auto& [name, least] : least_) check_least(name, least, measured);
    for (const auto& [name, most] : most_) {
      const auto found = measured.requests.find(name);
      const auto start = usage_of("maximum", name, type_, most);
      if (found == measured.requests.end()) {
        errors_.push_back(start + ".  No request is specified");
      } else if (found->second.milli > most.milli) {
        errors_.push_back(start + ", but request is " + found->second.text());
      }
    }
  }

 private:
  void check_least(const std::string& name, const Amount& least, const Measured& measured) {
    const auto request = measured.requests.find(name);
    const auto limit = measured.limits.find(name);
    const auto start = usage_of("minimum", name, type_, least);
    if (request == measured.requests.end()) {
      errors_.push_back(start + ".  No request is specified");
    } else if (request->second.milli < least.milli) {
      errors_.push_back(start + ", but request is " + request->second.text());
    } else if (limit != measured.limits.end() && limit->second.milli < least.milli) {
      errors_.push_back(start + ", but limit is " + limit->second.text());
    }
  }

  void check_most(const std::string& name, const Amount& most, const Measured& measured) {
    const auto request = measured.requests.find(name);
    const auto limit = measured.limits.find(name);
    const auto start = usage_of("maximum", name, type_, most);
    if (limit == measured.limits.end()) {
      errors_.push_back(start + ".  No limit is specified");
    } else if (limit->second.milli > most.milli) {
      errors_.push_back(start + ", but limit is " + limit->second.text());
    } else if (request != measured.requests.end() && request->second.milli > most.milli) {
      errors_.push_back(start + ", but request is " + request->second.text());
    }
  }

  void check_ratio(const std::string& name, const Amount& most, const Measured& measured) {
    const auto request = measured.requests.find(name);
    const auto limit = measured.limits.find(name);
    const auto start = name + " max limit to request ratio per " + type_ + " is " + most.text() + ", but ";
    if (request == measured.requests.end() || request->second.milli == 0) {
      return errors_.push_back(start + "no request is specified or request is 0");
    }
    if (limit == measured.limits.end() || limit->second.milli == 0) {
      return errors_.push_back(start + "no limit is specified or limit is 0");
    }
    const auto ratio = static_cast<double>(limit->second.milli) / static_cast<double>(request->second.milli);
    if (ratio * 1000 <= static_cast<double>(most.milli)) return;
    char text[64];
    static_cast<void>(std::snprintf(text, sizeof(text), "%f", ratio));
    errors_.push_back(start + "provided ratio is " + text);
  }

  std::string type_;
  Amounts least_;
  Amounts most_;
  Amounts ratio_;
  std::vector<std::string>& errors_;
};

void check_pod_limit(const Tree& limit, const Tree& spec, std::vector<std::string>& errors) {
  const auto type = limit.text_at({"type"});
  LimitCheck check(limit, errors);
  if (type == "Pod") check.check({pod_amounts(spec, "requests"), pod_amounts(spec, "limits")});
  if (type != "Container") return;
  for (const char* list : {"containers", "initContainers"}) {
    for (const auto& container : spec.items_at({list})) {
      check.check(
          {amounts_in(container.at({"resources", "requests"})), amounts_in(container.at({"resources", "limits"}))});
    }
  }
}

}  // namespace

void add_limit_defaults(const World& world, Tree& pod) {
  auto& spec = pod["spec"];
  const auto ranges = limit_ranges(world, pod.text_at({"metadata", "namespace"}));
  if (has_too_many_amounts(ranges, spec)) return;  // rejected by limit_error()
  for (const auto& range : ranges) {
    std::vector<std::string> notes;
    for (const auto& limit : range.items_at({"limits"})) {
      if (limit.text_at({"type"}) == "Container") add_to_containers(spec, limit, notes);
    }
    if (notes.empty()) continue;
    std::string text;
    for (const auto& note : notes) text += (text.empty() ? "" : "; ") + note;
    pod["metadata"]["annotations"]["kubernetes.io/limit-ranger"] = "LimitRanger plugin set: " + text;
  }
}

std::string limit_error(const World& world, const kube::Resource& resource, const Tree& object) {
  const bool is_pod = resource == kube::pods();
  const bool is_claim = resource.group.empty() && resource.plural == "persistentvolumeclaims";
  if (!is_pod && !is_claim) return "";
  const auto spec = object.copy_at({"spec"});
  const auto ranges = limit_ranges(world, object.text_at({"metadata", "namespace"}));
  if (is_pod && has_too_many_amounts(ranges, spec)) {
    return "the LimitRanges of the namespace have more than " + std::to_string(kMostAmounts) +
           " amounts for its containers: use fewer containers or shorter LimitRanges";
  }
  for (const auto& range : ranges) {
    std::vector<std::string> errors;
    for (const auto& limit : range.items_at({"limits"})) {
      if (is_pod) check_pod_limit(limit, spec, errors);
      const bool is_for_claims = is_claim && limit.text_at({"type"}) == "PersistentVolumeClaim";
      if (is_for_claims) LimitCheck(limit, errors).check_claim({amounts_in(spec.at({"resources", "requests"})), {}});
    }
    if (!errors.empty()) return joined_errors(errors);
  }
  return "";
}

}  // namespace keelson::sandbox
