#include "src/kube/credentials.hpp"

#include <utility>

#include "keelson/base/go_text.hpp"
#include "keelson/base/text.hpp"
#include "keelson/kube/base64.hpp"
#include "src/kube/header_value.hpp"
#include "src/kube/impersonation.hpp"

namespace keelson::kube {

namespace {

// client-go calls a reading good for a minute and replaces it 10 s before its end.
constexpr async::Duration kTokenAge = std::chrono::seconds(50);
// A file that cannot be read is not asked for with every request.
constexpr async::Duration kRetryPeriod = std::chrono::seconds(10);

constexpr const char* kAuthorization = "Authorization";

Result<std::string> read_pem(const std::string& path, const ReadFile& read_file) {
  auto content = read_file(path);
  if (!content) return std::move(content).error();
  if (!*content) return invalid("open " + path + ": no such file or directory");
  if ((*content)->empty()) return invalid("read " + path + ": the file is empty");
  return std::move(**content);
}

}  // namespace

Credentials::Credentials(async::Clock& clock, Logger log, const ConnectionConfig& config, ReadFile read_file)
    : clock_(clock), log_(std::move(log)), config_(config), read_file_(std::move(read_file)), token_(config.token) {}

Result<net::Headers> Credentials::headers() {
  net::Headers headers;
  if (config_.url.origin.tls) {
    auto updated = update_token();
    if (!updated) return std::move(updated).error();
    if (!token_.empty()) {
      headers.emplace_back(kAuthorization, "Bearer " + token_);
    } else if (!config_.username.empty()) {
      headers.emplace_back(kAuthorization, "Basic " + base64_encode(config_.username + ":" + config_.password));
    }
  }
  append_impersonation(headers, config_.impersonation);
  return headers;
}

bool Credentials::refresh(const net::Headers& sent) {
  if (!config_.url.origin.tls || config_.token_file.empty()) return false;
  next_read_.reset();
  auto updated = update_token();
  return updated && "Bearer " + token_ != net::header(sent, kAuthorization);
}

Result<bool> Credentials::reload_tls_if_changed(net::TlsOptions& options) const {
  auto fresh = options;
  if (!config_.ca_file.empty()) {
    auto ca = read_pem(config_.ca_file, read_file_);
    if (!ca) return std::move(ca).error();
    fresh.ca_pem = std::move(*ca);
  }
  if (!config_.certificate_file.empty()) {
    auto certificate = read_pem(config_.certificate_file, read_file_);
    if (!certificate) return std::move(certificate).error();
    auto key = read_pem(config_.key_file, read_file_);
    if (!key) return std::move(key).error();
    fresh.certificate_pem = std::move(*certificate);
    fresh.key_pem = std::move(*key);
  }
  bool is_changed = fresh.ca_pem != options.ca_pem || fresh.certificate_pem != options.certificate_pem ||
                    fresh.key_pem != options.key_pem;
  if (is_changed) options = std::move(fresh);
  return is_changed;
}

Result<std::string> Credentials::read_token() const {
  const auto& path = config_.token_file;
  auto content = read_file_(path);
  auto failed = [&](const std::string& why) {
    return invalid("failed to read token file " + base::quote_go(path) + ": " + why);
  };
  if (!content) return failed(content.error().text);
  if (!*content) return failed("open " + path + ": no such file or directory");
  auto token = base::trim(**content);
  if (token.empty()) return invalid("read empty token from file " + base::quote_go(path));
  if (!is_header_value(token)) return failed("invalid header field value for \"Authorization\"");
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
