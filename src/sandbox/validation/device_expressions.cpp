#include "src/sandbox/validation/device_expressions.hpp"

#include "keelson/detail/cel/program.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::uint64_t kMostDeviceCost = 1'000'000;
constexpr std::uint64_t kMostDomain = 63;      // characters of a domain and of a driver
constexpr std::uint64_t kMostId = 32;          // characters
constexpr std::uint64_t kMostValue = 64;       // characters of an attribute
constexpr std::uint64_t kMostAttributes = 32;  // attributes and capacities of a device

cel::TypePointer sized(cel::Type type, std::uint64_t most) {
  type.most_elements = most;
  return std::make_shared<const cel::Type>(std::move(type));
}

// A map by domain of maps by name.
cel::TypePointer by_domain(const cel::TypePointer& value) {
  const auto text = [](std::uint64_t most) { return sized(*cel::type_of(cel::Value::Kind::kString), most); };
  const auto inner = sized(*cel::map_type(text(kMostId), value), kMostAttributes);
  return sized(*cel::map_type(text(kMostDomain), inner), kMostAttributes);
}

cel::TypePointer device_type() {
  static const auto kType = [] {
    cel::Type type{.kind = cel::Value::Kind::kMap, .name = "kubernetes.DRADevice", .is_object = true};
    type.fields["driver"] = sized(*cel::type_of(cel::Value::Kind::kString), kMostDomain);
    type.fields["allowMultipleAllocations"] = sized(*cel::type_of(cel::Value::Kind::kBool), 1);
    type.fields["attributes"] = by_domain(sized(*cel::dyn_type(), kMostValue));
    type.fields["capacity"] = by_domain(cel::type_of(cel::Value::Kind::kQuantity));
    return std::make_shared<const cel::Type>(std::move(type));
  }();
  return kType;
}

}  // namespace

void check_device_expression(RuleCheck& check, const Spot& at) {
  const auto program = cel::Program::compile(at.value->scalar(), {{"device", device_type()}});
  if (!program) return check.invalid(at, "compilation failed: " + program.error().text);
  const auto& result = *program->result();
  if (result.kind != cel::Value::Kind::kBool && !result.is_dyn()) {
    return check.invalid(at, "must evaluate to bool or the unknown type, not " + result.text());
  }
  if (program->most_cost() <= kMostDeviceCost) return;
  check.add({FieldReason::kForbidden, at.path(), {}, "too complex, exceeds cost limit"});
}

}  // namespace keelson::sandbox
