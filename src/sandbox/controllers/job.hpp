// What becomes of a Job: it begins, is done after a while or fails, and goes when its time to live is over.
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
  Jobs(Operations operations, const ServerOptions& options) : operations_(std::move(operations)), options_(options) {}
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Something about it is different: it is looked at after the controllers' delay.
  void changed(const kube::Key& key);
  // Does what is due; when to come again.
  std::optional<async::TimePoint> sync();

 private:
  void look_at(const kube::Key& key);
  void begin(const kube::Object& job, const Tree& tree);
  void end(const kube::Object& job, const Tree& tree);
  void expire(const kube::Object& job, const Tree& tree);

  Operations operations_;
  ServerOptions options_;
  std::set<std::pair<async::TimePoint, kube::Key>> due_;
  std::map<std::string, async::TimePoint, std::less<>> ends_;  // by uid, of those that run or have a time to live
};

}  // namespace keelson::sandbox
