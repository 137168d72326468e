// The API server's `Warning: 299` headers ("v1 Endpoints is deprecated"), each text logged once.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "keelson/base/log.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

class ServerWarnings {
 public:
  explicit ServerWarnings(const Logger& log) : log_(log.named("KubeAPIWarningLogger")) {}

  // Texts beyond limits::kServerWarnings are not logged: a server that words each one anew must not flood the log.
  void log_from(const net::Headers& headers);

 private:
  Logger log_;
  std::set<std::string> logged_;
};

// The text of `299 - "text" "date"`; empty for other codes and for what cannot be read.
[[nodiscard]] std::string warning_text(std::string_view header);

}  // namespace keelson::kube
