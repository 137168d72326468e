#include "keelson/detail/kubeconfig/credentials.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/kubeconfig/credential_text.hpp"
#include "src/kubeconfig/entry_files.hpp"

namespace keelson::kube {

namespace {

// client-go uses the content of a token file for a minute, and reads it again 10 s before that.
constexpr async::Duration kTokenAge = std::chrono::seconds(50);
// A file that cannot be read is not tried again with every request.
constexpr async::Duration kRetryPeriod = std::chrono::seconds(10);

constexpr const char* kAuthorization = "Authorization";

Result<std::string> read_pem(const std::string& path, const ReadFile& read_file) {
  KEELSON_LET(auto content, required_file(path, read_file));
  if (content.empty()) return invalid_error("read " + path + ": the file is empty");
  return content;
}

// Bytes of RFC 7230's token, except '%', which starts an escape.
bool is_plain(char c) {
  constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kMarks.find(c) != std::string_view::npos;
}

// The headers of impersonation (`kubectl --as`); none if `as` has no user.
void append_impersonation(net::Headers& headers, const Impersonation& as) {
  if (as.user.empty()) return;
  headers.emplace_back("Impersonate-User", as.user);
  if (!as.uid.empty()) headers.emplace_back("Impersonate-Uid", as.uid);
  for (const auto& group : as.groups) headers.emplace_back("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra) {
    for (const auto& value : values) {
      headers.emplace_back("Impersonate-Extra-" + base::percent_encode(key, is_plain), value);
    }
  }
}

}  // namespace

Credentials::Credentials(async::Clock& clock, Logger log, const ConnectionConfig& config, CredentialSources sources)
    : clock_(clock),
      log_(std::move(log)),
      config_(config),
      read_file_(std::move(sources.read_file)),
      plugin_(std::move(sources.plugin)),
      token_(config.token),
      last_tls_check_(clock.now()),
      next_tls_check_(clock.now() + kTlsReloadPeriod) {}

Task<Credentials::RequestCredentials> Credentials::for_request() {
  RequestCredentials credentials;
  if (config_.url.origin.tls) {
    KEELSON_CO_TRY(update_token());
    auto token = token_;
    if (plugin_) {
      KEELSON_CO_LET(plugin_credential_, co_await plugin_->current());
      credentials.plugin = plugin_credential_;
      token = credentials.plugin->token;
    }
    if (!token.empty()) {
      credentials.headers.emplace_back(kAuthorization, "Bearer " + token);
    } else if (!config_.username.empty()) {
      auto pair = config_.username + ":" + config_.password;
      credentials.headers.emplace_back(kAuthorization, "Basic " + base::base64_encode(pair));
    }
  }
  append_impersonation(credentials.headers, config_.impersonation);
  co_return credentials;
}

void Credentials::rejected(const RequestCredentials& sent) {
  next_read_.reset();
  if (plugin_) plugin_->reject(sent.plugin);
  suspect_tls();
}

boost::asio::awaitable<bool> Credentials::renew(RequestCredentials sent) {
  rejected(sent);
  auto now = co_await for_request();
  if (!now) log_.error(now.error(), "Unable to renew credentials");
  if (!now) co_return false;
  co_return *now != sent;
}

bool Credentials::tls_is_due() const { return plugin_credential_ != plugin_in_tls_ || clock_.now() >= next_tls_check_; }

void Credentials::suspect_tls() { next_tls_check_ = std::min(next_tls_check_, last_tls_check_ + kRetryPeriod); }

Credentials::TlsChange Credentials::reload_tls(tls::TlsOptions& options) {
  last_tls_check_ = clock_.now();
  next_tls_check_ = last_tls_check_ + kTlsReloadPeriod;
  auto fresh = options;
  auto read = read_certificates(fresh);
  if (!read) log_.error(read.error(), "Unable to reload certificates, the old ones stay in use");
  if (plugin_credential_) {
    fresh.certificate_pem = plugin_credential_->certificate_pem;
    fresh.key_pem = plugin_credential_->key_pem;
    plugin_in_tls_ = plugin_credential_;
  }
  bool is_other = fresh.certificate_pem != options.certificate_pem || fresh.key_pem != options.key_pem;
  auto change = is_other                         ? TlsChange::kIdentity
                : fresh.ca_pem != options.ca_pem ? TlsChange::kTrust
                                                 : TlsChange::kNothing;
  options = std::move(fresh);
  return change;
}

Result<void> Credentials::reject_tls(TlsChange change, Error why) {
  bool is_plugins =
      change == TlsChange::kIdentity && plugin_credential_ && !plugin_credential_->certificate_pem.empty();
  if (!is_plugins) {
    suspect_tls();  // the files may have been read while they were being replaced
    log_.error(why, "Unable to use the new certificates, the old ones stay in use");
    return {};
  }
  plugin_in_tls_.reset();  // the next request tries again
  plugin_->reject(plugin_credential_);
  return std::move(why).with_context("getting credentials");
}

std::string Credentials::description(const std::string& certificate_pem) const {
  return credential_text(config_, token_, certificate_pem, plugin_credential_.get(), clock_.wall_now());
}

Result<void> Credentials::read_certificates(tls::TlsOptions& options) const {
  auto fresh = options;
  if (!config_.ca_file.empty()) {
    KEELSON_LET(fresh.ca_pem, read_pem(config_.ca_file, read_file_));
  }
  if (!config_.certificate_file.empty()) {
    KEELSON_LET(fresh.certificate_pem, read_pem(config_.certificate_file, read_file_));
    KEELSON_LET(fresh.key_pem, read_pem(config_.key_file, read_file_));
  }
  options = std::move(fresh);
  return {};
}

Result<std::string> Credentials::read_token() const {
  const auto& path = config_.token_file;
  auto content = required_file(path, read_file_);
  auto failed = [&](const std::string& why) {
    return invalid_error("failed to read token file " + base::quote_go(path) + ": " + why);
  };
  if (!content) return failed(content.error().text);
  auto token = base::trim(*content);
  if (token.empty()) return invalid_error("read empty token from file " + base::quote_go(path));
  if (!net::is_header_value(token)) return failed("invalid header field value for \"Authorization\"");
  return std::string(token);
}

Result<void> Credentials::update_token() {
  if (config_.token_file.empty() || (next_read_ && clock_.now() < *next_read_)) return {};
  auto token = read_token();
  if (token) {
    token_ = std::move(*token);
    next_read_ = clock_.now() + kTokenAge;
    return {};
  }
  if (token_.empty()) return std::move(token).error();
  log_.error(token.error(), "Unable to rotate token");
  next_read_ = clock_.now() + kRetryPeriod;
  return {};
}

}  // namespace keelson::kube
