// A list that lacks many cached objects: the informer removes them in portions, and yields the loop in between.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>

#include "test/unit/cache/cache_on_fake_server.hpp"

#include "keelson/detail/async/time_slice.hpp"

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;

constexpr int kObjects = 2000;
constexpr std::size_t kObjectBytes = 2000;

std::string name_of(int number) { return "pod-" + std::to_string(number); }

// A cache of many pods whose next list has none of them. `meanwhile` is called each time that the loop gets its turn
// between two removals.
struct VanishingPods {
  explicit VanishingPods(std::function<void(VanishingPods&)> meanwhile) : meanwhile_(std::move(meanwhile)) {
    world.informer->subscribe([this](const Event& event) {
      if (event.type != Event::Type::kDeleted) return;
      ++removed;
      if (std::exchange(is_waiting_for_turn_, true)) return;
      boost::asio::post(world.loop.executor(), [this] {
        is_waiting_for_turn_ = false;
        ++turns;
        if (removed < kObjects) meanwhile_(*this);
      });
    });
    std::vector<std::string> lines;
    const std::string padding = R"(,"pad":")" + std::string(kObjectBytes, 'x') + "\"";
    for (int number = 0; number < kObjects; ++number) {
      lines.push_back(event("ADDED", pod(name_of(number), 3, padding)));
    }
    lines.push_back(end_of_list(5));
    watch_ = world.server.next_stream(lines);
    relist = world.server.next_stream({});
    world.start();
    world.pass(100ms);
    REQUIRE(world.informer->list().size() == kObjects);
    watch_->push(event("ERROR", R"({"kind":"Status","status":"Failure","reason":"Expired","code":410})") + "\n");
    world.pass(3s);
  }
  void list_nothing() {
    relist->push(end_of_list(100) + "\n");
    world.pass(1s);
  }

  CacheOnFakeServer world;
  std::shared_ptr<FakeBody> relist;
  int removed = 0;
  int turns = 0;

 private:
  std::function<void(VanishingPods&)> meanwhile_;
  std::shared_ptr<FakeBody> watch_;
  bool is_waiting_for_turn_ = false;
};

TEST_CASE("a list that lacks thousands of objects yields the loop while it removes them") {
  VanishingPods pods([](VanishingPods&) {});

  pods.list_nothing();

  CHECK(pods.removed == kObjects);
  CHECK(pods.world.names().empty());
  CHECK(pods.turns >= static_cast<int>(kObjects * kObjectBytes / limits::kDecodeSliceBytes));
}

TEST_CASE("the version of a list is observed after all removals are published, and reads return no removed object") {
  std::vector<std::uint64_t> versions;
  std::vector<std::size_t> in_cache;
  std::vector<std::size_t> expected;
  VanishingPods pods([&](VanishingPods& p) {
    versions.push_back(p.world.informer->observed_version());
    in_cache.push_back(p.world.informer->by_index(label_index("app"), "web").size());
    expected.push_back(static_cast<std::size_t>(kObjects - p.removed));
  });

  pods.list_nothing();

  REQUIRE(!versions.empty());
  CHECK(std::ranges::all_of(versions, [](auto version) { return version == 5; }));
  CHECK(in_cache == expected);
  CHECK(pods.world.informer->observed_version() == 100);
}

TEST_CASE("own writes and deletions during the removals are effective") {
  bool is_done = false;
  VanishingPods pods([&](VanishingPods& p) {
    if (std::exchange(is_done, true)) return;
    // No object exists any more, so this reply is older than the list, even if the object is not removed yet.
    p.world.cache->observe_write(kube::pods(), *kube::Object::from_json(pod(name_of(0), 90)));
    p.world.cache->observe_write(kube::pods(), *kube::Object::from_json(pod(name_of(kObjects - 1), 90)));
    p.world.cache->observe_write(kube::pods(), *kube::Object::from_json(pod("new", 101)));
    auto left = p.world.informer->list();
    p.world.cache->observe_delete(kube::pods(), left.front().key(), left.front().uid());
    const auto& other = left[left.size() - 2];  // before "new"
    p.world.cache->observe_delete(kube::pods(), other.key(), other.uid());
  });

  pods.list_nothing();

  CHECK(is_done);
  CHECK(pods.world.names() == Names{"new"});
  CHECK(pods.removed == kObjects);
}

TEST_CASE("handlers and reads agree after a stop during the removals") {
  VanishingPods pods([](VanishingPods&) {});

  pods.relist->push(end_of_list(100) + "\n");
  pods.world.loop.poll();
  pods.world.loop.clock().advance(1ms);  // what the reflector waits for more to arrive
  pods.world.loop.run([&]() -> boost::asio::awaitable<void> {
    while (pods.removed == 0) co_await sandbox::loop::yield();
    co_await pods.world.cache->stop();
  });

  CHECK(pods.removed > 0);
  CHECK(pods.removed < kObjects);
  CHECK(pods.world.informer->list().size() == static_cast<std::size_t>(kObjects - pods.removed));
}

TEST_CASE("events that arrive with the end of the list are published after the removals") {
  VanishingPods pods([](VanishingPods&) {});

  pods.relist->push(event("ADDED", pod("kept", 50)) + "\n" + end_of_list(100) + "\n" +
                    event("ADDED", pod(name_of(1), 101)) + "\n" + event("DELETED", pod("kept", 102)) + "\n");
  pods.world.pass(1s);

  CHECK(pods.world.names() == Names{name_of(1)});
  CHECK(pods.world.informer->observed_version() == 102);
}

}  // namespace
}  // namespace keelson::cache
