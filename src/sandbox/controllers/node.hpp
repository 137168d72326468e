// The scheduler and the kubelet: pods run on a node a while after their creation, and are deleted immediately.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/controllers/sync.hpp"

namespace keelson::sandbox {

class Node {
 public:
  explicit Node(const ApiServerOptions& options) : options_(options) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  void set_image_works(std::function<bool(const std::string& image)> works) { image_works_ = std::move(works); }
  void sync(Sync& pod);

 private:
  void sync_task(Sync& pod);
  void finish(Sync& pod);
  [[nodiscard]] bool can_run(const Tree& pod) const;

  ApiServerOptions options_;
  std::function<bool(const std::string& image)> image_works_;
  std::map<std::string, async::TimePoint, std::less<>> starts_;  // by uid, of pods that do not run yet
  std::map<std::string, async::TimePoint, std::less<>> ends_;    // by uid, of running pods of Jobs
};

}  // namespace keelson::sandbox
