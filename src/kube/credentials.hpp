// Who we are, for each request: headers and certificates, kept fresh from the files and the program they come from.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/kube/config.hpp"
#include "keelson/net/http.hpp"
#include "src/kube/plugin_credentials.hpp"

namespace keelson::kube {

// The world that credentials come from.
struct CredentialSources {
  ReadFile read_file;
  std::shared_ptr<PluginCredentials> plugin;  // null without an exec plugin; shared by all clients of a connection
};

// Reads small local files in passing, at most every 10 s; waits for nothing but an exec plugin.
// Neither copied nor moved. The clock and the logger's sink must outlive it, and it its calls.
class Credentials {
 public:
  Credentials(async::Clock& clock, Logger log, const ConnectionConfig& config, CredentialSources sources);
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  // What one request shows.
  struct Identity {
    net::Headers headers;                  // Authorization and Impersonate-*
    PluginCredentials::Credential plugin;  // null without one
    bool operator==(const Identity&) const = default;
  };

  // A token file is read again when the last reading is 50 s old; one that cannot be read leaves the token of before in
  // use. Fails when there has never been one, and when an exec plugin has nothing to offer.
  [[nodiscard]] boost::asio::awaitable<Result<Identity>> identity();

  // A request with `sent` was answered 401: files are read, and a plugin asked, before the next one.
  void refused(const Identity& sent);

  // The same, and at once. True when there is another identity now, so that asking once more makes sense; also if
  // someone else renewed it meanwhile.
  [[nodiscard]] boost::asio::awaitable<bool> renew(Identity sent);

  // Certificates may have changed: every 5 minutes, after a 401 or a lost connection, with a plugin's answer, and soon
  // after files that cannot be used.
  [[nodiscard]] bool tls_is_due() const;
  // Something went wrong that an old certificate may be the cause of: look soon.
  void suspect_tls();

  enum class TlsChange { kNothing, kTrust, kIdentity };
  // When it is due: what changed, with the new PEM in `options`. A file that is gone or empty is logged and changes
  // nothing.
  [[nodiscard]] TlsChange reload_tls(net::TlsOptions& options);

  // What reload_tls() changed cannot be used. Fails when it was a plugin's certificate, which is asked for anew: a
  // request without it would be nobody's. Files are logged and read again soon, and the old ones stay in use.
  [[nodiscard]] Result<void> refuse_tls(TlsChange change, Error why);

  static constexpr async::Duration kTlsReloadPeriod = std::chrono::minutes(5);

 private:
  [[nodiscard]] Result<std::string> read_token() const;
  [[nodiscard]] Result<void> update_token();
  [[nodiscard]] Result<void> read_certificates(net::TlsOptions& options) const;

  async::Clock& clock_;
  Logger log_;
  ConnectionConfig config_;
  ReadFile read_file_;
  std::shared_ptr<PluginCredentials> plugin_;
  PluginCredentials::Credential plugin_credential_;  // the last one shown
  PluginCredentials::Credential plugin_in_tls_;      // the one whose certificate is in use
  std::string token_;
  std::optional<async::TimePoint> next_read_;
  async::TimePoint last_tls_check_;
  async::TimePoint next_tls_check_;
};

}  // namespace keelson::kube
