// A pass with --dry-run logs no child as created, updated or deleted; the client logs what each write would change.
#include <algorithm>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/dry_run_client.hpp"
#include "test/support/toy_kinds.hpp"
#include "test/unit/controller/reconciler_world.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using core::v1::ConfigMap;

struct Shelf : CustomResource<ItemsSpec, ConditionsStatus> {
  static constexpr kube::Identity kIdentity{"library.example.com", "v1", "Shelf"};
};

Reconciled arrange(const Shelf& shelf, Pass<Shelf>& pass) {
  for (const auto& book : shelf.spec.items) {
    KEELSON_CO_TRY(co_await pass.apply(ConfigMap{.metadata = {.name = book}, .data = {{"shelf", shelf.name()}}}));
  }
  KEELSON_CO_TRY(co_await pass.prune<ConfigMap>());
  pass.ready("Arranged", "All books are there.");
  co_return done();
}

std::string book(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":"b-)" + name +
         R"(","resourceVersion":"9","ownerReferences":[{"apiVersion":"library.example.com/v1","kind":"Shelf",)"
         R"("name":"mine","uid":"u","controller":true}]}})";
}

// A shelf that needs the books `new` and `old`; the books `old`, without its data, and `leftover` exist.
struct ReconciledShelf : ReconcilerWorld {
  ReconciledShelf() : ReconcilerWorld(controller_for<Shelf>(arrange).owns<ConfigMap>()) {
    know(kube::resource_of<Shelf>(),
         R"({"apiVersion":"library.example.com/v1","kind":"Shelf","metadata":{"name":"mine","namespace":"default",)"
         R"("uid":"u","resourceVersion":"7","generation":1},"spec":{"items":["new","old"]}})");
    for (const auto* name : {"old", "leftover"}) know(kube::resource_of<ConfigMap>(), book(name));
    const auto stored = client.answer;
    client.answer = [stored](const kube::ApiRequest& request) {
      auto reply = stored(request);
      if (reply && request.verb == kube::Verb::kPatch && request.key.name == "new") reply->code = 201;
      return reply;
    };
  }

  // The lines about children, after a pass with three writes to them.
  std::vector<std::string> pass() {
    REQUIRE(reconcile(kube::Key("default", "mine")));
    const auto is_child = [](const auto& request) {
      return request.verb >= kube::Verb::kCreate && request.resource == kube::resource_of<ConfigMap>();
    };
    REQUIRE(std::ranges::count_if(client.requests, is_child) == 3);
    auto all = lines.messages();
    std::erase_if(all, [](const auto& line) { return line.find("ConfigMap") == std::string::npos; });
    return all;
  }
};
using Lines = std::vector<std::string>;

TEST_CASE("a pass logs the children that it creates, updates and deletes") {
  ReconciledShelf world;

  CHECK(world.pass() == Lines{"Creating a new ConfigMap.", "Updating the ConfigMap.", "Deleting the ConfigMap."});
}

TEST_CASE("a pass of a dry run logs no child as created, updated or deleted, because none is") {
  ReconciledShelf world;
  controller::DryRunClient client(world.client, world.cache, Logger(world.lines), world.registry);
  controller::Context context{world.loop.clock(), world.random, Logger(world.lines), client,
                              world.cache,        world.events, world.registry,      world.context.environment};
  context.dry_run = &client;
  world.reconciler = controller::make_reconciler(world.definition, context);
  world.used = &client;

  CHECK(world.pass().empty());
  CHECK(world.lines.find("Dry run: the object would be created") != nullptr);
  CHECK(world.lines.find("Dry run: the object would be deleted") != nullptr);
}

}  // namespace
