#include "test/sim/world.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/async/timeout.hpp"

namespace keelson::test {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr const char* kManager = "manager";
constexpr const char* kUser = "user";

asio::awaitable<void> start(ManagerLife& life) {
  auto cache = co_await life.cache->start();
  REQUIRE(cache.has_value());
  auto events = co_await life.events->start();
  REQUIRE(events.has_value());
  auto controller = co_await life.controller->start();
  REQUIRE(controller.has_value());
}

asio::awaitable<void> stop(ManagerLife& life) {
  life.controller->abort();
  life.events->abort();
  co_await life.controller->stop();
  co_await life.events->stop();
  co_await life.cache->stop();
}

}  // namespace

World::World(std::uint64_t seed, controller::Definition definition, sandbox::ServerOptions options)
    : random(seed), server(loop.clock(), random, options), definition_(std::move(definition)) {
  for (const auto& kind : definition_.kinds()) server.serve(kind);
}

World::~World() {
  if (life_) crash_manager();
}

void World::start_manager() {
  life_ = std::make_unique<ManagerLife>(kManager);
  auto& clock = loop.clock();
  Logger log(sink);
  auto& api = server.client(kManager);
  life_->cache = cache::make_cache(loop.executor(), clock, random, log, api, life_->registry, {});
  life_->client = cache::read_your_writes(api, *life_->cache);
  life_->events = controller::make_event_recorder(loop.executor(), clock, random, log, api, {"manager", "host"});
  auto environment = [](const char*) -> const char* { return nullptr; };
  life_->context = std::make_unique<controller::Context>(controller::Context{
      clock, random, log, *life_->client, *life_->cache, *life_->events, life_->registry, environment, numbers});
  life_->controller = controller::make_controller(loop.executor(), *life_->context, definition_, {});
  loop.run(start(*life_));
}

void World::crash_manager() {
  loop.run(stop(*life_));
  life_.reset();
}

kube::Object World::create(const kube::Resource& resource, const std::string& ns, const std::string& object) {
  std::optional<kube::Object> stored;
  loop.run([&]() -> asio::awaitable<void> {
    auto created = co_await kube::create(server.client(kUser), resource, ns, object);
    INFO((created ? "" : created.error().message()));
    REQUIRE(created.has_value());
    stored = std::move(*created);
  });
  return std::move(*stored);
}

void World::patch(const kube::Resource& resource, const kube::Key& key, const std::string& merge_patch) {
  loop.run([&]() -> asio::awaitable<void> {
    auto patched = co_await kube::patch(server.client(kUser), resource, key, kube::PatchType::kMerge, merge_patch);
    INFO((patched ? "" : patched.error().message()));
    REQUIRE(patched.has_value());
  });
}

void World::remove(const kube::Resource& resource, const kube::Key& key) {
  loop.run([&]() -> asio::awaitable<void> {
    auto removed = co_await kube::remove(server.client(kUser), resource, key, {});
    INFO((removed ? "" : removed.error().message()));
    REQUIRE(removed.has_value());
  });
}

json::Document World::get(const kube::Resource& resource, const kube::Key& key) {
  std::string text = "null";
  for (const auto& object : server.objects(resource)) {
    if (object.key() == key) text = object.json();
  }
  auto document = json::Document::parse(text);
  REQUIRE(document.has_value());
  return std::move(*document);
}

bool World::eventually(const std::function<bool()>& holds, async::Duration limit) {
  constexpr auto kStep = 10ms;
  for (async::Duration passed{0}; passed < limit; passed += kStep) {
    if (holds()) return true;
    pass(kStep);
  }
  return holds();
}

void World::pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }

bool World::pass_until(async::Notify& notify, async::Duration limit) {
  bool notified = false;
  loop.run(
      [&]() -> asio::awaitable<void> { notified = co_await async::finish_within(loop.clock(), limit, notify.wait()); });
  return notified;
}

std::size_t World::writes(const kube::Resource& resource, const std::string& subresource, int code) const {
  return server.count([&](const sandbox::RequestInfo& request) {
    return request.user == kManager && request.is_write() && request.resource == resource &&
           request.subresource == subresource && request.code == code;
  });
}

}  // namespace keelson::test
