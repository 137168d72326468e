// The subresources of an object: the parts and actions that a URL names after the object, such as deployments/x/scale.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

enum class Subresource {
  kNone,  // the object itself
  kApproval,
  kAttach,
  kBinding,
  kEphemeralContainers,
  kEviction,
  kExec,
  kFinalize,
  kLog,
  kPortForward,
  kProxy,
  kResize,
  kScale,
  kStatus,
  kToken,
};

// As in URLs; empty for the object itself.
[[nodiscard]] std::string subresource_name(Subresource subresource);
// nullopt: no kind has such a subresource.
[[nodiscard]] std::optional<Subresource> subresource_named(std::string_view name);

// Whether the subresource is an action, which a POST requests; others are parts of an object.
[[nodiscard]] bool is_action(Subresource subresource);
// Whether a request for it is about a running container.
[[nodiscard]] bool is_of_container(Subresource subresource);

// "deployments/scale", as discovery lists it.
struct ServedSubresource {
  Subresource subresource = Subresource::kNone;
  std::string group;  // of the request and reply kind; empty: that of the resource itself
  std::string version;
  std::string kind;
  std::vector<std::string> verbs;

  [[nodiscard]] std::string name() const { return subresource_name(subresource); }
};

}  // namespace keelson::sandbox
