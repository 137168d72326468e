// The object that `manager explain` is asked about, and the pods that may know it, without I/O.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/resource.hpp"

namespace keelson::program {

struct ExplainTarget {
  kube::Resource resource;
  kube::Key key;
};

// KIND and NAMESPACE/NAME, or NAME of a cluster-scoped kind. KIND is the kind, its plural or a short name, in any case,
// with or without the group. An error suggests the nearest kind.
[[nodiscard]] Result<ExplainTarget> parse_explain_target(const std::vector<std::string>& arguments,
                                                         const std::vector<controller::Definition>& controllers);

// A pod of the manager that can be asked.
struct ManagerPod {
  std::string name;
  int port = 8081;  // of /debug/objects
  std::string service_account = "default";
};

// The running pods, with the leader first: the name of its pod begins the holder's identity. The port is the container
// port with the name `health`.
[[nodiscard]] std::vector<ManagerPod> manager_pods(const std::vector<kube::Object>& pods, std::string_view holder);

}  // namespace keelson::program
