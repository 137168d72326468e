// What an exec plugin is told and what it answers: the two halves of client.authentication.k8s.io ExecCredential.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/kube/config.hpp"

namespace keelson::kube {

struct PluginCredential {
  std::string token;
  std::string certificate_pem;  // with key_pem, or both empty
  std::string key_pem;
  std::optional<async::WallTime> expires;
  bool operator==(const PluginCredential&) const = default;
};

inline constexpr const char* kExecInfoVariable = "KUBERNETES_EXEC_INFO";

enum class Terminal { kNone, kAttached };

// Whether the plugin may talk to whoever sits at the terminal; fails when it must and nobody does.
[[nodiscard]] Result<Terminal> terminal_for(const ExecPlugin& plugin, Terminal ours);

// The value of KUBERNETES_EXEC_INFO.
[[nodiscard]] std::string exec_info(const ExecPlugin& plugin, Terminal terminal);

// spec.cluster of it.
[[nodiscard]] std::string exec_cluster_info(const ConnectionConfig& config, const std::string& proxy_url,
                                            const std::string& extension);

// The plugin's standard output. Errors are client-go's, and hold nothing of it.
[[nodiscard]] Result<PluginCredential> parse_exec_credential(std::string_view output, const std::string& api_version);

}  // namespace keelson::kube
