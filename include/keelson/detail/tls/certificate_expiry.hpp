// When the certificates in use expire: a gauge for each of them, and log lines before it is too late.
//
// The owner of a certificate has one CertificateExpiry, passes each certificate that it starts to use, and calls
// check() now and then. A line is logged once per threshold, not at each check: when a fifth of the certificate's life
// remains (at most 7 days), when a twentieth remains (at most a day), and when it has expired. Whatever renews
// certificates has renewed them before: cert-manager after two thirds of their life, this library's own ones earlier.
// Nothing here waits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::tls {

// notBefore and notAfter of a certificate. A certificate that does not expire (the year 9999) ends with the range of
// WallTime.
struct CertificateValidity {
  async::WallTime from;
  async::WallTime until;
};

// That of the first certificate of the PEM text, which is the leaf of a chain; nullopt if it cannot be read.
[[nodiscard]] std::optional<CertificateValidity> validity_of(const std::string& pem);

// 0: nothing to report, 1: it expires soon, 2: it expires very soon, 3: it has expired.
[[nodiscard]] int expiry_level(const CertificateValidity& validity, async::WallTime now);

class CertificateExpiry {
 public:
  // `use` is the label of the series: "webhook", "webhook-ca", "metrics" or "client". The clock, the sink of the logger
  // and the registry must outlive it. The series exist from the first certificate on.
  CertificateExpiry(async::Clock& clock, Logger log, metrics::Registry& registry, std::string use);

  // A certificate is in use from now on. `source` names its file or Secret, and `remedy` what renews it, for the log;
  // neither is empty. A text that cannot be read changes nothing: its user reports that.
  void in_use(const std::string& pem, std::string source, std::string remedy);
  // Logs if a threshold has passed since the last call. Cheap: a comparison of times.
  void check();

  // Registers the families, for the page of metrics.
  static void register_series(metrics::Registry& registry);

 private:
  async::Clock& clock_;
  Logger log_;
  std::string use_;
  metrics::GaugeFamily& expiries_;
  metrics::GaugeFamily& lifetimes_;
  std::optional<CertificateValidity> validity_;
  std::string source_;
  std::string remedy_;
  int logged_level_ = 0;
};

}  // namespace keelson::tls
