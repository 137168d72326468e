// Functions that the framework stores and calls later.
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/webhook/admission.hpp"

namespace {

using namespace keelson;
using Keys = std::vector<kube::Key>;
using Decided = boost::asio::awaitable<webhook::Decision>;
webhook::Decision allow() { return webhook::Decision::allow(); }

struct Spec {
  std::string name;
};
[[maybe_unused]] void describe(kube::Description& d, Spec& spec) { d.field("name", spec.name, ""); }
struct Widget : CustomResource<Spec> {
  static constexpr kube::Identity kIdentity{"shop.example.com", "v1", "Widget"};
};

Reconciled reconcile(const Widget&, Pass<Widget>&) { co_return done(); }
std::string name_of(const Widget& widget) { return widget.spec.name; }

[[maybe_unused]] void declare(int count) {
  auto right = controller_for<Widget>(reconcile);
  right.watches<core::v1::ConfigMap>([count](const kube::Object&, cache::Cache&) { return Keys(count > 0 ? 1U : 0U); });
  right = controller_for<Widget>([](const Widget&, Pass<Widget>&) -> Reconciled { co_return done(); });
  right = controller_for<Widget>(
      // expect: the function of a controller cannot have captures
      [count](const Widget&, Pass<Widget>&) -> Reconciled { co_return requeue_after(std::chrono::seconds(count)); });
  // expect: the function of a controller is `Reconciled reconcile(
  right = controller_for<Widget>([](const Widget&) {});
  const Finalizer<Widget> finalizer{
      "shop.example.com/stock",
      // expect: For state of your own, use a class
      [&count](const Widget&, Pass<Widget>&) -> Reconciled { co_return requeue_after(std::chrono::seconds(count)); }};
  right.watches<core::v1::ConfigMap>(
      // expect: a map function cannot be a coroutine
      [](const kube::Object&, cache::Cache&) -> boost::asio::awaitable<Keys> { co_return Keys(); });
  right.webhook(webhook::validating<Widget>([](const webhook::Review<Widget>&) -> Decided { co_return allow(); }));
  right.webhook(webhook::validating<Widget>(
      // expect: the function of a webhook cannot have captures
      [count](const webhook::Review<Widget>&) -> Decided { co_return count > 0 ? allow() : allow().warn("none"); }));
  // expect: the function of a mutating webhook is `boost::asio::awaitable<webhook::Decision> f(T& object
  right.webhook(webhook::mutating<Widget>([](Widget&) {}));
  right.indexed_by("name", [](const Widget& widget) { return std::vector{widget.spec.name}; });
  right.refers_to<core::v1::ConfigMap>([](const Widget& widget) { return std::vector{widget.spec.name}; });
  // expect: indexed_by needs a function `std::vector<std::string> values_of(const T& object)`
  right.indexed_by("count", [count](const Widget&) { return std::vector{std::to_string(count)}; });
  // expect: a lambda of this form without captures and without `auto`
  right.indexed_by("auto", [](const auto&) { return std::vector<std::string>(); });
  // expect: indexed_by needs a function
  right.indexed_by("text", name_of);
  // expect: refers_to needs a function `std::vector<std::string> names_of(const T& object)`
  right.refers_to<core::v1::ConfigMap>([](const Widget& widget) { return widget.spec.name; });
}

class WithContext {
 public:
  explicit WithContext(controller::Context&) {}
  Reconciled reconcile(const Widget&, Pass<Widget>&) { co_return done(); }
  Decided validate(const webhook::Review<Widget>&) { co_return allow(); }
  Decided mutate(Widget&, const webhook::Request&) { co_return allow(); }
};
struct WithoutContext {
  Reconciled reconcile(const Widget&, Pass<Widget>&) { co_return done(); }
  Decided validate(const webhook::Review<Widget>&) { co_return allow(); }
};

[[maybe_unused]] void declare_classes() {
  auto right = controller_for<Widget, WithContext>();
  right.webhook(webhook::validating<Widget, WithContext>()).webhook(webhook::mutating<Widget, WithContext>());
  // expect: a reconciler class is constructed with the Context: give it
  right = controller_for<Widget, WithoutContext>();
  // expect: the class of a webhook is constructed with the Context: give it
  right.webhook(webhook::validating<Widget, WithoutContext>());
  // expect: the class of a mutating webhook has the public function
  right.webhook(webhook::mutating<Widget, WithoutContext>());
}

}  // namespace
