// Decides once, at the start, how /metrics is served: over HTTP or HTTPS, and with which certificate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/tls/certificate_files.hpp"
#include "src/program/process_environment.hpp"

namespace keelson::program {

struct MetricsPolicy {
  enum class Serve { kOff, kPlain, kSecure };
  Serve serve = Serve::kOff;
  bool is_open = false;                        // any client that reaches the pod can read /metrics
  std::optional<tls::CertificatePaths> files;  // of kSecure; nullopt: a certificate in memory
  std::vector<std::string> notices;            // for the log
};

// Without --metrics-secure, loopback addresses and the default address are served over HTTP without authorization, and
// all other addresses over HTTPS.
[[nodiscard]] MetricsPolicy decide_metrics(const Options& options, const ProcessEnvironment& around);

}  // namespace keelson::program
