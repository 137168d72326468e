// The start of an API server: the objects of a new cluster, or those that the journal holds.
#include <chrono>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/authorization/bootstrap_roles.hpp"
#include "src/sandbox/controllers/definition_status.hpp"
#include "src/sandbox/endpoints.hpp"
#include "src/sandbox/storage/stored_defaults.hpp"

namespace keelson::sandbox {

namespace {

// The wait of controllers after the journal failed to store a write.
constexpr auto kJournalRetry = std::chrono::seconds(5);

}  // namespace

Result<void> Endpoints::add(const kube::Resource& resource, const std::string& ns, Tree object) {
  Call call;
  call.user = user_named("system:apiserver");
  call.kind = world.kinds.find(resource);
  if (call.kind == nullptr) return as_error(not_served());
  call.key = kube::Key(ns, object.text_at({"metadata", "name"}));
  const auto outcome = committer.commit(call, nullptr, std::move(object), std::nullopt);
  if (!outcome) return as_error(outcome.error());
  return {};
}

void Endpoints::create_cluster_objects() {
  world.is_starting = true;
  static const auto kNamespaces = kube::namespaces();
  for (const char* name : {"default", "kube-system", "kube-public"}) {
    // A namespace that the journal holds exists already.
    static_cast<void>(add(
        kNamespaces, "",
        Tree::object({{"metadata", Tree::object({{"name", name}})}, {"status", Tree::object({{"phase", "Active"}})}})));
  }
  if (has_cluster_objects_) new_cluster.begin();
  api_services.begin();
  served_status.begin(has_cluster_objects_);
  if (has_cluster_objects_ || authorizer.has_rbac()) create_bootstrap_roles();
  world.is_starting = false;
}

void Endpoints::create_bootstrap_roles() {
  Operations server(world, committer, deletes, "system:apiserver");
  for (auto& [resource, object] : bootstrap_roles()) server.create(resource, "", std::move(object));
  role_aggregation.begin();
}

void Endpoints::listen_to_store() {
  world.store.on_change = [this](const Change& change) {
    world.watches.tell(world.store.history());
    reads.forget_pages_before(world.store.history().oldest());
    tell_controllers(change);
    if (hooks.after_write) hooks.after_write(change.kind->resource, change.before, change.after);
  };
  world.store.on_journal_failure = [this](const Error&) {
    if (retry_) return;
    retry_ = world.clock.call_at(world.clock.now() + kJournalRetry, [this] {
      retry_.reset();
      tell_controllers_all();
    });
  };
}

Result<void> Endpoints::resume() {
  KEELSON_ASSERT(journal_ != nullptr);
  auto version = journal_->load([this](const Journal::Row& row) {
    auto loaded = load(row);
    if (loaded) return loaded;
    auto what = row.resource.qualified_plural() + " " + base::quote_go(row.key.text());
    return Result<void>(std::move(loaded).error().with_context(what));
  });
  if (!version) return std::move(version.error());
  for (const auto& [key, entry] : world.store.all(*world.kinds.find(kube::custom_resource_definitions()))) {
    add_defaults_to_stored(world, Store::Entry(entry).stored().tree);
  }
  world.store.continue_from(*version);
  world.store.write_through(journal_);
  std::optional<Error> failed;
  world.store.on_journal_failure = [&failed](const Error& error) { failed = error; };
  create_cluster_objects();
  world.store.on_journal_failure = nullptr;
  if (failed) return invalid_error(failed->text);
  listen_to_store();
  tell_controllers_all();
  return {};
}

Result<void> Endpoints::load(const Journal::Row& row) {
  const auto* kind = world.kinds.find(row.resource);
  if (kind == nullptr) {
    // The definition no longer has this version. The object is served again when the version returns, and is deleted
    // with the definition.
    KEELSON_LET(auto object, Tree::parse(row.json));
    auto resource = row.resource;
    resource.kind = object.text_at({"kind"});
    resource.namespaced = !row.key.ns.empty();
    kind = &world.kinds.hide(std::move(resource));
  }
  // All stored objects of a kind have the same version, which may differ from the current storage version.
  if (kind->stored_as != nullptr && world.store.all(*kind).empty()) {
    world.kinds.keep_under(*kind);
    // If this version was hidden until now, the definition does not convert from it yet.
    const auto* definition = world.store.find(*world.kinds.find(kube::custom_resource_definitions()),
                                              kube::Key("", row.resource.qualified_plural()));
    if (!kind->conversion && definition != nullptr) world.kinds.add_definition(definition->stored().tree);
  }
  auto loaded = world.store.load(*kind, row);
  if (loaded && kind->resource == kube::custom_resource_definitions()) {
    const auto served = served_definition(world, world.store.find(*kind, row.key)->stored().tree);
    if (served) world.kinds.add_definition(*served);
  }
  return loaded;
}

void Endpoints::tell_controllers_all() {
  // Collected first: a controller that is notified of a change may write to the store.
  std::vector<Change> changes;
  for (const auto& [kind, entries] : world.store.objects()) {
    for (const auto& [key, entry] : entries) {
      changes.push_back({world.store.version(), kind, std::nullopt, entry.object});
    }
  }
  for (const auto& change : changes) tell_controllers(change);
}

}  // namespace keelson::sandbox
