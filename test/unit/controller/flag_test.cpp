#include "keelson/controller/context.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/misuse.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using controller::FlagValue;
using controller::make_flag;

std::string misuse_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const base::Misuse& mistake) {
    return mistake.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a flag has the given value or its default, in its type") {
  const std::vector<controller::Flag> declared{
      make_flag<std::string>("image", std::string("redis:7"), ""), make_flag<bool>("live", false, ""),
      make_flag<std::int64_t>("seed", std::monostate{}, ""), make_flag<std::chrono::nanoseconds>("pause", 5s, ""),
      make_flag<std::vector<std::string>>("zones", std::vector<std::string>{"a", "b"}, "")};
  testing::ControllerOnFakes world(
      [](kube::Key, Logger) -> Task<testing::Outcome> { co_return testing::Outcome::done(); });
  auto& context = world.context;

  context.flags = controller::with_defaults(declared, {{"live", true}, {"pause", std::chrono::nanoseconds(1s)}});

  CHECK(context.flag<std::string>("image") == "redis:7");
  CHECK(context.flag<bool>("live"));
  CHECK(context.flag<std::chrono::nanoseconds>("pause") == 1s);
  CHECK(context.flag<std::vector<std::string>>("zones") == std::vector<std::string>{"a", "b"});
  CHECK(context.optional_flag<std::string>("image") == "redis:7");
  CHECK_FALSE(context.optional_flag<std::int64_t>("seed"));
  CHECK(misuse_of([&] { static_cast<void>(context.flag<std::int64_t>("seed")); }) ==
        "the flag --seed has no default and was not given: read it with optional_flag<T>, or declare a default");
  CHECK(misuse_of([&] { static_cast<void>(context.flag<std::string>("imgae")); }) ==
        "the flag --imgae is read and not declared: add .flag<T>(\"imgae\", default, help) to the controller or to the "
        "Operator");
  CHECK(misuse_of([&] { static_cast<void>(context.optional_flag<bool>("image")); }) ==
        "the flag --image is declared as a text and read as a bool: use the same type in both places");
}

TEST_CASE("a reconciler reads the defaults of its definition's flags if the program has no values") {
  testing::ControllerOnFakes world(
      [](kube::Key, Logger) -> Task<testing::Outcome> { co_return testing::Outcome::done(); });
  std::string found;
  world.definition->flag<std::string>("image", "redis:7", "").reconciled_by([&](controller::Context& context) {
    found = context.flag<std::string>("image");
    return std::make_unique<testing::BodyReconciler>(world.body);
  });

  const auto made = controller::make_controller(world.loop.executor(), world.context, *world.definition, {});

  CHECK(found == "redis:7");
}
