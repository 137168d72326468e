// What it takes to talk to one API server, and where it is found: kubeconfig files, or the cluster around us.
//
// The order is controller-runtime's: the --kubeconfig flag (that file only), the list in KUBECONFIG (merged),
// the service account of the pod, ~/.kube/config. Error texts are client-go's, after the field that they
// are about, without its one habit of printing whole lists of users: no text of ours holds a token, a key or a
// password.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/kube/exec_plugin.hpp"
#include "keelson/net/http_client.hpp"

namespace keelson::kube {

// Whom the API server shall take us for; nobody when `user` is empty.
struct Impersonation {
  std::string user;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
};

// Fully resolved: files have been read once, paths are absolute. Without TLS there are no credentials in it but
// `impersonation`, as in client-go: they are never sent in the clear.
struct ConnectionConfig {
  std::string server;  // "https://10.96.0.1:443", "https://rancher/k8s/clusters/c1"
  net::ServerUrl url;  // the same, taken apart
  net::TlsOptions tls;
  // Files that `tls` was read from and that may change; empty: it was inline. The last two come together or not at all.
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;

  std::string token;       // Credentials prefers the file when there are both
  std::string token_file;  // re-read, because the kubelet replaces it
  std::string username;
  std::string password;
  Impersonation impersonation;

  std::optional<ExecPlugin> exec;  // set when there is nothing else to show

  std::optional<net::Proxy> proxy;  // of the kubeconfig, else of HTTPS_PROXY and its like
  bool disable_compression = false;
  std::string ns = "default";         // of the context, or of the pod
  std::string source;                 // for the log: "kubeconfig /home/me/.kube/config, context \"kind\"", "in-cluster"
  std::vector<std::string> warnings;  // one log line each
};

// A whole local file of at most limits::kLocalFileBytes; nothing when there is none of that name.
// Errors read as Go's: "open /x: permission denied".
using ReadFile = std::function<Result<std::optional<std::string>>(const std::string& path)>;

// The process around us, as functions, so that tests need neither variables nor files.
struct Environment {
  std::function<std::string(const std::string& name)> variable;  // empty when it is not set
  ReadFile read_file;
  std::string home;               // may be empty
  std::string working_directory;  // what relative paths start from
};
[[nodiscard]] Environment process_environment();

// `kubeconfig_flag` may be empty. Blocks on small local files: for the start of a program only.
[[nodiscard]] Result<ConnectionConfig> load_connection(const std::string& kubeconfig_flag,
                                                       const Environment& environment);

}  // namespace keelson::kube
