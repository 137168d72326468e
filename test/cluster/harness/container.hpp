// A container of a pod, run as a process of this machine in the place of a kubelet: its command, its environment, its
// files, its user, a read-only file system with nothing else in it; but on this machine's network.
//
// The pod itself stands on a fake node, where it is Running and does nothing. Needs root.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "test/cluster/harness/pod.hpp"
#include "test/cluster/harness/process.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::test {

// An image that holds nothing but a static program.
struct Image {
  std::string program;     // here
  std::string entrypoint;  // in the image
};

// Of the Dockerfile; and of quay.io/brancz/kube-rbac-proxy, built beside the control plane.
[[nodiscard]] Image manager_image();
[[nodiscard]] Image kube_rbac_proxy_image();

// Destroying it kills it, and drops its log unless the test failed.
class Container {
 public:
  // The pod outlives it.
  Container(const Pod& pod, std::string name, const Image& image);
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
  ~Container();

  // What a kubelet finds out by "readinessProbe" or "livenessProbe".
  [[nodiscard]] bool passes(const std::string& probe) const;
  void wait_until_ready() const;
  // SIGTERM, and its exit code; fails the test when the pod's grace period is over before it has ended.
  int terminate();
  [[nodiscard]] std::string log() const { return process_->log(); }

 private:
  void write_files();
  void signal(int number);

  const Pod& pod_;
  std::string name_;
  TemporaryFolder folder_;
  std::filesystem::path root_ = folder_.path() / "root";
  std::string log_file_;
  std::unique_ptr<Process> process_;
};

}  // namespace keelson::test
