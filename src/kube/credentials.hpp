// Who we are, for each request: the headers that say so, kept fresh from the files they come from.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/kube/config.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// Reads small local files in passing, at most every 10 s; never waits for anything else.
// Neither copied nor moved. The clock and the logger's sink must outlive it.
class Credentials {
 public:
  Credentials(async::Clock& clock, Logger log, const ConnectionConfig& config, ReadFile read_file);
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  // Authorization and Impersonate-*. A token file is read again when the last reading is 50 s old; one that
  // cannot be read leaves the token of before in use. Fails when there has never been one.
  [[nodiscard]] Result<net::Headers> headers();

  // After a 401 to a request with the headers `sent`: reads the token file at once. True when the token is now
  // another than in `sent`, so that asking once more makes sense; also if someone else refreshed it meanwhile.
  [[nodiscard]] bool refresh(const net::Headers& sent);

  // To be asked every kTlsReloadPeriod: true when certificate, key or CA changed and `options` has the new ones.
  // An error (a file is gone, or empty) leaves `options` as they were.
  [[nodiscard]] Result<bool> reload_tls_if_changed(net::TlsOptions& options) const;

  static constexpr async::Duration kTlsReloadPeriod = std::chrono::minutes(5);

 private:
  [[nodiscard]] Result<std::string> read_token() const;
  [[nodiscard]] Result<void> update_token();

  async::Clock& clock_;
  Logger log_;
  ConnectionConfig config_;
  ReadFile read_file_;
  std::string token_;
  std::optional<async::TimePoint> next_read_;
};

}  // namespace keelson::kube
