// The keys that an event adds to the queue, with their priority and reason.
#include "src/controller/sources.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using controller::Definition;

kube::Kind memcached_kind() {
  kube::Kind kind;
  kind.resource = memcacheds();
  return kind;
}

// A Memcached with an annotation of the operator.
kube::Object annotated(const std::string& name, const std::string& key, const std::string& value) {
  return object(*json::merge_patch(
      memcached(name).json(), R"({"metadata":{"annotations":{"keelson.dev/)" + key + R"(":")" + value + R"("}}})"));
}

struct QueuedSources {
  explicit QueuedSources(Definition d) : definition(std::move(d)) { sources.open(); }

  // All queued items: "key priority reason,reason".
  std::vector<std::string> queued() {
    std::vector<std::string> all;
    while (queue.ready() > 0) {
      loop.run(sandbox::loop::TestLoop::Body([&]() -> boost::asio::awaitable<void> {
        auto item = co_await queue.get();
        std::string line = item->key + " " + std::to_string(item->priority);
        for (const auto& reason : item->reasons) line += " " + reason;
        queue.done(item->key);
        all.push_back(line);
      }));
    }
    return all;
  }

  sandbox::loop::TestLoop loop;
  metrics::Registry registry;
  FakeCache cache;
  Definition definition;
  queue::WorkQueue queue{loop.clock(), registry, "memcached"};
  std::vector<std::string> panics;  // "source: object: message"
  controller::Sources sources{
      loop.clock(), cache, definition, queue, kube::OperatorName(), [this](const controller::Panic& panic) {
        panics.push_back(panic.source + ": " + panic.object + ": " + panic.error.text);
      }};
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("events of the own kind queue the object's key") {
  QueuedSources world(controller::define(memcached_kind()));
  auto& informer = world.cache.of(memcacheds());

  informer.send(added(memcached("a")));
  informer.send(updated(memcached("b"), memcached("b", "u-1", 2)));
  informer.send(deleted(memcached("c")));

  CHECK(world.queued() ==
        Lines{"default/a 0 Memcached added", "default/b 0 Memcached updated", "default/c 0 Memcached deleted"});
}

TEST_CASE("an update that changes no stored field queues nothing") {
  QueuedSources world(controller::define(memcached_kind()));
  auto own = updated(memcached("a"), memcached("a", "u-1", 2));
  own.unchanged = true;

  world.cache.of(memcacheds()).send(own);

  CHECK(world.queued().empty());
}

TEST_CASE("an update of only the generations queues nothing for a watch that only compares them") {
  auto map_to = [](std::string name) {
    return [name = std::move(name)](const kube::Object&, cache::Cache&) {
      return std::vector<kube::Key>{{"default", name}};
    };
  };
  QueuedSources world(
      std::move(controller::define(memcached_kind())
                    .watches(kube::deployments(), {.only_compares_generations = true}, map_to("compares"))
                    .watches(kube::deployments(), {}, map_to("reads"))));
  auto observed = updated(owned_deployment("web", "a"), owned_deployment("web", "a"));
  observed.only_generations = true;

  world.cache.of(kube::deployments()).send(observed);

  CHECK(world.queued() == Lines{"default/reads 0 Deployment updated"});
}

TEST_CASE("the first list and resyncs are queued with low priority") {
  QueuedSources world(controller::define(memcached_kind()));
  auto first = added(memcached("a"));
  first.initial_list = true;
  auto again = updated(memcached("b"), memcached("b"));
  again.resync = true;

  world.cache.of(memcacheds()).send(first);
  world.cache.of(memcacheds()).send(again);

  CHECK(world.queued() == Lines{"default/a -100 Memcached added", "default/b -100 Memcached resync"});
}

TEST_CASE("an event of the own kind is queued if all predicates return true") {
  auto never = [](const cache::Event& event) { return event.object().name() != "never"; };
  QueuedSources world(std::move(controller::define(memcached_kind())
                                    .with_event_filter(controller::generation_changed())
                                    .with_event_filter(never)));
  auto& informer = world.cache.of(memcacheds());

  informer.send(updated(memcached("status"), memcached("status")));
  informer.send(updated(memcached("spec"), memcached("spec", "u-1", 2)));
  informer.send(updated(memcached("never"), memcached("never", "u-1", 2)));

  CHECK(world.queued() == Lines{"default/spec 0 Memcached updated"});
}

TEST_CASE("a changed reconcile-at queues the key although a predicate filters the update, and resets its backoff") {
  QueuedSources world(
      std::move(controller::define(memcached_kind()).with_event_filter(controller::generation_changed())));
  auto& informer = world.cache.of(memcacheds());
  world.queue.add_rate_limited("default/a", {});
  world.queue.add_rate_limited("default/b", {});

  informer.send(updated(memcached("a"), annotated("a", "reconcile-at", "1")));
  informer.send(updated(annotated("b", "reconcile-at", "1"), annotated("b", "reconcile-at", "1")));

  CHECK(world.queued() == Lines{"default/a 0 reconcile-at changed"});
  CHECK(world.queue.retries("default/a") == 0);
  CHECK(world.queue.retries("default/b") == 1);
}

TEST_CASE("a reconcile-at in the future queues the key at that time") {
  QueuedSources world(
      std::move(controller::define(memcached_kind()).with_event_filter(controller::generation_changed())));

  // Virtual time starts at midnight.
  world.cache.of(memcacheds()).send(updated(memcached("a"), annotated("a", "reconcile-at", "2026-01-01T01:00:00Z")));

  CHECK(world.queued().empty());
  world.loop.clock().advance(std::chrono::minutes(59));
  CHECK(world.queued().empty());
  world.loop.clock().advance(std::chrono::minutes(2));
  CHECK(world.queued() == Lines{"default/a 0 reconcile-at"});
}

TEST_CASE("a reconcile-at in the future is not lost at a restart although a predicate filters the first list") {
  QueuedSources world(
      std::move(controller::define(memcached_kind()).with_event_filter([](const auto&) { return false; })));
  auto first = added(annotated("a", "reconcile-at", "2026-01-01T01:00:00Z"));
  first.initial_list = true;
  auto over = added(annotated("b", "reconcile-at", "2025-12-31T23:00:00Z"));
  over.initial_list = true;

  world.cache.of(memcacheds()).send(first);
  world.cache.of(memcacheds()).send(over);

  CHECK(world.queued().empty());
  world.loop.clock().advance(std::chrono::minutes(61));
  CHECK(world.queued() == Lines{"default/a 0 reconcile-at"});
}

TEST_CASE("an added object that is paused is queued although a predicate filters it") {
  QueuedSources world(
      std::move(controller::define(memcached_kind()).with_event_filter([](const auto&) { return false; })));

  world.cache.of(memcacheds()).send(added(annotated("a", "paused", "true")));
  world.cache.of(memcacheds()).send(added(annotated("b", "paused", "")));
  world.cache.of(memcacheds()).send(added(memcached("c")));

  CHECK(world.queued() == Lines{"default/a 0 Memcached added"});
}

TEST_CASE("an added object with a reconcile-at in the future is queued once now and, after its reconcile, again") {
  QueuedSources world(controller::define(memcached_kind()));
  auto first = added(annotated("a", "reconcile-at", "2026-01-01T01:00:00Z"));
  first.initial_list = true;

  world.cache.of(memcacheds()).send(first);
  CHECK(world.queued() == Lines{"default/a -100 Memcached added"});
  world.sources.await_requested(*first.after, 0);
  world.loop.clock().advance(std::chrono::minutes(61));

  CHECK(world.queued() == Lines{"default/a 0 reconcile-at"});
}

TEST_CASE("a changed pause of an object or an owned object queues the key although a predicate filters the update") {
  auto never = [](const cache::Event&) { return false; };
  QueuedSources world(
      std::move(controller::define(memcached_kind())
                    .with_event_filter(never)
                    .owns(kube::deployments(), {.predicates = {never}})
                    .watches(kube::pods(), {.predicates = {never}}, [](const kube::Object& pod, cache::Cache&) {
                      return std::vector<kube::Key>{pod.key()};
                    })));
  const auto paused = [](const kube::Object& before) {
    return object(*json::merge_patch(before.json(), R"({"metadata":{"annotations":{"keelson.dev/paused":"true"}}})"));
  };

  world.cache.of(memcacheds()).send(updated(memcached("a"), paused(memcached("a"))));
  world.cache.of(memcacheds()).send(updated(paused(memcached("b")), memcached("b")));
  world.cache.of(kube::deployments()).send(updated(owned_deployment("web", "c"), paused(owned_deployment("web", "c"))));
  world.cache.of(kube::pods()).send(updated(memcached("d"), paused(memcached("d"))));

  CHECK(world.queued() ==
        Lines{"default/a 0 Memcached updated", "default/b 0 Memcached updated", "default/c 0 Deployment updated"});
}

TEST_CASE("a new generation resets the backoff of the key, another update does not") {
  QueuedSources world(controller::define(memcached_kind()));
  for (const auto* key : {"default/a", "default/b"}) {
    for (int failure = 0; failure < 20; ++failure) world.queue.add_rate_limited(key, {});
  }

  world.cache.of(memcacheds()).send(updated(memcached("a"), memcached("a", "u-1", 2)));
  world.cache.of(memcacheds()).send(updated(memcached("b"), annotated("b", "note", "x")));

  CHECK(world.queue.retries("default/a") == 0);
  CHECK(world.queue.retries("default/b") == 20);
  CHECK(world.queued().size() == 2);
}

TEST_CASE("the cache stores the annotations with requests, whatever the projections of its kinds are") {
  const auto projection = json::Projection::of({{"spec"}});
  QueuedSources world(
      std::move(controller::define(memcached_kind())
                    .selects({.content = projection})
                    .owns(kube::deployments(), {.content = projection})
                    .watches(kube::pods(), {.content = projection},
                             [](const kube::Object&, cache::Cache&) { return std::vector<kube::Key>(); })));

  for (const auto& resource : {memcacheds(), kube::deployments(), kube::pods()}) {
    const auto& stored = std::get<json::Projection>(world.cache.of(resource).options.content);
    CHECK(stored.covers({"metadata", "annotations", "keelson.dev/paused"}));
    CHECK(stored.covers({"metadata", "annotations", "keelson.dev/reconcile-at"}));
    CHECK_FALSE(stored.covers({"metadata", "annotations", "note"}));
  }
}

TEST_CASE("an owned object queues its controller, before and after a change") {
  QueuedSources world(std::move(controller::define(memcached_kind()).owns(kube::deployments())));
  auto& informer = world.cache.of(kube::deployments());

  informer.send(added(owned_deployment("web", "a")));
  informer.send(updated(owned_deployment("web", "b"), owned_deployment("web", "c")));
  informer.send(updated(owned_deployment("web", "d"), owned_deployment("web", "d")));
  informer.send(deleted(owned_deployment("web", "e")));

  CHECK(world.queued() == Lines{"default/a 0 Deployment added", "default/b 0 Deployment updated",
                                "default/c 0 Deployment updated", "default/d 0 Deployment updated",
                                "default/e 0 Deployment deleted"});
}

TEST_CASE("the end of an object that has a child's name queues the owner, whatever the predicates are") {
  auto never = [](const cache::Event&) { return false; };
  QueuedSources world(
      std::move(controller::define(memcached_kind()).owns(kube::deployments(), {.predicates = {never}})));
  const auto not_owned = owned_deployment("web", "b", "other.example.com/v1");
  world.sources.blocked().add(kube::Key("default", "a"),
                              {kube::deployments().qualified_plural(), kube::Key("default", "web")});
  auto& informer = world.cache.of(kube::deployments());

  informer.send(updated(not_owned, not_owned));
  CHECK(world.queued().empty());
  informer.send(deleted(owned_deployment("other", "b", "other.example.com/v1")));
  CHECK(world.queued().empty());
  informer.send(deleted(not_owned));

  CHECK(world.queued() == Lines{"default/a 0 Deployment deleted"});
}

TEST_CASE("a deleted object is no longer a blocked owner, whatever the predicates are") {
  auto never = [](const cache::Event&) { return false; };
  QueuedSources world(std::move(controller::define(memcached_kind()).selects({.predicates = {never}})));
  auto& blocked = world.sources.blocked();
  for (const auto* name : {"a", "b"}) {
    blocked.add(kube::Key("default", name), {kube::deployments().qualified_plural(), kube::Key("default", "web")});
  }

  world.cache.of(memcacheds()).send(updated(memcached("a"), memcached("a")));
  CHECK(blocked.size() == 2);
  world.cache.of(memcacheds()).send(deleted(memcached("a")));
  CHECK(blocked.size() == 1);
  CHECK(world.queued().empty());
}

TEST_CASE("owners are matched by group and kind, whatever their version") {
  QueuedSources world(std::move(controller::define(memcached_kind()).owns(kube::deployments())));
  auto& informer = world.cache.of(kube::deployments());

  informer.send(added(owned_deployment("web", "older", "cache.example.com/v1")));
  informer.send(added(owned_deployment("web", "stranger", "other.example.com/v1alpha1")));
  informer.send(added(object(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default","ownerReferences":[
      {"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","name":"no-controller","uid":"x"}]}})")));

  CHECK(world.queued() == Lines{"default/older 0 Deployment added"});
}

TEST_CASE("a cluster-scoped owner is queued without a namespace") {
  auto kind = memcached_kind();
  kind.resource.namespaced = false;
  QueuedSources world(std::move(controller::define(kind).owns(kube::deployments())));

  world.cache.of(kube::deployments()).send(added(owned_deployment("web", "a")));

  CHECK(world.queued() == Lines{"a 0 Deployment added"});
  CHECK(world.cache.of(kube::deployments()).options.cluster_scoped_owners);
}

TEST_CASE("a map function gets the object before and after a change, and its keys are distinct") {
  auto by_label = [](const kube::Object& pod, cache::Cache&) {
    std::vector<kube::Key> keys;
    for (const char* label : {"one", "two"}) {
      if (auto name = pod.label(label)) keys.emplace_back("default", *name);
    }
    return keys;
  };
  QueuedSources world(std::move(controller::define(memcached_kind()).watches(kube::pods(), {}, by_label)));
  auto pod = [](const std::string& labels) {
    return object(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default","labels":)" + labels +
                  "}}");
  };

  world.cache.of(kube::pods()).send(updated(pod(R"({"one":"a","two":"b"})"), pod(R"({"one":"b","two":"c"})")));

  auto change = updated(pod(R"({"one":"a","two":"b"})"), pod(R"({"one":"b","two":"c"})"));
  CHECK(controller::keys_of(world.definition.parts().sources[0], change, world.cache).size() == 3);
  CHECK(world.queued() == Lines{"default/a 0 Pod updated", "default/b 0 Pod updated", "default/c 0 Pod updated"});
}

TEST_CASE("informers are declared with the options of their source and listed once, with Go's names") {
  controller::WatchOptions options;
  options.labels = kube::Selector::equals({{"app", "memcached"}});
  options.label_indexes = {"app"};
  QueuedSources world(std::move(controller::define(memcached_kind())
                                    .owns(kube::deployments(), options)
                                    .watches(kube::deployments(), options, [](const kube::Object&, cache::Cache&) {
                                      return std::vector<kube::Key>();
                                    })));

  CHECK(world.cache.of(kube::deployments()).options.labels == options.labels);
  CHECK(world.cache.of(kube::deployments()).options.label_indexes == options.label_indexes);
  CHECK(world.sources.names() == Lines{"kind source: *v1alpha1.Memcached", "kind source: *v1.Deployment"});
  CHECK(world.sources.informers().size() == 2);
}

TEST_CASE("events after the sources are destroyed are ignored") {
  FakeCache cache;
  {
    sandbox::loop::TestLoop loop;
    metrics::Registry registry;
    queue::WorkQueue queue(loop.clock(), registry, "memcached");
    auto definition = controller::define(memcached_kind());
    controller::Sources sources(loop.clock(), cache, definition, queue, kube::OperatorName(),
                                [](const controller::Panic&) {});
  }

  cache.of(memcacheds()).send(added(memcached("a")));

  CHECK(cache.of(memcacheds()).handlers.size() == 1);
}

TEST_CASE("an exception of a map function is reported, and later events are queued") {
  auto map = [](const kube::Object& pod, cache::Cache&) {
    if (pod.name() == "bad") throw std::runtime_error("index out of range");
    return std::vector<kube::Key>{pod.key()};
  };
  QueuedSources world(std::move(controller::define(memcached_kind()).watches(kube::deployments(), {}, map)));
  auto& informer = world.cache.of(kube::deployments());

  informer.send(added(owned_deployment("bad", "a")));
  informer.send(added(owned_deployment("good", "a")));

  CHECK(world.queued() == Lines{"default/good 0 Deployment added"});
  CHECK(world.panics == Lines{"kind source: *v1.Deployment: default/bad: panic: index out of range [recovered]"});
}

TEST_CASE("an exception of a predicate is reported, and later events are queued") {
  auto picky = [](const cache::Event& event) -> bool {
    if (event.object().name() == "bad") throw 1;
    return true;
  };
  QueuedSources world(std::move(controller::define(memcached_kind()).with_event_filter(picky)));
  auto& informer = world.cache.of(memcacheds());

  informer.send(added(memcached("bad")));
  informer.send(added(memcached("good")));

  CHECK(world.queued() == Lines{"default/good 0 Memcached added"});
  CHECK(world.panics == Lines{"kind source: *v1alpha1.Memcached: default/bad: panic: unknown exception [recovered]"});
}

TEST_CASE("an exception of an index function is reported, and its object has no values in the index") {
  controller::WatchOptions options;
  options.indexes = {{"node", [](const kube::Object& pod) -> std::vector<std::string> {
                        if (pod.name() == "bad") throw std::runtime_error("no node");
                        return {"n1"};
                      }}};
  QueuedSources world(std::move(controller::define(memcached_kind()).owns(kube::deployments(), options)));

  const auto& index = world.cache.of(kube::deployments()).options.indexes.at(0);

  CHECK(index.first == "node");
  CHECK(index.second(owned_deployment("bad", "a")).empty());
  CHECK(index.second(owned_deployment("good", "a")) == Lines{"n1"});
  CHECK(world.panics == Lines{"kind source: *v1.Deployment: default/bad: panic: no node [recovered]"});
}

TEST_CASE("predicates filter updates only") {
  auto with = [](const std::string& metadata) {
    return object(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default",)" + metadata + "}}");
  };
  struct Row {
    const char* what;
    controller::Predicate predicate;
    std::string same;
    std::string other;
  };
  const std::vector<Row> rows{
      {"generation", controller::generation_changed(), R"("generation":1,"labels":{"a":"1"})", R"("generation":2)"},
      {"resourceVersion", controller::resource_version_changed(), R"("resourceVersion":"1","generation":4)",
       R"("resourceVersion":"2")"},
      {"labels", controller::labels_changed(), R"("labels":{"a":"1","b":"2"},"generation":3)",
       R"("labels":{"a":"1","b":"3"})"},
      {"annotations", controller::annotations_changed(), R"("annotations":{"a":"1"},"generation":3)",
       R"("annotations":{"a":"1","b":""})"},
      {"any_of", controller::any_of({controller::generation_changed(), controller::labels_changed()}),
       R"("generation":1,"annotations":{"x":"y"})", R"("generation":1,"labels":{"a":"2"})"},
  };
  const std::vector<std::string> base{R"("generation":1)", R"("resourceVersion":"1")", R"("labels":{"b":"2","a":"1"})",
                                      R"("annotations":{"a":"1"})", R"("generation":1)"};

  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(rows[i].what);
    CHECK_FALSE(rows[i].predicate(updated(with(base[i]), with(rows[i].same))));
    CHECK(rows[i].predicate(updated(with(base[i]), with(rows[i].other))));
    CHECK(rows[i].predicate(added(with(base[i]))));
    CHECK(rows[i].predicate(deleted(with(base[i]))));
  }
}
