// A client of a keelson-sandbox in another process, configured by its kubeconfig.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {

struct Connected {
  // `token` replaces that of the kubeconfig, unless it is empty.
  explicit Connected(const std::string& kubeconfig, const std::string& token = "") {
    auto config = kube::load_connection(kubeconfig, kube::process_environment());
    REQUIRE(config);
    if (!token.empty()) config->token = token;
    auto made = kube::make_rest_client(loop.executor(), loop.real_clock(), random, Logger(sink), registry,
                                       std::move(*config), {.user_agent = "test"});
    REQUIRE(made);
    client = std::move(*made);
  }

  template <class T>
  Result<T> ask(Task<T> verb) {
    return real_result_of(loop, std::move(verb));
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  base::Random random{1};
  metrics::Registry registry;
  std::unique_ptr<kube::Client> client;
};

}  // namespace keelson::testing
