#include "src/kubeconfig/cluster_entry.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/json/writer.hpp"
#include "src/kubeconfig/entry_files.hpp"
#include "src/kubeconfig/proxy_url.hpp"

namespace keelson::kube {

using Cluster = Kubeconfig::Cluster;

namespace {

// Without a scheme, client-go accepts a host, or host and port, and uses plain HTTP. Query and fragment are ignored.
Result<std::string> normalised_server(const std::string& server) {
  auto url = server.substr(0, server.find_first_of("?#"));
  auto scheme_end = url.find("://");
  bool has_scheme = scheme_end != std::string::npos && scheme_end > 0 && scheme_end == url.find_first_of(":/");
  if (!has_scheme) {
    auto slash = url.find('/');
    if (slash != std::string::npos && slash + 1 != url.size()) {
      return invalid_error("host must be a URL or a host:port pair: " + base::quote_go(redacted_url(server)));
    }
    url = "http://" + url;
  }
  if (userinfo_of(url)) return invalid_error("must not contain a user or password");
  return url;
}

}  // namespace

void describe(Description& d, Kubeconfig::ClusterExtension& extension) {
  d.field("name", extension.name, "");
  d.field("extension", extension.content, "");
}

void describe(Description& d, Cluster& cluster) {
  d.field("server", cluster.server, "");
  d.field("tls-server-name", cluster.tls_server_name, "");
  d.field("insecure-skip-tls-verify", cluster.insecure_skip_tls_verify, "");
  d.field("certificate-authority", cluster.certificate_authority, "");
  d.field("certificate-authority-data", cluster.certificate_authority_data, "");
  d.field("proxy-url", cluster.proxy_url, "");
  d.field("disable-compression", cluster.disable_compression, "");
  d.field("extensions", cluster.extensions, "");
}

void resolve_cluster_paths(Cluster& cluster, const std::string& directory) {
  resolve_path(cluster.certificate_authority, directory);
}

void check_cluster(const std::string& name, const Cluster* cluster, const ReadFile& read_file,
                   std::vector<std::string>& messages) {
  if (cluster == nullptr) {
    messages.emplace_back(kEmptyCluster);
    return;
  }
  if (cluster->server.empty()) {
    messages.push_back(name.empty() ? "default cluster has no server defined"
                                    : "no server found for cluster " + base::quote_go(name));
  }
  if (auto problem = proxy_url_problem(cluster->proxy_url)) {
    messages.push_back("invalid 'proxy-url' " + base::quote_go(redacted_url(cluster->proxy_url)) + " for cluster " +
                       base::quote_go(name) + ": " + *problem);
  }
  if (!cluster->certificate_authority.empty() && !cluster->certificate_authority_data.empty()) {
    messages.push_back("certificate-authority-data and certificate-authority are both specified for " + name +
                       ". certificate-authority-data will override.");
  }
  check_readable(cluster->certificate_authority, "certificate-authority", name, read_file, messages);
}

Result<void> apply_server(const std::string& owner, const Cluster& cluster, ConnectionConfig& config) {
  auto server = normalised_server(cluster.server);
  if (!server) return std::move(server).error().with_context("server of " + owner);
  auto url = net::parse_server_url(*server);
  if (!url) return std::move(url).error().with_context("server of " + owner);
  config.server = std::move(*server);
  config.url = std::move(*url);
  config.disable_compression = cluster.disable_compression;
  if (cluster.proxy_url.empty()) return {};
  KEELSON_LET(config.proxy, net::parse_proxy_url(cluster.proxy_url, "proxy-url of " + config.source));
  return {};
}

Result<void> apply_server_identity(const std::string& owner, const Cluster& cluster, const ReadFile& read_file,
                                   ConnectionConfig& config) {
  bool has_ca = !cluster.certificate_authority.empty() || !cluster.certificate_authority_data.empty();
  if (has_ca && cluster.insecure_skip_tls_verify) {
    return invalid_error("insecure-skip-tls-verify of " + owner +
                         ": specifying a root certificates file with the insecure flag is not allowed");
  }
  config.tls.server_name = cluster.tls_server_name;
  config.tls.insecure_skip_verify = cluster.insecure_skip_tls_verify;
  if (!has_ca) return {};
  auto ca = data_or_file(cluster.certificate_authority_data, cluster.certificate_authority, read_file);
  if (!ca) return std::move(ca).error().with_context("certificate-authority of " + owner);
  config.tls.ca_pem = std::move(*ca);  // an empty file: no server is trusted
  if (cluster.certificate_authority_data.empty()) config.ca_file = cluster.certificate_authority;
  return {};
}

std::string exec_cluster_info(const Cluster& cluster, const ConnectionConfig& config) {
  json::Writer writer;
  writer.begin_object().field("server", config.server);
  if (!config.tls.server_name.empty()) writer.field("tls-server-name", config.tls.server_name);
  if (config.tls.insecure_skip_verify) writer.field("insecure-skip-tls-verify", true);
  if (config.tls.ca_pem) writer.field("certificate-authority-data", base::base64_encode(*config.tls.ca_pem));
  if (!cluster.proxy_url.empty()) writer.field("proxy-url", cluster.proxy_url);
  if (config.disable_compression) writer.field("disable-compression", true);
  const auto own =
      std::ranges::find(cluster.extensions, "client.authentication.k8s.io/exec", &Kubeconfig::ClusterExtension::name);
  if (own != cluster.extensions.end() && !own->content.text.empty()) writer.raw_field("config", own->content.text);
  writer.end_object();
  return std::move(writer).take();
}

}  // namespace keelson::kube
