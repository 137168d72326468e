// A cache of pods over a scripted server, in virtual time.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/cache/cache.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/cache/fake_server.hpp"

namespace keelson::cache {

class LineCollector final : public LogSink {
 public:
  bool enabled(Level, int) const override { return true; }
  void write(const Line& line) override {
    std::string text(line.message);
    for (const auto& field : line.fields) text += " " + field.key + "=" + field.value.as_json();
    lines.push_back(std::move(text));
  }
  std::vector<std::string> lines;
};

struct CacheOnFakeServer {
  explicit CacheOnFakeServer(CacheOptions options = {}) {
    cache = make_cache(loop.executor(), loop.clock(), random, Logger(sink), server, registry, std::move(options));
    InformerOptions pods;
    pods.resource = kube::pods();
    pods.label_indexes = {"app"};
    informer = &cache->declare(std::move(pods));
    informer->subscribe([this](const Event& event) {
      const char* type = event.type == Event::Type::kAdded     ? "added "
                         : event.type == Event::Type::kUpdated ? "updated "
                                                               : "deleted ";
      events.push_back((event.initial_list ? "initial "
                        : event.resync     ? "resync "
                                           : "") +
                       std::string(type) + std::string(event.object().name()));
    });
  }
  ~CacheOnFakeServer() {
    loop.run([this] { return cache->stop(); });
  }

  void start() {
    REQUIRE(testing::result_of(loop, cache->start()));
    loop.poll();
  }
  void pass(async::Duration time) {
    constexpr async::Duration kStep = std::chrono::milliseconds(50);
    for (async::Duration step{0}; step < time; step += kStep) {
      loop.clock().advance(kStep);
      loop.poll();
    }
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& object : informer->list()) found.emplace_back(object.name());
    std::ranges::sort(found);
    return found;
  }

  std::size_t requests_that(const std::function<bool(const kube::ApiRequest&)>& fit) const {
    const auto& requests = server.requests();
    return static_cast<std::size_t>(std::ranges::count_if(requests, fit));
  }

  sandbox::loop::TestLoop loop;
  base::Random random{3};
  LineCollector sink;
  metrics::Registry registry;
  FakeServer server;
  std::unique_ptr<Cache> cache;
  Informer* informer = nullptr;
  std::vector<std::string> events;
};

using Names = std::vector<std::string>;

}  // namespace keelson::cache
