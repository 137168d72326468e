// A client of the cluster that KUBECONFIG names, with everything it needs, for the measurements.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::bench {

struct ClusterClient {
  explicit ClusterClient(const std::string& user_agent) {
    auto config = kube::load_connection("", kube::process_environment());
    if (!config) give_up(config.error());
    kube::RestClientOptions options;
    options.user_agent = user_agent;
    auto made = kube::make_rest_client(loop.get_executor(), *clock, random, log, registry, std::move(*config),
                                       std::move(options));
    if (!made) give_up(made.error());
    client = std::move(*made);
  }

  [[noreturn]] static void give_up(const Error& error) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    std::exit(1);
  }

  boost::asio::io_context loop{1};
  std::unique_ptr<async::Clock> clock = async::make_real_clock(loop.get_executor());
  base::Random random{1};
  std::unique_ptr<LogSink> sink = make_stderr_sink({});
  Logger log{*sink};
  metrics::Registry registry;
  std::unique_ptr<kube::Client> client;
};

}  // namespace keelson::bench
