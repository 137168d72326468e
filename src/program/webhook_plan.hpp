// Whether webhooks are served, and where their certificate comes from: decided once, at the start.
#pragma once

#include <functional>
#include <string>

#include "keelson/program/flags.hpp"
#include "keelson/webhook/certificate_files.hpp"

namespace keelson::program {

struct WebhookPlan {
  enum class Certificate { kNone, kFiles, kSelfSigned };
  Certificate certificate = Certificate::kNone;
  webhook::CertificatePaths paths;  // of files
  std::string why_not;              // the log line when there is none
};

// What the plan depends on beside the flags.
struct WebhookSurroundings {
  Environment environment;
  std::function<bool(const std::string& path)> exists;
  bool has_webhooks = false;  // a controller that runs has a defaulter or a validator
};

// Webhooks are asked for by --webhook-cert-path, --webhook-self-signed or a certificate in the default folder.
[[nodiscard]] WebhookPlan plan_webhooks(const Options& options, const WebhookSurroundings& around);

}  // namespace keelson::program
