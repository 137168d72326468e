// A loop, a server in this process and a client of it, for tests that send one request at a time.
#pragma once

#include <optional>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::sandbox::fixtures {

// With nodes, and the objects of a new cluster.
inline ApiServerOptions whole_cluster() {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  return options;
}

struct Talk {
  explicit Talk(ApiServerOptions options = {}, std::uint64_t seed = 1)
      : random(seed), server(loop.clock(), random, options) {}

  template <class T>
  Result<T> ask(Task<T> verb) {
    return testing::result_of(loop, std::move(verb));
  }

  Result<kube::Object> create_map(const std::string& name, const std::string& metadata = "") {
    auto body = R"({"metadata":{"name":")" + name + "\"" + metadata + "}}";
    return ask(kube::create(client(), kube::config_maps(), "default", body));
  }

  // The events of a watch until no more are ready.
  std::string read_ready(net::Stream& stream) {
    std::string text;
    loop.run([&]() -> boost::asio::awaitable<void> {
      char buffer[4096];
      auto read =
          co_await async::with_timeout(loop.clock(), std::chrono::milliseconds(50), "read", stream.read_some(buffer));
      text = read ? std::string(buffer, *read) : read.error().text;
    });
    return text;
  }

  void pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }
  kube::Client& client() { return server.client("tester"); }

  sandbox::loop::TestLoop loop;
  base::Random random;
  ApiServer server;
};

inline kube::ApiRequest watch_of(const kube::Resource& resource,
                                 std::vector<std::pair<std::string, std::string>> query = {}) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kWatch;
  request.resource = resource;
  request.query = std::move(query);
  return request;
}

}  // namespace keelson::sandbox::fixtures
