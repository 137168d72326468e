// The scheduler and the kubelet: pods run on a node a while after their creation, and are deleted immediately.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/controllers/pods.hpp"

namespace keelson::sandbox {

class Node {
 public:
  Node(Operations operations, const ApiServerOptions& options)
      : operations_(std::move(operations)), options_(options) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  void changed(const kube::Key& pod) { changed_.insert(pod); }
  // Called when nodes change, because unscheduled pods may fit now.
  void all_changed();
  void set_image_works(std::function<bool(const std::string& image)> works);
  // Performs the due changes and returns when to call again.
  [[nodiscard]] Again sync();

 private:
  [[nodiscard]] Again sync_pod(const kube::Object& pod);
  [[nodiscard]] Again sync_task(const kube::Object& pod);
  void finish(const kube::Key& key);
  void run(const kube::Key& key);
  void record_each(const kube::Object& pod, const Tree& tree, const std::string& reason, const std::string& text);
  [[nodiscard]] bool can_run(const Tree& pod) const;

  Operations operations_;
  ApiServerOptions options_;
  std::function<bool(const std::string& image)> image_works_;
  std::set<kube::Key> changed_;
  std::set<std::pair<async::TimePoint, kube::Key>> due_;
  std::map<std::string, async::TimePoint, std::less<>> starts_;  // by uid, of pods that do not run yet
  std::map<std::string, async::TimePoint, std::less<>> ends_;    // by uid, of running pods of Jobs
};

}  // namespace keelson::sandbox
