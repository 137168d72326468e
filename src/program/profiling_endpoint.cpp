#include "src/program/profiling_endpoint.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/profiling/endpoints.hpp"

namespace keelson::program {

namespace {

bool is_without_address(const std::string& bind_address) { return bind_address.empty() || bind_address == "0"; }

}  // namespace

std::vector<std::string> shown_command_line(const std::string& program, const std::vector<zpages::FlagState>& flags) {
  std::vector<std::string> words{program};
  for (const auto& flag : flags) {
    if (flag.source != zpages::FlagSource::kCommandLine) continue;
    words.push_back("--" + flag.name + "=" + zpages::shown_value(flag, flag.value));
  }
  return words;
}

void ProfilingEndpoint::start(const std::string& bind_address, async::Clock& clock, std::uint64_t seed,
                              const Logger& log) {
  if (is_without_address(bind_address)) return;
  auto started = profiling::HeapProfile::start(clock, {.seed = seed});
  if (started) {
    heap_ = std::move(*started);
  } else {
    log.info("No heap profiles: " + started.error().message());
  }
}

Result<void> ProfilingEndpoint::build(const std::string& bind_address, boost::asio::any_io_executor executor,
                                      net::ServerBudget& budget, const EndpointGuard& guard,
                                      std::vector<std::string> command_line) {
  if (is_without_address(bind_address)) return {};
  std::vector<lifecycle::HttpEndpoint> all;
  for (auto& [path, handler] : profiling::endpoints({guard.clock, heap_.get(), std::move(command_line)})) {
    all.push_back({path, std::move(handler)});
  }
  KEELSON_LET(auto made, lifecycle::make_endpoint_service(std::move(executor), guard.clock, guard.log, budget, "pprof",
                                                          bind_address, guarded(std::move(all), guard)));
  service_ = std::move(made);
  return {};
}

void ProfilingEndpoint::add_to(lifecycle::Manager& manager) {
  if (service_) manager.add(lifecycle::Group::kServers, *service_);
}

}  // namespace keelson::program
