// Profiles of this process for pprof, as Go's net/http/pprof serves them.
//
// Overview of room profiling:
// - endpoints.hpp: the endpoints /debug/pprof/…; the program serves them with --pprof-bind-address.
// - cpu_profile.hpp: the functions that use the CPU. heap_profile.hpp: the functions that allocate memory.
//
// | path | reply |
// |---|---|
// | /debug/pprof/ | a list of the other paths, as text |
// | /debug/pprof/profile?seconds=N | a CPU profile of the next N seconds, 30 by default, at most limits::kProfileTime |
// | /debug/pprof/heap | the memory in use now, and all allocations since the start of the heap profile |
// | /debug/pprof/allocs | the same; pprof shows the allocations first |
// | /debug/pprof/cmdline | the words of the command line, separated by NUL |
// | /debug/pprof/symbol | that there are no symbols here: pprof then reads them from a file |
//
// A profile has addresses and no names: pprof finds the names in the unstripped program, by its build ID.
//
// Errors are text and have the header X-Go-Pprof, which lets pprof show them: 400 for an invalid number of seconds, or
// `seconds` with a profile of memory; 405 for a method other than GET and HEAD (and POST of symbols); 409 if another
// CPU profile is in progress; 501 without a heap profile, or if this program cannot be profiled.
//
// Ownership: the clock and the heap profile must outlive the handlers and every request that they still serve.
// Cancellation: a CPU profile ends when its client disconnects, and when its request is canceled.
// Protection: these handlers answer every client. The program adds authentication and authorization.
//
// Example (test/examples/profiling.cpp#endpoints):
//   std::vector<lifecycle::HttpEndpoint> profile_endpoints(async::Clock& clock, const profiling::HeapProfile* heap) {
//     std::vector<lifecycle::HttpEndpoint> all;
//     for (auto& [path, handler] : profiling::endpoints({clock, heap, {"greeter", "--leader-elect"}})) {
//       all.push_back({path, std::move(handler)});
//     }
//     return all;
//   }
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/profiling/heap_profile.hpp"

namespace keelson::limits {

// The longest CPU profile: longer ones only repeat the same stacks.
inline constexpr std::chrono::seconds kProfileTime{300};

}  // namespace keelson::limits

namespace keelson::profiling {

struct EndpointParts {
  async::Clock& clock;
  const HeapProfile* heap = nullptr;      // null: profiles of memory are 501
  std::vector<std::string> command_line;  // without secrets
};

struct Endpoint {
  std::string path;  // without a query
  net::Handler handler;
};

[[nodiscard]] std::vector<Endpoint> endpoints(EndpointParts parts);

}  // namespace keelson::profiling
