// /debug/pprof of the running program, with --pprof-bind-address: its server and the heap profile.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/lifecycle/http_service.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/profiling/heap_profile.hpp"
#include "keelson/detail/program/flags.hpp"
#include "src/program/endpoint_guard.hpp"

namespace keelson::program {

// The words of the command line, without the values that /flagz does not show.
[[nodiscard]] std::vector<std::string> shown_command_line(const std::string& program,
                                                          const std::vector<zpages::FlagState>& flags);

class ProfilingEndpoint {
 public:
  // Begins the heap profile, unless `bind_address` (--pprof-bind-address) is off. Call it as early as possible: what
  // was allocated before is not in the profile.
  void start(const std::string& bind_address, async::Clock& clock, std::uint64_t seed, const Logger& log);

  // Binds the address; fails if it is taken. `guard` authenticates clients, even if metrics are open: profiles show the
  // code of the program, and taking one costs CPU time.
  [[nodiscard]] Result<void> build(const std::string& bind_address, boost::asio::any_io_executor executor,
                                   net::ServerBudget& budget, const EndpointGuard& guard,
                                   std::vector<std::string> command_line);
  void add_to(lifecycle::Manager& manager);
  // 0: off
  [[nodiscard]] std::uint16_t port() const { return service_ ? service_->port() : std::uint16_t{0}; }

 private:
  std::unique_ptr<profiling::HeapProfile> heap_;     // null: off, or not possible in this program
  std::unique_ptr<lifecycle::HttpService> service_;  // null: off
};

}  // namespace keelson::program
