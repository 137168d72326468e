#include "src/sandbox/validation/resource_check.hpp"

#include <algorithm>

#include "keelson/schema/quantity.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

using kube::Quantity;

constexpr std::string_view kCounted =
    "pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims services.nodeports "
    "services.loadbalancers";
constexpr std::string_view kOfContainers = "cpu memory ephemeral-storage";
constexpr std::string_view kComputed =
    "cpu memory ephemeral-storage requests.cpu requests.memory requests.ephemeral-storage limits.cpu limits.memory "
    "limits.ephemeral-storage";

Quantity quantity_of(const Tree& value) {
  auto quantity = Quantity::parse(value.scalar());
  return quantity ? *quantity : Quantity();
}

bool is_huge_page(std::string_view name) { return name.starts_with("hugepages-"); }
bool is_native(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}
bool is_overcommitted(std::string_view name) { return is_native(name) && !is_huge_page(name); }

bool is_of_quotas(std::string_view name) {
  return has_word(kCounted, name) || has_word(kComputed, name) || name == "requests.storage" || is_huge_page(name) ||
         name.starts_with("requests.hugepages-");
}

void check_resource_name(RuleCheck& check, const Spot& at, std::string_view sort) {
  const auto name = std::string(at.name);
  const auto errors = format_errors("label_key", name);
  for (const auto& why : errors) check.invalid(at, Tree(name), why);
  const bool is_plain = name.find('/') == std::string::npos;
  const bool is_standard = is_of_quotas(name) || name == "storage" || name.starts_with("limits.");
  if (errors.empty() && is_plain && !is_standard) {
    check.invalid(at, Tree(name), "must be a standard resource type or fully qualified");
  }
  if (sort == "quota" && is_plain && !is_of_quotas(name)) {
    check.invalid(at, Tree(name), "must be a standard resource for quota");
  }
  if (sort != "container") return;
  if (is_plain && !has_word(kOfContainers, name) && !is_huge_page(name)) {
    check.invalid(at, Tree(name), "must be a standard resource for containers");
  } else if (!is_plain && !is_native(name) && !is_extended_resource(name)) {
    check.invalid(at, Tree(name), "doesn't follow extended resource name standard");
  }
}

void check_amount(RuleCheck& check, const Spot& at) {
  const auto amount = quantity_of(*at.value);
  if (amount < Quantity()) check.invalid(at, Tree(amount.text()), "must be greater than or equal to 0");
  const bool is_counted = has_word(kCounted, at.name) || is_extended_resource(at.name);
  if (is_counted && amount.milli_value() % 1000 != 0) check.invalid(at, Tree(amount.text()), "must be an integer");
}

void check_request(RuleCheck& check, const Spot& at, const Spot& limits) {
  const auto requests = *at.outer;
  const auto name = std::string(at.name);
  const Tree* limit = limits.value->find(name);
  const auto amount = quantity_of(*at.value);
  if (limit == nullptr) {
    if (!is_overcommitted(name)) {
      check.add({FieldReason::kRequired, limits.path(), {}, "Limit must be set for non overcommitable resources"});
    }
    return;
  }
  const auto most = quantity_of(*limit);
  const auto tail = " to " + name + " limit of " + most.text();
  if (amount != most && !is_overcommitted(name)) {
    check.invalid(requests, Tree(amount.text()), "must be equal" + tail);
  } else if (amount > most) {
    check.invalid(requests, Tree(amount.text()), "must be less than or equal" + tail);
  }
}

bool has_member(const Spot& at, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&at](std::string_view name) { return at.value->find(name) != nullptr; });
}

bool has_huge_pages(const Spot& at) {
  return std::ranges::any_of(at.value->members(), [](const auto& member) { return is_huge_page(member.first); });
}

}  // namespace

bool is_extended_resource(std::string_view name) {
  if (is_native(name) || name.starts_with("requests.")) return false;
  return format_errors("label_key", "requests." + std::string(name)).empty();
}

void check_resource_amounts(RuleCheck& check, const Spot& at, const std::vector<std::string>& words) {
  for (const auto& [name, value] : at.value->members()) {
    const auto spot = at.key(name, value);
    check_resource_name(check, spot, words[0]);
    check_amount(check, spot);
  }
}

void check_resources(RuleCheck& check, const Spot& at, const std::vector<std::string>& words) {
  const auto sort = words.empty() ? std::vector<std::string>{"container"} : words;
  const auto limits = at.field("limits");
  const auto requests = at.field("requests");
  check_resource_amounts(check, limits, sort);
  for (const auto& [name, value] : requests.value->members()) {
    const auto spot = requests.key(name, value);
    check_resource_name(check, spot, sort[0]);
    check_amount(check, spot);
    check_request(check, spot, limits);
  }
  const bool has_usual = has_member(limits, {"cpu", "memory"}) || has_member(requests, {"cpu", "memory"});
  if (!has_usual && (has_huge_pages(limits) || has_huge_pages(requests))) {
    check.add({FieldReason::kForbidden, at.path(), {}, "HugePages require cpu or memory"});
  }
}

void check_quantity(RuleCheck& check, const Spot& at, const std::vector<std::string>& words) {
  if (at.value->is_null()) return;
  const bool is_positive = contains(words, "positive");
  const auto amount = quantity_of(*at.value);
  if (is_positive ? amount > Quantity() : amount >= Quantity()) return;
  const bool has_message = !words.empty() && words.back().starts_with('"');
  check.invalid(at, Tree(amount.text()),
                has_message   ? words.back().substr(1)
                : is_positive ? "must be greater than zero"
                              : "must be greater than or equal to 0");
}

void check_limit_range(RuleCheck& check, const Spot& at, const std::vector<std::string>&) {
  const auto type = at.value->text_at({"type"});
  const bool is_pod = type == "Pod";
  const std::string_view sort = is_pod || type == "Container" ? "container" : "any";
  std::set<std::string> names;
  const auto check_names = [&](const char* member) {
    const auto map = at.field(member);
    for (const auto& [name, value] : map.value->members()) {
      check_resource_name(check, map.key(name, value), sort);
      names.insert(name);
    }
  };
  check_names("max");
  check_names("min");
  for (const char* member : {"default", "defaultRequest"}) {
    if (is_pod && !at.value->members_at({member}).empty()) {
      check.add({FieldReason::kForbidden, at.field(member).path(), {}, "may not be specified when `type` is 'Pod'"});
    } else {
      check_names(member);
    }
  }
  if (type == "PersistentVolumeClaim" && !has_member(at.field("min"), {"storage"}) &&
      !has_member(at.field("max"), {"storage"})) {
    check.add({FieldReason::kRequired,
               at.field("limits").path(),
               {},
               "either minimum or maximum storage value is required, but neither was provided"});
  }
  check_names("maxLimitRequestRatio");
  for (const auto& name : names) {
    const auto amount = [&](const char* member) -> const Tree* { return at.value->at({member, name}); };
    const auto compare = [&](const char* low, const char* low_text, const char* high, const char* high_text,
                             const char* reported, const char* shown) {
      const Tree* small = amount(low);
      const Tree* large = amount(high);
      if (small == nullptr || large == nullptr || quantity_of(*small) <= quantity_of(*large)) return;
      const auto map = at.field(reported);
      check.invalid(map.key(name, *small), Tree(quantity_of(*amount(shown)).text()),
                    std::string(low_text) + " value " + quantity_of(*small).text() + " is greater than " + high_text +
                        " value " + quantity_of(*large).text());
    };
    compare("min", "min", "max", "max", "min", "min");
    compare("min", "min", "defaultRequest", "default request", "defaultRequest", "defaultRequest");
    compare("defaultRequest", "default request", "max", "max", "defaultRequest", "defaultRequest");
    compare("defaultRequest", "default request", "default", "default limit", "defaultRequest", "defaultRequest");
    compare("min", "min", "default", "default", "default", "min");
    compare("default", "default", "max", "max", "default", "max");
    const Tree* ratio = amount("maxLimitRequestRatio");
    if (ratio != nullptr && quantity_of(*ratio) < Quantity(1)) {
      const auto map = at.field("maxLimitRequestRatio");
      check.invalid(map.key(name, *ratio), "ratio " + quantity_of(*ratio).text() + " is less than 1");
    }
  }
}

void check_quota_scopes(RuleCheck& check, const Spot& at, const std::vector<std::string>&) {
  const auto scopes = at.field("scopes");
  constexpr std::string_view kScopes =
      "Terminating NotTerminating BestEffort NotBestEffort PriorityClass CrossNamespacePodAffinity "
      "VolumeAttributesClass";
  const auto& items = scopes.value->items();
  std::size_t not_for_pods = 0;  // resources that no scope of pods has
  std::size_t not_for_best = 0;  // that BestEffort has not
  for (const auto& [name, value] : at.value->members_at({"hard"})) {
    if (!is_of_quotas(name) || name == "pods") continue;
    ++not_for_best;
    if (!has_word(kComputed, name)) ++not_for_pods;
  }
  for (const auto& scope : items) {
    const bool is_known = has_word(kScopes, scope.scalar());
    if (!is_known) check.invalid(scopes, "unsupported scope");
    const bool is_checked = is_known && scope.scalar() != "VolumeAttributesClass";
    const auto count = !is_checked ? 0 : scope.scalar() == "BestEffort" ? not_for_best : not_for_pods;
    for (std::size_t i = 0; i < count && !check.errors().is_full(); ++i) {
      check.invalid(scopes, "unsupported scope applied to resource");
    }
  }
  for (const auto& [one, other] :
       {std::pair("BestEffort", "NotBestEffort"), std::pair("Terminating", "NotTerminating")}) {
    if (contains(items, Tree(one)) && contains(items, Tree(other))) check.invalid(scopes, "conflicting scopes");
  }
}

}  // namespace keelson::sandbox
