// The input and output of an exec plugin: ExecCredential of client.authentication.k8s.io.
//
// These functions only convert texts; plugin_credentials.hpp runs the plugin. Everything in a PluginCredential is
// secret: neither log it nor put it into an error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/detail/kubeconfig/config.hpp"

namespace keelson::kube {

// A token, a client certificate, or both. Without `expires` it is valid until the server rejects it.
struct PluginCredential {
  std::string token;            // a bearer token without line breaks; may be empty
  std::string certificate_pem;  // with key_pem, or both empty
  std::string key_pem;
  std::optional<async::WallTime> expires;
  bool operator==(const PluginCredential&) const = default;
};

inline constexpr const char* kExecInfoVariable = "KUBERNETES_EXEC_INFO";

enum class Terminal { kNone, kAttached };

// The terminal that the plugin may use, by its interactiveMode; kInvalid if it needs one and this process has none.
[[nodiscard]] Result<Terminal> terminal_for(const ExecPlugin& plugin, Terminal ours);

// The value of KUBERNETES_EXEC_INFO; src/kubeconfig/cluster_entry.cpp writes its spec.cluster.
[[nodiscard]] std::string exec_info(const ExecPlugin& plugin, Terminal terminal);

// Parses the plugin's standard output. Error texts are client-go's and contain no part of the output, which is a
// secret.
[[nodiscard]] Result<PluginCredential> parse_exec_credential(std::string_view output, const std::string& api_version);

}  // namespace keelson::kube
