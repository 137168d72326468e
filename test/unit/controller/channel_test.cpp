// Channels: keys before the controller runs, while it runs, and more than are stored.
#include "keelson/controller/channel.hpp"

#include <algorithm>

#include "src/controller/channel_receiver.hpp"
#include "test/unit/controller/controller_on_fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

// A controller of Memcacheds whose only events come through a channel, and the keys that it reconciles.
struct Listener {
  explicit Listener(const controller::Channel& channel)
      : world([this](kube::Key key, Logger) { return note(keys, key); }, 1, [](const cache::Event&) { return false; }) {
    world.definition->channel(channel);
    world.runnable = controller::make_controller(world.loop.executor(), world.context, *world.definition, {});
  }
  static Task<Outcome> note(std::vector<kube::Key>& keys, kube::Key key) {
    keys.push_back(key);
    co_return Outcome::done();
  }
  void run(std::function<void()> act = [] {}) {
    world.run([this, act]() -> awaitable<void> {
      co_await world.pass(1s);
      act();
      co_await world.pass(1min);
    });
  }
  std::vector<kube::Key> keys;
  ControllerOnFakes world;
};

kube::Key numbered(std::size_t number) { return kube::Key("default", "k" + std::to_string(number)); }

}  // namespace

TEST_CASE("a key that is enqueued several times before its reconcile is reconciled once") {
  controller::Channel channel;
  Listener listener(channel);

  listener.run([channel]() mutable {
    channel.enqueue({"default", "a"}, "order received");
    channel.enqueue({"default", "a"}, "order received");
    channel.enqueue({"", "node"});
  });

  CHECK(listener.keys == std::vector<kube::Key>{{"default", "a"}, {"", "node"}});
}

TEST_CASE("keys that are enqueued before the controller exists or starts are reconciled when it starts") {
  controller::Channel channel;
  channel.enqueue({"default", "before"});
  Listener listener(channel);
  channel.enqueue({"default", "standby"});
  channel.enqueue({"default", "standby"});

  listener.run();

  CHECK(listener.keys == std::vector<kube::Key>{{"default", "before"}, {"default", "standby"}});
}

TEST_CASE("each of two controllers receives the keys of a channel, and a destroyed controller does not") {
  controller::Channel channel;
  Listener first(channel);
  { const Listener gone(channel); }
  Listener second(channel);
  channel.enqueue({"default", "a"});

  first.run();
  second.run();

  CHECK(first.keys == std::vector<kube::Key>{{"default", "a"}});
  CHECK(second.keys == std::vector<kube::Key>{{"default", "a"}});
}

TEST_CASE("a channel that receives more keys before the start than it stores reconciles every object") {
  controller::Channel channel;
  Listener listener(channel);
  listener.world.cache.of(memcacheds()).observe_write(memcached("known"));
  for (std::size_t number = 0; number <= limits::kChannelKeys; ++number) channel.enqueue(numbered(number));

  listener.run();

  const auto has = [&](const kube::Key& key) { return std::ranges::find(listener.keys, key) != listener.keys.end(); };
  CHECK(listener.keys.size() == limits::kChannelKeys + 1);
  CHECK(has(numbered(0)));
  CHECK_FALSE(has(numbered(limits::kChannelKeys)));
  CHECK(has({"default", "known"}));
  CHECK(listener.world.lines.find("A channel received more keys before the start than it stores, reconciling all "
                                  "objects") != nullptr);
}

TEST_CASE("stored keys are distinct, and a repeated key does not overflow the channel") {
  controller::StoredKeys stored;
  for (std::size_t number = 0; number < limits::kChannelKeys; ++number) stored.add(numbered(number));

  stored.add(numbered(1));
  CHECK_FALSE(stored.has_overflowed);

  stored.add(numbered(limits::kChannelKeys));
  CHECK(stored.has_overflowed);
  CHECK(stored.keys.size() == limits::kChannelKeys);
}
