// Finds the API server and the credentials for it: kubeconfig files, or the in-cluster configuration of a pod.
//
// load_connection() searches in controller-runtime's order:
// 1. the --kubeconfig flag: that file only, which must exist;
// 2. the environment variable KUBECONFIG: a list of files separated by ':', merged; for each entry, and for the current
//    context, the first file that has it wins; missing files are skipped;
// 3. the service account of the pod, if KUBERNETES_SERVICE_HOST and _PORT are set and its token exists;
// 4. ~/.kube/config.
// If the files of 1, 2 or 4 name no cluster, the in-cluster configuration is used after all, as in client-go.
//
// Ownership: the result is a value with the contents of all files, and refers to nothing. It stays valid when the files
// change. The client that is made from it (make_rest_client()) reads those files again that can change while the
// program runs: `token_file`, `ca_file`, `certificate_file` and `key_file`. An exec plugin is not started here, but by
// the first request of the client.
//
// Threads and cancellation: load_connection() is an ordinary function that blocks on small local files. Call it before
// the event loop starts; there is nothing to cancel.
//
// Errors are kInvalid: configuration that never works until a user corrects it. Their texts are client-go's and name
// the field and the file, except if the name of a user occurs twice: client-go then prints the whole list of users. No
// text of this room contains a token, a key or a password.
//
// Example (test/examples/kubeconfig.cpp#load):
//   // Before the event loop starts: load_connection reads files and blocks.
//   keelson::Result<kube::ConnectionConfig> find_api_server(const std::string& kubeconfig_flag,
//                                                           const keelson::Logger& log) {
//     KEELSON_LET(auto config, kube::load_connection(kubeconfig_flag, kube::process_environment()));
//     for (const auto& warning : config.warnings) log.info(warning);
//     log.info("Found the API server", {{"server", config.server}, {"source", config.source}});
//     return config;
//   }
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/kubeconfig/exec_plugin.hpp"
#include "keelson/detail/net/http_client.hpp"

namespace keelson::kube {

// The user that requests impersonate (`kubectl --as`): the Impersonate-* headers of each request.
//
// Without `user` there is no impersonation, and the other members must be empty. The authenticated user needs the
// permission "impersonate" for each of the four.
struct Impersonation {
  std::string user;                                       // "system:serviceaccount:default:greeter"; `as`
  std::string uid;                                        // `as-uid`
  std::vector<std::string> groups;                        // `as-groups`
  std::map<std::string, std::vector<std::string>> extra;  // `as-user-extra`; keys are sent percent-encoded
};

// The connection to one API server, fully resolved: all files have been read once, and paths are absolute.
//
// Without TLS it has no credentials except `impersonation`, as in client-go: they are never sent unencrypted, and a
// warning says so. The client sends one kind of credentials, in this order: the exec plugin's token, `token` (or the
// newest content of `token_file`), `username` and `password`; the client certificate in `tls` is used in addition.
struct ConnectionConfig {
  std::string server;   // "https://10.96.0.1:443", "https://rancher/k8s/clusters/c1"
  net::ServerUrl url;   // `server`, parsed
  tls::TlsOptions tls;  // CA, client certificate and key as PEM, server name
  // The files from which `tls` was read; the client reads them again every 5 minutes. Empty if the kubeconfig has the
  // data inline. `certificate_file` and `key_file` are both set or both empty.
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;

  std::string token;       // bearer token; if `token_file` is set, its newest readable content replaces this one
  std::string token_file;  // read again every 50 s, because the kubelet replaces it before the token expires
  std::string username;    // HTTP basic authentication; never together with a token
  std::string password;
  Impersonation impersonation;

  std::optional<ExecPlugin> exec;  // only without token, password and client certificate, as in client-go

  // From proxy-url of the kubeconfig, which ignores NO_PROXY; otherwise from HTTPS_PROXY (HTTP_PROXY without TLS),
  // unless NO_PROXY matches the server.
  std::optional<net::Proxy> proxy;
  bool disable_compression = false;   // of the cluster entry; only passed on to the exec plugin
  std::string ns = "default";         // of the context, or of the pod
  std::string source;                 // for the log: "kubeconfig /home/me/.kube/config, context \"kind\"", "in-cluster"
  std::vector<std::string> warnings;  // one log line each
};

// Reads a whole local file of at most limits::kLocalFileBytes (8 MiB); nullopt if there is no such file. A pipe
// ("--kubeconfig <(command)") works. Error texts are Go's: "open /x: permission denied".
using ReadFile = std::function<Result<std::optional<std::string>>(const std::string& path)>;

// Variables, files and directories of the process, as functions, so that tests need neither variables nor files.
struct Environment {
  std::function<std::string(const std::string& name)> variable;  // empty if the variable is not set
  ReadFile read_file;
  std::string home;               // $HOME, or that of /etc/passwd; empty if neither has one
  std::string working_directory;  // the base of relative paths of kubeconfig files
};

// The environment of this process.
[[nodiscard]] Environment process_environment();

// The connection of the current context, as described above; `kubeconfig_flag` is empty if the flag is not set. Blocks
// on small local files, so call it only while the program starts.
[[nodiscard]] Result<ConnectionConfig> load_connection(const std::string& kubeconfig_flag,
                                                       const Environment& environment);

}  // namespace keelson::kube
