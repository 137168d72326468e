// The credentials of each request: headers and certificates, refreshed from their files and from the exec plugin.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/detail/kubeconfig/plugin_credentials.hpp"
#include "keelson/net/http.hpp"

namespace keelson::kube {

// The sources of credentials.
struct CredentialSources {
  ReadFile read_file;
  std::shared_ptr<PluginCredentials> plugin;  // null without an exec plugin; shared by all clients of a connection
};

// Reads small local files synchronously: certificates at most every 10 s, the token every 50 s and after each 401. Only
// an exec plugin makes a call wait. Neither copied nor moved. The clock and the logger's sink must outlive it, and it
// must outlive its calls.
class Credentials {
 public:
  Credentials(async::Clock& clock, Logger log, const ConnectionConfig& config, CredentialSources sources);
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  // The credentials of one request.
  struct RequestCredentials {
    net::Headers headers;                  // Authorization and Impersonate-*
    PluginCredentials::Credential plugin;  // null without an exec plugin
    bool operator==(const RequestCredentials&) const = default;
  };

  // Returns the credentials for the next request. It reads the token file again after 50 s; if that fails, the former
  // token stays in use. Fails if there has never been a token, or if the exec plugin returns no credential.
  [[nodiscard]] Task<RequestCredentials> for_request();

  // Reports that the reply to a request with `sent` was 401: the next request reads the files and runs the plugin
  // again.
  void rejected(const RequestCredentials& sent);

  // Like rejected(), but reads the files and runs the plugin immediately. True if the credentials differ from `sent`
  // now, so that a retry makes sense, even if another request renewed it meanwhile. False if there are none: logged.
  [[nodiscard]] boost::asio::awaitable<bool> renew(RequestCredentials sent);

  // True if certificates may have changed: every 5 minutes, after a 401 or a lost connection, with a new credential of
  // a plugin, and soon (10 s) after files that could not be used.
  [[nodiscard]] bool tls_is_due() const;
  // Reports that an old certificate may have caused an error: tls_is_due() becomes true soon.
  void suspect_tls();

  enum class TlsChange { kNothing, kTrust, kIdentity };
  // Call it when tls_is_due(). Returns what changed, with the new PEM in `options`. A missing or empty file is logged
  // and changes nothing.
  [[nodiscard]] TlsChange reload_tls(tls::TlsOptions& options);

  // Reports that the result of reload_tls() cannot be used. Fails if it was a plugin's certificate, because a request
  // without it would be anonymous; the plugin runs again. Otherwise the error is logged, the former files stay in use
  // and are read again soon.
  [[nodiscard]] Result<void> reject_tls(TlsChange change, Error why);

  // What the newest request was sent with, for the error of a 401: the token file, client certificate or exec plugin,
  // and when it expires. `certificate_pem` is the client certificate in use. The text contains no secret.
  [[nodiscard]] std::string description(const std::string& certificate_pem) const;

  static constexpr async::Duration kTlsReloadPeriod = std::chrono::minutes(5);

 private:
  [[nodiscard]] Result<std::string> read_token() const;
  [[nodiscard]] Result<void> update_token();
  [[nodiscard]] Result<void> read_certificates(tls::TlsOptions& options) const;

  async::Clock& clock_;
  Logger log_;
  ConnectionConfig config_;
  ReadFile read_file_;
  std::shared_ptr<PluginCredentials> plugin_;
  PluginCredentials::Credential plugin_credential_;  // the one of the newest request
  PluginCredentials::Credential plugin_in_tls_;      // the one whose certificate is in use
  std::string token_;
  std::optional<async::TimePoint> next_read_;
  async::TimePoint last_tls_check_;
  async::TimePoint next_tls_check_;
};

}  // namespace keelson::kube
