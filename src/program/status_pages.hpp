// /statusz and /flagz of the running program: gathers what its services report.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/leader/election.hpp"
#include "keelson/detail/lifecycle/http_service.hpp"
#include "keelson/detail/lifecycle/loop_lag.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/zpages/endpoint.hpp"
#include "keelson/detail/zpages/error_log.hpp"
#include "keelson/detail/zpages/flags_page.hpp"
#include "keelson/detail/zpages/history.hpp"
#include "keelson/detail/zpages/status.hpp"
#include "keelson/program/operator.hpp"
#include "src/program/log_level.hpp"
#include "src/program/metrics_endpoint.hpp"
#include "src/program/webhooks.hpp"

namespace keelson::program {

// The last attempt of a request to the API server that got no reply.
struct LastFailure {
  std::string error;  // empty: there was none
  async::TimePoint at{};
};

// The services that are asked. All must outlive the pages.
struct StatusSources {
  boost::asio::any_io_executor executor;
  async::Clock& clock;
  metrics::Registry& registry;
  lifecycle::LoopLag& loop_lag;
  const controller::ControllerRuntime& controllers;
  const cache::Cache& cache;
  const leader::Elector* elector;  // null: without leader election
  const Webhooks& webhooks;
  const MetricsEndpoint& metrics_endpoint;
  const LogLevel* log_level = nullptr;  // null: unknown
  const net::ServerBudget& servers;
  const zpages::ErrorLog& errors;
  const LastFailure& api_failure;
  std::string api_server;  // its URL
  std::string program;
  OperatorVersion version;
  bool is_dry_run = false;
  std::vector<zpages::FlagState> flags = {};
};

class StatusPages {
 public:
  explicit StatusPages(StatusSources sources);
  StatusPages(const StatusPages&) = delete;
  StatusPages& operator=(const StatusPages&) = delete;

  // /statusz and /flagz. `others` are further paths of the server, to link.
  [[nodiscard]] std::vector<lifecycle::HttpEndpoint> endpoints(const std::vector<std::string>& others);
  // The sampling of the charts.
  void add_to(lifecycle::Manager& manager) { manager.add(lifecycle::Group::kServers, history_); }

  [[nodiscard]] zpages::Status status() const;

 private:
  void add_history();
  [[nodiscard]] std::string statusz(zpages::Format format) const;
  [[nodiscard]] std::string flagz(zpages::Format format) const;
  [[nodiscard]] std::vector<zpages::ControllerFigures> controllers() const;
  [[nodiscard]] std::vector<zpages::InformerFigures> informers() const;
  void fill_webhooks(zpages::Status& status) const;
  void fill_certificates(zpages::Status& status) const;
  void fill_requests(zpages::Status& status) const;

  StatusSources sources_;
  async::TimePoint started_;
  std::uint64_t memory_limit_;
  std::vector<double> ready_;  // keys of each controller, at the last sampling
  zpages::History history_;
  std::vector<std::string> paths_;
};

}  // namespace keelson::program
