#include "src/kubeconfig/credential_text.hpp"

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kube {

namespace {

// Tokens of clouds have some KiB. A longer one is not parsed.
constexpr std::size_t kTokenBytes = 32768;
// The end of the year 9999, the last one of RFC 3339.
constexpr std::int64_t kLastSecond = 253402300799;

std::string with_expiry(std::string text, std::optional<std::chrono::sys_seconds> expires, async::WallTime now) {
  if (!expires) return text;
  const bool has_expired = *expires <= std::chrono::floor<std::chrono::seconds>(now);
  return text + (has_expired ? ", which expired at " : ", which expires at ") + base::format_rfc3339(*expires);
}

std::optional<std::chrono::sys_seconds> expiry_of_certificate(const std::string& pem) {
  const auto validity = tls::validity_of(pem);
  if (!validity) return std::nullopt;
  return std::chrono::floor<std::chrono::seconds>(validity->until);
}

std::string origin_of(const ConnectionConfig& config) { return config.source.empty() ? config.server : config.source; }

}  // namespace

std::optional<std::chrono::sys_seconds> expiry_of_token(std::string_view token) {
  const auto begin = token.find('.');
  if (begin == std::string_view::npos || token.size() > kTokenBytes) return std::nullopt;
  const auto end = token.find('.', begin + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const auto claims = base::base64url_decode(token.substr(begin + 1, end - begin - 1));
  if (!claims) return std::nullopt;
  const auto document = json::Document::parse(*claims);
  if (!document) return std::nullopt;
  const auto seconds = document->root().find("exp").integer();
  if (!seconds || *seconds <= 0 || *seconds > kLastSecond) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(*seconds));
}

std::string credential_text(const ConnectionConfig& config, std::string_view token, const std::string& certificate_pem,
                            const PluginCredential* plugin, async::WallTime now) {
  if (!config.url.origin.tls) return "no credentials, because the connection has no TLS";
  if (config.exec) {
    auto text =
        "the credentials of the exec plugin " + base::quote_go(config.exec->command) + " (" + config.exec->owner + ")";
    if (plugin == nullptr) return text;
    auto expires = expiry_of_token(plugin->token);
    if (!expires && plugin->token.empty()) expires = expiry_of_certificate(plugin->certificate_pem);
    return with_expiry(std::move(text), expires, now);
  }
  std::string text;
  if (!token.empty()) {
    const auto& file = config.token_file;
    text = "the token of " + (file.empty() ? origin_of(config) : "file " + base::quote_go(file));
    text = with_expiry(std::move(text), expiry_of_token(token), now);
  } else if (!config.username.empty()) {
    text = "the user name and password of " + origin_of(config);
  }
  if (!certificate_pem.empty()) {
    const auto& file = config.certificate_file;
    auto certificate =
        "the client certificate of " + (file.empty() ? origin_of(config) : "file " + base::quote_go(file));
    text += (text.empty() ? "" : ", and ") + with_expiry(certificate, expiry_of_certificate(certificate_pem), now);
  }
  return text.empty() ? "no credentials: " + origin_of(config) + " has none" : text;
}

}  // namespace keelson::kube
