// Reconciler classes, and the factories that make them.
#include <memory>
#include <string_view>

#include "keelson/controller/controller_for.hpp"

namespace {

using namespace keelson;

struct PartSpec {
  std::string name;
};
[[maybe_unused]] void describe(kube::Description& d, PartSpec& spec) { d.field("name", spec.name, ""); }
struct Part : CustomResource<PartSpec> {
  static constexpr kube::Identity kIdentity{"shop.example.com", "v1", "Part"};
};

class Clean {
 public:
  static constexpr std::string_view kFinalizer = "shop.example.com/stock";
  explicit Clean(controller::Context&) {}
  Reconciled reconcile(const Part&, Pass<Part>&) { co_return done(); }
  Reconciled finalize(const Part&, Pass<Part>&) { co_return done(); }
};

class Nameless {
 public:
  explicit Nameless(controller::Context&) {}
  Reconciled reconcile(const Part&, Pass<Part>&) { co_return done(); }
  Reconciled finalize(const Part&, Pass<Part>&) { co_return done(); }
};

class Lazy {
 public:
  static constexpr std::string_view kFinalizer = "shop.example.com/stock";
  explicit Lazy(controller::Context&) {}
  Reconciled reconcile(const Part&, Pass<Part>&) { co_return done(); }
};

class Brief {
 public:
  static constexpr std::string_view kFinalizer = "shop.example.com/stock";
  explicit Brief(controller::Context&) {}
  Reconciled reconcile(const Part&, Pass<Part>&) { co_return done(); }
  Reconciled finalize(const Part&) { co_return done(); }
};

[[maybe_unused]] void declare(int count) {
  auto right = controller_for<Part, Clean>();
  right = controller_for<Part>([count](controller::Context& context) {
    context.log.info("Made", {{"count", std::to_string(count)}});
    return Clean(context);
  });
  // expect: a reconciler class that cleans up has both the public member function `Reconciled finalize(
  right = controller_for<Part, Nameless>();
  // expect: a reconciler class that cleans up has both
  right = controller_for<Part, Lazy>();
  // expect: a reconciler class that cleans up has both
  right = controller_for<Part>([](controller::Context& context) { return Brief(context); });
  // expect: A factory returns the reconciler itself, not a pointer
  right = controller_for<Part>([](controller::Context& context) { return std::make_unique<Clean>(context); });
}

}  // namespace
