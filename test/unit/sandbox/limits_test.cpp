// The memory of the server in this process is bounded.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/sandbox/limits.hpp"
#include "src/sandbox/faults/hooks.hpp"
#include "src/sandbox/storage/store.hpp"
#include "src/sandbox/storage/watch_hub.hpp"
#include "src/sandbox/verbs/reads.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

TEST_CASE("the history drops its oldest writes") {
  Kinds kinds;
  const auto& kind = *kinds.find(kube::config_maps());
  Store store;
  auto first = store.version();

  for (std::size_t i = 0; i < limits::kSandboxHistory; ++i) {
    REQUIRE(
        store.put(kind, kube::Key("default", "a"), {Tree::object({{"metadata", Tree::object({{"name", "a"}})}}), {}}));
  }
  CHECK(store.history().since(first)->size() == limits::kSandboxHistory);
  REQUIRE(
      store.put(kind, kube::Key("default", "b"), {Tree::object({{"metadata", Tree::object({{"name", "b"}})}}), {}}));

  CHECK_FALSE(store.history().since(first));
  CHECK(store.history().since(first + 1)->size() == limits::kSandboxHistory);
}

TEST_CASE("a deleted definition leaves no schema in memory") {
  Kinds kinds;
  auto definition = Tree::parse(
      R"({"spec":{"group":"example.com","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1",
          "storage":true,"additionalPrinterColumns":[{"name":"N","type":"string","jsonPath":".spec.n"}],
          "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"}}}}}]}})");
  REQUIRE(definition);

  kinds.add_definition(*definition);
  kinds.remove_definition(*definition);

  const auto& kind = kinds.all().back();
  REQUIRE(kind.resource.plural == "things");
  CHECK(kind.schema.is_null());
  CHECK(kind.fields == nullptr);
  CHECK(kind.values == nullptr);
  CHECK(kind.printer_columns.is_null());
  kinds.add_definition(*definition);
  CHECK(kinds.find(kind.resource) == &kind);
  CHECK(kind.schema.is_object());
}

TEST_CASE("the log of requests has a limit") {
  Hooks hooks;

  for (std::size_t i = 0; i < limits::kSandboxRequests + 1; ++i) hooks.record({});

  CHECK(hooks.log().size() == limits::kSandboxRequests);
}

TEST_CASE("only the newest unfinished lists are retained") {
  fixtures::Talk talk;
  REQUIRE(talk.create_map("a"));
  REQUIRE(talk.create_map("b"));
  kube::ListOptions options{.ns = "default", .labels = {}, .fields = "", .limit = 1, .continue_token = ""};
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < limits::kSandboxPages + 1; ++i) {
    auto page = talk.ask(kube::list(talk.client(), kube::config_maps(), options));
    REQUIRE(page);
    tokens.push_back(page->continue_token);
  }

  options.continue_token = tokens.front();
  CHECK(kube::is_gone(talk.ask(kube::list(talk.client(), kube::config_maps(), options)).error()));
  options.continue_token = tokens[1];
  CHECK(talk.ask(kube::list(talk.client(), kube::config_maps(), options)));
}

}  // namespace
}  // namespace keelson::sandbox
