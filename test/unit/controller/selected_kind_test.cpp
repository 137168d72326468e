// Mistakes in selects(), refers_to() and webhooks of the own kind, and the errors that report them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <functional>
#include <string>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/definition_parts.hpp"

namespace keelson::controller {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using core::v1::ConfigMap;
using core::v1::Namespace;
using core::v1::Secret;

Reconciled ignore(const ConfigMap&, Pass<ConfigMap>&) { co_return done(); }
Reconciled ignore_namespace(const Namespace&, Pass<Namespace>&) { co_return done(); }
std::vector<std::string> no_names(const ConfigMap&) { return {}; }
std::vector<std::string> none_of(const Namespace&) { return {}; }
boost::asio::awaitable<webhook::Decision> allow(const webhook::Review<ConfigMap>&) {
  co_return webhook::Decision::allow();
}

struct AnySpec {};
void describe(kube::Description&, AnySpec&) {}

TEST_CASE("declarations that cannot work are a Misuse that names the fix") {
  struct Row {
    std::string text;
    std::function<void()> declare;
  };
  const auto config_maps = [] { return controller_for<ConfigMap>(ignore); };
  const std::vector<Row> table{
      {"is called twice: put all options into one call",
       [&] { config_maps().selects({.labels = "a"_selector}).selects({.labels = "b"_selector}); }},
      {".selects(…) leaves out the spec that its reconciler reads: remove OnlyDigest",
       [&] { config_maps().selects({.content = cache::OnlyDigest{}}); }},
      {".selects(…) drops new generations, which status.observedGeneration must follow: remove "
       "only_compares_generations",
       [&] { config_maps().selects({.only_compares_generations = true}); }},
      {"leaves out the fields that apply compares",
       [&] { config_maps().owns<Secret>({.content = cache::OnlyMetadata{}}); }},
      {"namespaces are in none: use .watches<…>(map)",
       [] { controller_for<Namespace>(ignore_namespace).refers_to<Secret>(none_of); }},
      {"select different objects, and one of them uses .refers_to",
       [&] {
         check_definitions({config_maps().selects({.labels = "a"_selector}).refers_to<Secret>(no_names),
                            config_maps().named("other")});
       }},
  };
  for (const auto& row : table) {
    INFO(row.text);
    CHECK_THROWS_MATCHES(row.declare(), base::Misuse, MessageMatches(ContainsSubstring(row.text)));
  }
}

TEST_CASE("metadata alone is enough for a controller of an existing kind") {
  const auto definition = controller_for<ConfigMap>(ignore).selects({.content = cache::OnlyMetadata{}});

  CHECK(std::holds_alternative<cache::OnlyMetadata>(definition.parts().own_watch.content));
}

TEST_CASE("validates_deletes applies to the validator of the spec, not to other webhooks of the kind") {
  auto definition = controller_for<ConfigMap>(ignore);
  definition.validates_deletes()
      .webhook(webhook::validating<ConfigMap>(allow, {.name = "creates", .operations = {webhook::Operation::kCreate}}))
      .with_validator<AnySpec>([](Context&) { return std::unique_ptr<webhook::Validator<AnySpec>>(); });

  REQUIRE(definition.parts().webhooks.size() == 2);
  CHECK(definition.parts().webhooks[0].options.operations == std::vector{webhook::Operation::kCreate});
  CHECK(definition.parts().webhooks[1].options.operations.back() == webhook::Operation::kDelete);
}

}  // namespace
}  // namespace keelson::controller
