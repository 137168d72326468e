// The course of a Job without pods: it starts, completes or fails after a while, and is deleted after its TTL.
#pragma once

#include <map>
#include <string>

#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/controllers/sync.hpp"

namespace keelson::sandbox {

// Whether another controller than Kubernetes' own works on the Job.
[[nodiscard]] bool is_managed_elsewhere(const Tree& job);

class Jobs {
 public:
  explicit Jobs(const ApiServerOptions& options) : options_(options) {}
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  void sync(Sync& job);

 private:
  void begin(Sync& job);
  void end(Sync& job);
  void expire(Sync& job);

  ApiServerOptions options_;
  std::map<std::string, async::TimePoint, std::less<>> ends_;  // by uid: the end of Jobs that run or have a TTL
};

}  // namespace keelson::sandbox
