// The course of a Job without pods: it starts, completes or fails after a while, and is deleted after its TTL.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

class Jobs {
 public:
  Jobs(Operations operations, const ApiServerOptions& options)
      : operations_(std::move(operations)), options_(options) {}
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Schedules a sync of the changed Job after the controllers' delay.
  void changed(const kube::Key& key);
  // Performs the due changes and returns when to call again.
  std::optional<async::TimePoint> sync();

 private:
  void look_at(const kube::Key& key);
  void begin(const kube::Object& job, const Tree& tree);
  void end(const kube::Object& job, const Tree& tree);
  void expire(const kube::Object& job, const Tree& tree);

  Operations operations_;
  ApiServerOptions options_;
  std::set<std::pair<async::TimePoint, kube::Key>> due_;
  std::map<std::string, async::TimePoint, std::less<>> ends_;  // by uid: the end of Jobs that run or have a TTL
};

}  // namespace keelson::sandbox
