// Whether webhooks are served, and where their certificate comes from: decided once, at the start.
#pragma once

#include <string>

#include "keelson/net/certificate_files.hpp"
#include "src/program/surroundings.hpp"

namespace keelson::program {

struct WebhookPlan {
  enum class Certificate { kNone, kFiles, kSelfSigned, kForUrl };
  Certificate certificate = Certificate::kNone;
  net::CertificatePaths paths;  // of files
  std::string why_not;          // the log line when there is none
};

struct WebhookSurroundings : Surroundings {
  bool has_webhooks = false;  // of a controller that runs, or of no controller
};

// Webhooks are asked for by --webhook-url, --webhook-cert-path, --webhook-self-signed or a certificate in the default
// folder.
[[nodiscard]] WebhookPlan plan_webhooks(const Options& options, const WebhookSurroundings& around);

}  // namespace keelson::program
