#include "src/program/metrics_policy.hpp"

#include <boost/asio/ip/address.hpp>

#include "keelson/detail/net/http_server.hpp"

namespace keelson::program {

namespace {

// The address of kubebuilder's older scaffold, which a sidecar protects, if anything.
constexpr std::string_view kOpenByDefault = ":8080";

bool is_loopback(const std::string& bind_address) {
  const auto parsed = net::parse_bind_address(bind_address);
  if (!parsed) return false;
  boost::system::error_code no_address;
  const auto address = boost::asio::ip::make_address(parsed->host, no_address);
  return no_address ? parsed->host == "localhost" : address.is_loopback();
}

bool is_open_by_default(const std::string& bind_address) {
  return bind_address == kOpenByDefault || is_loopback(bind_address);
}

std::optional<tls::CertificatePaths> find_files(const Options& options, const ProcessEnvironment& around) {
  const bool is_folder_given = !options.metrics_cert_path.empty();
  const auto folder = is_folder_given ? std::filesystem::path(options.metrics_cert_path)
                                      : default_certificate_folder(around.environment, "k8s-metrics-server");
  tls::CertificatePaths paths;
  paths.certificate = folder / options.metrics_cert_name;
  paths.key = folder / options.metrics_cert_key;
  if (is_folder_given || (around.exists(paths.certificate) && around.exists(paths.key))) return paths;
  return std::nullopt;
}

}  // namespace

MetricsPolicy decide_metrics(const Options& options, const ProcessEnvironment& around) {
  const auto& address = options.metrics_bind_address;
  MetricsPolicy plan;
  if (address.empty() || address == "0") return plan;
  const bool is_secure = options.metrics_secure.value_or(!is_open_by_default(address));
  plan.serve = is_secure ? MetricsPolicy::Serve::kSecure : MetricsPolicy::Serve::kPlain;
  plan.is_open = !is_secure && !is_loopback(address);
  if (is_secure) plan.files = find_files(options, around);
  if (is_secure && !options.metrics_secure) {
    plan.notices.push_back("Serving metrics over HTTPS to authorized clients only: --metrics-secure is not " +
                           std::string("set, and other machines can reach ") + address);
  }
  if (!is_secure && !options.metrics_cert_path.empty()) {
    plan.notices.emplace_back(
        "--metrics-cert-path has no effect: metrics are served over HTTP without --metrics-secure");
  }
  return plan;
}

}  // namespace keelson::program
