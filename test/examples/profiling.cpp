// The examples in the headers of room profiling.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/lifecycle/http_service.hpp"
#include "keelson/detail/profiling/cpu_profile.hpp"
#include "keelson/detail/profiling/endpoints.hpp"
#include "keelson/detail/profiling/heap_profile.hpp"

namespace keelson::examples {

// [cpu_profile]
Task<std::string> profile_a_minute(async::Clock& clock) {
  KEELSON_CO_LET(auto profile, profiling::CpuProfile::start(clock));
  co_await async::sleep_for(clock, std::chrono::minutes(1));
  co_return profile->finish();
}
// [end]

// [heap_profile]
Result<std::string> profile_of_a_list(async::Clock& clock) {
  KEELSON_LET(auto profile, profiling::HeapProfile::start(clock, {.rate = 1}));
  const std::vector<std::string> words(1000, "a text that does not fit into the string itself");
  return profile->encode(profiling::HeapProfile::View::kInUse);
}
// [end]

// [endpoints]
std::vector<lifecycle::HttpEndpoint> profile_endpoints(async::Clock& clock, const profiling::HeapProfile* heap) {
  std::vector<lifecycle::HttpEndpoint> all;
  for (auto& [path, handler] : profiling::endpoints({clock, heap, {"greeter", "--leader-elect"}})) {
    all.push_back({path, std::move(handler)});
  }
  return all;
}
// [end]

}  // namespace keelson::examples
