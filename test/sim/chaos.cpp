#include "test/sim/chaos.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <set>

namespace keelson::test {
namespace asio = boost::asio;
using namespace std::chrono_literals;
using sandbox::RequestInfo;
using sandbox::WriteFate;

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Chaos::Chaos(std::uint64_t seed, std::vector<controller::Definition> definitions, sandbox::ServerOptions options)
    : world(seed, 2 + seed % 2, std::move(definitions), options), chance(seed + 1'000'000), mends_(world.count()) {
  world.server.before_write([this](const RequestInfo& request) { return fate_of(request); });
}

void Chaos::rage(int seconds, const std::function<void()>& ask) {
  for (int second = 0; second < seconds; ++second) {
    ask();
    // In the middle of the work that this makes.
    step(chance.between(0, 100) * 1ms);
    if (chance.unit() < 0.3) harm(static_cast<std::size_t>(chance.between(0, std::int64_t(world.count()) - 1)));
    step(900ms);
  }
}

void Chaos::calm() {
  losses_ = 0;
  for (std::size_t replica = 0; replica < world.count(); ++replica) mend(replica);
}

void Chaos::step(async::Duration time) {
  for (auto end = world.loop.clock().now() + time; world.loop.clock().now() < end;) {
    world.pass(std::min<async::Duration>(50ms, end - world.loop.clock().now()));
    most_writers = std::max(most_writers, world.writers());
    for (std::size_t replica = 0; replica < world.count(); ++replica) mend_in_time(replica);
  }
}

std::string Chaos::who_came_back() const {
  std::set<std::string> gone;
  std::string last;
  for (const auto& request : world.server.log()) {
    bool counts = request.is_write() && request.code >= 200 && request.code < 300 &&
                  request.user.starts_with("replica-") && request.resource != kube::leases() &&
                  request.resource != kube::core_events();
    if (!counts || request.user == last) continue;
    if (gone.contains(request.user)) return request.user + " after " + last;
    gone.insert(last);
    last = request.user;
  }
  return "";
}

std::size_t Chaos::reigns() const {
  std::set<std::string> all;
  for (const auto& request : world.server.log()) {
    if (request.resource == kube::leases() && request.is_write() && request.code < 300) all.insert(request.user);
  }
  return all.size();
}

void Chaos::create(const kube::Resource& resource, const std::string& object) {
  world.loop.run([&]() -> asio::awaitable<void> {
    auto created = co_await kube::create(world.server.client("user"), resource, "default", object);
    REQUIRE(created);
  });
}

void Chaos::patch(const kube::Resource& resource, const std::string& name, const std::string& merge_patch) {
  world.loop.run([&]() -> asio::awaitable<void> {
    auto patched = co_await kube::patch(world.server.client("user"), resource, kube::Key("default", name),
                                        kube::PatchType::kMerge, merge_patch);
    REQUIRE(patched);
  });
}

void Chaos::harm(std::size_t replica) {
  auto& life = world.at(replica);
  mends_[replica] = world.loop.clock().now() + chance.between(1, 40) * 1s;
  switch (chance.between(0, 8)) {
    case 0:
      return life.kill();
    case 1:
      return life.stop();
    case 2:
    case 3:
      return life.pause();
    case 4:
    case 5:
      life.weather.is_cut_off = true;
      return life.weather.changed.notify_all();
    case 6:
      life.weather.slowness = chance.between(1, 3000) * 1ms;
      return;
    case 7:
      losses_ = chance.unit() * 0.7;
      return world.server.drop_watches();
    default:
      return world.loop.clock().set_wall(world.loop.clock().wall_now() + chance.between(-4000, 4000) * 1s);
  }
}

void Chaos::mend(std::size_t replica) {
  auto& life = world.at(replica);
  life.weather.is_cut_off = false;
  life.weather.slowness = kUsualSlowness;
  life.resume();
  mends_[replica] = {};
}

// And starts anew what has ended.
void Chaos::mend_in_time(std::size_t replica) {
  static_cast<void>(world.at(replica));
  if (mends_[replica] != async::TimePoint{} && world.loop.clock().now() >= mends_[replica]) mend(replica);
}

WriteFate Chaos::fate_of(const RequestInfo& request) {
  if (request.resource != kube::leases() || chance.unit() >= losses_) return WriteFate::kProceeds;
  return chance.unit() < 0.5 ? WriteFate::kLost : WriteFate::kReplyLost;
}

}  // namespace keelson::test
