// A container of a pod, run as a process of this machine in place of a kubelet: its command, its environment, its
// files, its user, a read-only file system with nothing else in it, and this machine's network.
//
// The pod itself is on a fake node, where it is Running and does nothing. Requires root.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "test/cluster/harness/pod.hpp"
#include "test/cluster/harness/process.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {

// An image that contains only a static program.
struct Image {
  std::string program;     // its path on this machine
  std::string entrypoint;  // its path in the image
};

// The image of the Dockerfile, and that of quay.io/brancz/kube-rbac-proxy, which is built with the control plane.
[[nodiscard]] Image manager_image();
[[nodiscard]] Image kube_rbac_proxy_image();

// Destroying it kills it, and deletes its log unless the test failed.
class Container {
 public:
  // The pod outlives it.
  Container(const Pod& pod, std::string name, const Image& image);
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
  ~Container();

  // The result of "readinessProbe" or "livenessProbe", as a kubelet probes.
  [[nodiscard]] bool passes(const std::string& probe) const;
  void wait_until_ready() const;
  // Sends SIGTERM and returns the exit code; fails the test if the process outlives the pod's grace period.
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

}  // namespace keelson::testing
