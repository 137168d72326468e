#include "src/sandbox/validation/relations.hpp"

#include <array>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/schema/quantity.hpp"
#include "src/sandbox/admission/amounts.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/device_expressions.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/resource_check.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

using kube::Quantity;

// The set of the names of a claim's requests, and of "request/subrequest".
constexpr const char* kRequestNames = "request_names";

// `at` is `devices` of a claim. The last one of equal names counts.
void collect_request_names(RuleCheck& check, const Spot& at, const Words&) {
  std::map<std::string, const Tree*> requests;
  for (const auto& request : at.value->items_at({"requests"})) requests[request.text_at({"name"})] = &request;
  auto& names = check.names(kRequestNames);
  names.clear();
  for (const auto& [name, request] : requests) {
    names.insert(name);
    for (const auto& sub : request->items_at({"firstAvailable"})) names.insert(name + "/" + sub.text_at({"name"}));
  }
}

void check_request_reference(RuleCheck& check, const Spot& at, const Words&) {
  constexpr const char* kUnknown =
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const auto& text = at.value->scalar();
  const auto slash = text.find('/');
  if (slash != std::string::npos && text.find('/', slash + 1) != std::string::npos) return check.invalid(at, kUnknown);
  for (const auto& name : slash == std::string::npos
                              ? std::vector<std::string>{text}
                              : std::vector<std::string>{text.substr(0, slash), text.substr(slash + 1)}) {
    for (const auto& why : format_errors("dns_label", name)) check.invalid(at, Tree(name), why);
  }
  if (!check.names(kRequestNames).contains(text)) check.invalid(at, kUnknown);
}

void check_identifier(RuleCheck& check, const Spot& at, const std::string& id) {
  constexpr std::size_t kMostBytesOfId = 32;
  if (id.size() > kMostBytesOfId) check.add(FieldError::too_long(at.path(), kMostBytesOfId));
  for (const auto& why : format_errors("c_identifier", id)) check.invalid(at, Tree(id), why);
}

void check_domain_of_name(RuleCheck& check, const Spot& at, const std::string& domain) {
  constexpr std::size_t kMostBytesOfDomain = 63;
  if (domain.empty()) return check.invalid(at, Tree(""), "the domain must not be empty");
  if (domain.size() > kMostBytesOfDomain) check.add(FieldError::too_long(at.path(), kMostBytesOfDomain));
  for (const auto& why : format_errors("lower_dns_subdomain", domain)) check.invalid(at, Tree(domain), why);
}

// The name of an attribute or a capacity. The real server accepts names with more than one slash.
void check_attribute_name(RuleCheck& check, const Spot& at, const std::string& name) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return check_identifier(check, at, name);
  if (name.find('/', slash + 1) != std::string::npos) return;
  check_domain_of_name(check, at, name.substr(0, slash));
  const auto id = name.substr(slash + 1);
  if (id.empty()) return check.invalid(at, Tree(""), "the name must not be empty");
  check_identifier(check, at, id);
}

void check_attribute_key(RuleCheck& check, const Spot& at, const Words&) {
  check_attribute_name(check, *at.outer, std::string(at.name));
}

void check_full_attribute_name(RuleCheck& check, const Spot& at, const Words&) {
  check_attribute_name(check, at, at.value->scalar());
  if (at.value->scalar().find('/') != std::string::npos) return;
  check.invalid(at, "a fully qualified name must be a domain and a name separated by a slash");
}

void check_pool_parts(RuleCheck& check, const Spot& at, const Words&) {
  const auto& text = at.value->scalar();
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find('/', from), text.size());
    const auto part = text.substr(from, end - from);
    for (const auto& why : format_errors("dns_subdomain", part)) check.invalid(at, Tree(part), why);
    from = end + 1;
  }
}

// A JSON object of any content, of at most words[0] bytes.
void check_raw_object(RuleCheck& check, const Spot& at, const Words& words) {
  const auto most = base::parse_number<std::int64_t>(words[0]).value_or(0);
  if (at.value->is_null()) return check.add({FieldReason::kRequired, at.path()});
  if (at.value->text().size() > static_cast<std::size_t>(most)) {
    return check.add(FieldError::too_long(at.path(), most));
  }
  if (at.value->is_object()) return;
  check.add({FieldReason::kInvalid, at.path(), R"("<value omitted>")", "must be a valid JSON object"});
}

// The ways to select nodes exclude each other. words[0] is the message if there is none; words[1] is added to it if
// there are several.
void check_one_of_nodes(RuleCheck& check, const Spot& at, const Words& words) {
  std::vector<std::string> found;
  for (const char* name : {"nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"}) {
    const auto* value = at.value->find(name);
    const bool is_set = value != nullptr && (value->is_object() || !is_zero(*value));
    if (is_set) found.push_back(std::string("`") + name + "`");
  }
  const auto message = words[0].substr(1);
  if (found.empty()) check.add({FieldReason::kRequired, at.path(), {}, message});
  if (found.size() > 1) check.invalid(at, Tree("{" + base::join(found, ", ") + "}"), message + words[1].substr(1));
}

// `at` is the list of devices. Those of some features count twice.
void check_device_count(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::int64_t kMostDevices = 128;
  constexpr std::int64_t kMostAdvancedDevices = 64;
  const auto& devices = at.value->items();
  const bool is_advanced = std::ranges::any_of(devices, [](const Tree& device) {
    return !device.items_at({"taints"}).empty() || !device.items_at({"consumesCounters"}).empty();
  });
  const auto most = is_advanced ? kMostAdvancedDevices : kMostDevices;
  if (devices.size() > static_cast<std::size_t>(most)) {
    check.add(FieldError::too_many(at.path(), devices.size(), most));
  }
}

void check_device_entries(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::size_t kMostEntries = 32;
  constexpr std::size_t kMostAttributeValues = 48;
  const auto attributes = at.value->members_at({"attributes"}).size();
  const auto entries = attributes + at.value->members_at({"capacity"}).size();
  if (entries > kMostEntries) {
    check.invalid(at, Tree(static_cast<std::int64_t>(entries)),
                  "the total number of attributes and capacities must not exceed 32");
  }
  if (attributes > kMostAttributeValues) {
    check.invalid(at, Tree(static_cast<std::int64_t>(attributes)),
                  "the total number of attribute values must not exceed 48");
  }
}

void check_one_attribute_value(RuleCheck& check, const Spot& at, const Words&) {
  const auto count = std::ranges::count_if(std::to_array({"int", "bool", "string", "version"}),
                                           [&](const char* name) { return has_value_at(*at.value, name); });
  if (count == 1) return;
  const auto shown = count == 0 ? shown_value(Tree("")) : internal_text(*at.value, "resource.DeviceAttribute");
  check.add({FieldReason::kInvalid, at.path(), shown, "exactly one value must be specified"});
}

// The conditions of a device. Their forms are checked before.
void check_binding_conditions(RuleCheck& check, const Spot& at, const Words&) {
  const auto conditions = at.field("bindingConditions");
  const auto failures = at.field("bindingFailureConditions");
  const auto add_all = [&check](const Spot& list, std::set<std::string>& seen, auto extra) {
    for (std::size_t i = 0; i < list.value->items().size(); ++i) {
      const auto item = list.item(i);
      if (!seen.insert(item.value->scalar()).second) {
        check.add({FieldReason::kDuplicate, item.path(), shown_value(*item.value)});
      }
      extra(item);
    }
  };
  std::set<std::string> known;
  std::set<std::string> failed;
  add_all(conditions, known, [](const Spot&) {});
  add_all(failures, failed, [&](const Spot& item) {
    if (!known.contains(item.value->scalar())) return;
    check.invalid(item, "bindingFailureConditions must not overlap with bindingConditions");
  });
  if (known.empty() && !failed.empty()) {
    check.invalid(conditions, *conditions.value, "bindingConditions are required to use bindingFailureConditions");
  }
  if (failed.empty() && !known.empty()) {
    check.invalid(failures, *failures.value, "bindingFailureConditions are required to use bindingConditions");
  }
}

Quantity quantity_at(const Tree& value) {
  const auto quantity = Quantity::parse(value.scalar());
  return quantity ? *quantity : Quantity();
}

Quantity sum_of(const Quantity& one, const Quantity& two) {
  const Amount sum{.milli = limited_sum(one.milli_value(), two.milli_value()), .format = one.format()};
  return quantity_at(Tree(sum.text()));
}

void check_valid_values(RuleCheck& check, const Spot& at, const Quantity& standard, const Quantity& capacity) {
  constexpr std::int64_t kMostValidValues = 10;
  const auto& values = at.value->items();
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const auto next = quantity_at(values[i + 1]);
    if (quantity_at(values[i]) <= next) continue;
    check.invalid(at.item(i + 1), Tree(next.text()), "values must be sorted in ascending order");
  }
  bool has_standard = false;
  if (values.size() > static_cast<std::size_t>(kMostValidValues)) {
    check.add(FieldError::too_many(at.path(), values.size(), kMostValidValues));
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = quantity_at(values[i]);
      has_standard = has_standard || value == standard;
      if (value <= capacity) continue;
      check.invalid(at.item(i), Tree(value.text()), "option is larger than capacity value: " + capacity.text());
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto key = std::to_string(quantity_at(values[i]).value());
      if (seen.insert(key).second) continue;
      check.add({FieldReason::kDuplicate, at.item(i).path(), shown_value(Tree(key))});
    }
  }
  if (has_standard) return;
  check.invalid(at, Tree(standard.text()), "default value is not valid according to the requestPolicy");
}

// Amounts are rounded to whole units, as the real server does.
void check_multiple(RuleCheck& check, const Spot& at, const Quantity& value, const Quantity& least,
                    const Quantity& step) {
  const auto whole = step.value();
  if (whole == 0) return;
  __extension__ using Wide = __int128;
  if ((Wide{value.value()} - least.value()) % whole == 0) return;
  check.invalid(at, Tree(value.text()),
                "value is not a multiple of a given step (" + step.text() + ") from (" + least.text() + ")");
}

void check_valid_range(RuleCheck& check, const Spot& at, const Quantity& standard, const Quantity& capacity) {
  const auto low = at.field("min");
  const auto high = at.field("max");
  const auto step = at.field("step");
  if (low.value->is_null()) {
    return check.add({FieldReason::kRequired, low.path(), {}, "required when validRange is defined"});
  }
  const auto least = quantity_at(*low.value);
  const auto is_larger = " is larger than capacity value: " + capacity.text();
  if (least > capacity) check.invalid(low, Tree(least.text()), "min" + is_larger);
  if (standard < least) check.invalid(low, Tree(standard.text()), "default is less than min: " + least.text());
  const auto most = quantity_at(*high.value);
  if (!high.value->is_null()) {
    if (least > most) check.invalid(high, Tree(least.text()), "min is larger than max: " + most.text());
    if (most > capacity) check.invalid(high, Tree(most.text()), "max" + is_larger);
    if (standard > most) check.invalid(high, Tree(standard.text()), "default is more than max: " + most.text());
  }
  if (step.value->is_null()) return;
  const auto width = quantity_at(*step.value);
  const auto first = sum_of(least, width);
  if (first > capacity) check.invalid(step, Tree(width.text()), "one step " + first.text() + is_larger);
  check_multiple(check, step, standard, least, width);
  if (!high.value->is_null()) check_multiple(check, step, most, least, width);
}

// `at` is the policy of a capacity whose amount is `value`.
void check_request_policy(RuleCheck& check, const Spot& at, const Words&) {
  const auto values = at.field("validValues");
  const auto range = at.field("validRange");
  const bool has_values = !values.value->items().empty();
  const bool has_range = !range.value->is_null();
  if (has_values && has_range) {
    return check.add({FieldReason::kForbidden,
                      at.path(),
                      {},
                      R"(exactly one policy can be specified, cannot specify "validValues" and "validRange" at the )"
                      "same time"});
  }
  if (!has_values && !has_range) return;
  const auto standard = at.field("default");
  if (standard.value->is_null()) {
    return check.add({FieldReason::kRequired,
                      standard.path(),
                      {},
                      std::string("required when ") + (has_values ? "validValues" : "validRange") + " is defined"});
  }
  const auto capacity = quantity_at(value_at(*at.outer->value, "value"));
  const auto amount = quantity_at(*standard.value);
  has_values ? check_valid_values(check, values, amount, capacity) : check_valid_range(check, range, amount, capacity);
}

void check_extended_resource(RuleCheck& check, const Spot& at, const Words&) {
  if (!is_extended_resource(at.value->scalar())) check.invalid(at, "must be a valid extended resource name");
}

}  // namespace

const Relations& device_relations() {
  static const Relations kRelations{
      {"request_names", collect_request_names},
      {"request_reference", check_request_reference},
      {"device_expression", [](RuleCheck& c, const Spot& at, const Words&) { check_device_expression(c, at); }},
      {"attribute_key", check_attribute_key},
      {"full_attribute_name", check_full_attribute_name},
      {"pool_parts", check_pool_parts},
      {"raw_object", check_raw_object},
      {"one_of_nodes", check_one_of_nodes},
      {"device_count", check_device_count},
      {"device_entries", check_device_entries},
      {"one_attribute_value", check_one_attribute_value},
      {"binding_conditions", check_binding_conditions},
      {"request_policy", check_request_policy},
      {"extended_resource", check_extended_resource},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
