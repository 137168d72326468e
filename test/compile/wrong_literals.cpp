// Names and literals that are checked while they are compiled.
#include <string>

#include "keelson/controller/own_condition.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace {

using namespace keelson;

struct Widget {
  // expect: the group is a DNS name in lower case
  static constexpr kube::Identity kGroup{"Shop.example.com", "v1", "Widget"};
  // expect: the version is a label in lower case
  static constexpr kube::Identity kVersion{"shop.example.com", "V1", "Widget"};
  // expect: the kind is one word in CamelCase
  static constexpr kube::Identity kKind{"shop.example.com", "v1", "widget"};
  // expect: the plural is one word in lower case
  static constexpr kube::Identity kPlural{"shop.example.com", "v1", "Widget", "Widgets"};
  static constexpr kube::Identity kRight{"shop.example.com", "v1", "Widget"};
  std::string policy;
};

[[maybe_unused]] void describe(kube::Description& d, Widget& widget) {
  // expect: a text needs quotes of its own
  d.field("policy", widget.policy, "").default_value("Allow");
  // expect: describe a path of fields as structs
  d.field("a.policy", widget.policy, "").example("1");
  d.field("right", widget.policy, "").default_value(R"("Allow")").example(R"({"a": [1.5e3, true, null, {}]})");
}

struct Published {
  static constexpr std::string_view kConditions[] = {"Published"};
};
void set(controller::OwnCondition<Published>) {}

struct Reserved {
  static constexpr std::string_view kConditions[] = {"Paused"};
};
// The error is in own_condition.hpp and names this line.
// expect: remove Paused and Conflict from kConditions
static_assert(controller::is_own_condition<Reserved>("Ready"));

[[maybe_unused]] void use() {
  set("Published");
  set("Ready");
  // expect: list this condition in kConditions of the kind
  set("Publishd");
  // expect: the framework sets the conditions Paused and Conflict
  set("Paused");
  // expect: the framework sets the conditions Paused and Conflict
  set("Conflict");
  // expect: the type of a condition is one word
  set("not one word");
  // expect: this is not a quantity: write a number and one of n, u, m
  static_cast<void>("64 MiB"_quantity);
  static_cast<void>("64Mi"_quantity < "1.5e3"_quantity);
  // expect: this is not a label selector
  static_cast<void>("app in web"_selector);
  // expect: with commas between them
  static_cast<void>("app=web tier=a"_selector);
  // expect: this is not a field selector
  static_cast<void>("spec.nodeName"_fields);
  static_cast<void>("spec.nodeName=node-1,status.phase!=Failed"_fields);
}

}  // namespace
