// Decides once, at the start, whether webhooks are served, and with which certificate.
#pragma once

#include <string>

#include "keelson/detail/tls/certificate_files.hpp"
#include "src/program/process_environment.hpp"

namespace keelson::program {

struct WebhookPolicy {
  enum class Certificate { kNone, kFiles, kSelfSigned, kForUrl };
  Certificate certificate = Certificate::kNone;
  tls::CertificatePaths paths;  // of kFiles; kSelfSigned has only the client CA
  std::string why_not;          // of kNone: the log line; empty: no line
};

struct WebhookEnvironment : ProcessEnvironment {
  bool has_webhooks = false;  // running controllers or the operator declare some
};

// Webhooks are served with --webhook-url, --webhook-cert-path or --webhook-self-signed, or if the default folder has a
// certificate. With --dry-run only a certificate from files is used.
[[nodiscard]] WebhookPolicy decide_webhooks(const Options& options, const WebhookEnvironment& around);

}  // namespace keelson::program
