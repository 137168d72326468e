// Leader election of the running program: the election, with its own connection to the API server.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/detail/leader/election.hpp"
#include "keelson/detail/program/flags.hpp"

namespace keelson::program {

// The namespace of the lease: that of the flag, else of the pod, else of the connection.
[[nodiscard]] std::string election_namespace(const Options& options, const kube::ConnectionConfig& config,
                                             const kube::Environment& environment);

class Leadership {
 public:
  // All references must outlive it.
  Leadership(boost::asio::any_io_executor executor, async::Clock& clock, base::Random& random, const Logger& log,
             metrics::Registry& registry)
      : executor_(std::move(executor)), clock_(clock), random_(random), log_(log), registry_(registry) {}

  // Fails as make_rest_client does. `api_options` are the manager's.
  [[nodiscard]] Result<void> build(const Options& options, kube::ConnectionConfig config,
                                   kube::RestClientOptions api_options);
  // Call it only after build().
  [[nodiscard]] leader::Election& election() { return *election_; }

 private:
  boost::asio::any_io_executor executor_;
  async::Clock& clock_;
  base::Random& random_;
  Logger log_;
  metrics::Registry& registry_;
  std::unique_ptr<kube::Client> api_server_;
  std::optional<leader::Election> election_;
};

}  // namespace keelson::program
