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

  // After limits::kServerWarnings different texts nothing more is logged: a server whose texts all differ must not
  // flood the log.
  void log_from(const net::Headers& headers);

 private:
  Logger log_;
  std::set<std::string> logged_;
};

// The text of `299 - "text" "date"`; empty for other codes and malformed headers.
[[nodiscard]] std::string warning_text(std::string_view header);

}  // namespace keelson::kube
