#include "src/program/leadership.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::program {

namespace {

constexpr const char* kNamespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

}  // namespace

std::string election_namespace(const Options& options, const kube::ConnectionConfig& config,
                               const kube::Environment& environment) {
  if (!options.leader_election_namespace.empty()) return options.leader_election_namespace;
  auto file = environment.read_file(kNamespaceFile);
  if (file && *file && !base::trim(**file).empty()) return std::string(base::trim(**file));
  auto variable = environment.variable("POD_NAMESPACE");
  return variable.empty() ? config.ns : variable;
}

// A connection of its own, so that many other requests do not delay a renewal.
Result<void> Leadership::build(const Options& options, kube::ConnectionConfig config,
                               kube::RestClientOptions api_options) {
  auto ns = election_namespace(options, config, kube::process_environment());
  api_options.user_agent += "/leader-election";
  api_options.request_timeout = options.leader_timing.request_timeout();
  KEELSON_LET(auto api_server, kube::make_rest_client(executor_, clock_, random_, log_, registry_, std::move(config),
                                                      std::move(api_options)));
  api_server_ = std::move(api_server);
  election_.emplace(executor_, clock_, random_, log_.named("leader-election"), registry_, *api_server_,
                    leader::ElectionOptions{.lease = kube::Key(ns, options.leader_election_id),
                                            .identity = leader::make_identity(random_),
                                            .timing = options.leader_timing});
  return {};
}

}  // namespace keelson::program
