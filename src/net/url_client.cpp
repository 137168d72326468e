#include "keelson/net/url_client.hpp"

#include <algorithm>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/net/limits.hpp"
#include "keelson/detail/net/url.hpp"
#include "keelson/detail/net/url_client_parts.hpp"
#include "src/net/reply_text.hpp"

namespace keelson::net {
namespace asio = boost::asio;

namespace {

constexpr const char* kUrlError = "HTTPRequestFailed";  // Error::reason

constexpr std::chrono::seconds kLongestRetryAfter(60);  // no server stops an object longer
constexpr std::size_t kShownBytes = 200;                // of a body, in an error

Error url_error(Error error) {
  error.reason = kUrlError;
  return error;
}

bool only_reads(std::string_view method) { return method == "GET" || method == "HEAD"; }

void add_header(Headers& headers, std::string name, const std::string& value) {
  if (header(headers, name).empty() && !value.empty()) headers.emplace_back(std::move(name), value);
}

// The first line of a text; empty for anything that is not shown as a text.
std::string first_line(const Response& response) {
  const auto type = header(response.headers, "Content-Type");
  if (!type.empty() && !type.starts_with("text/plain") && !type.starts_with("application/json")) return {};
  auto text = base::trim(response.body);
  text = text.substr(0, text.find('\n'));
  auto shown = base::on_one_line(base::to_valid_utf8(base::cut_utf8(text, kShownBytes)));
  return text.size() > kShownBytes ? shown + "…" : shown;
}

std::optional<std::chrono::seconds> delay_of(const Response& response) {
  const auto seconds = base::parse_number<std::int32_t>(header(response.headers, "Retry-After"));
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::min(std::chrono::seconds(*seconds), kLongestRetryAfter);
}

}  // namespace

class UrlClient::Connections {
 public:
  explicit Connections(UrlClientParts its_parts) : parts(std::move(its_parts)) {}

  [[nodiscard]] Result<std::shared_ptr<HttpClient>> client_of(const Origin& origin, tls::TlsOptions tls);

  const UrlClientParts parts;

 private:
  struct Connected {
    Origin origin;
    tls::TlsOptions tls;
    std::shared_ptr<HttpClient> client;  // calls in progress share it, so that it may be dropped here
  };
  std::vector<Connected> connected_;  // the most recently used one last
};

UrlClient::UrlClient(UrlClientParts parts) : connections_(std::make_unique<Connections>(std::move(parts))) {}
UrlClient::~UrlClient() = default;

Result<std::shared_ptr<HttpClient>> UrlClient::Connections::client_of(const Origin& origin, tls::TlsOptions tls) {
  const auto is_same = [&](const Connected& known) {
    const auto& one = known.origin;
    return one.tls == origin.tls && one.host == origin.host && one.port == origin.port && known.tls == tls;
  };
  const auto found = std::ranges::find_if(connected_, is_same);
  if (found != connected_.end()) {
    std::rotate(found, found + 1, connected_.end());
    return connected_.back().client;
  }
  ClientOptions options{.origin = origin, .tls = tls};
  if (parts.proxy_of) {
    KEELSON_LET(options.proxy, parts.proxy_of(origin));
  }
  KEELSON_LET(auto made, parts.make(std::move(options)));
  if (connected_.size() >= limits::kUrlClientOrigins) connected_.erase(connected_.begin());
  connected_.push_back({origin, std::move(tls), std::move(made)});
  return connected_.back().client;
}

Task<Response> UrlClient::send(std::string method, std::string url, std::string body, UrlOptions options) {
  auto parsed = parse_url(url);
  if (!parsed) co_return url_error(std::move(parsed).error());
  const bool is_read = only_reads(method);
  const auto& parts = connections_->parts;
  if (!is_read && !parts.refuses_writes.empty()) {
    co_return url_error(terminal_error(invalid_error(method + " " + url + " was not sent: " + parts.refuses_writes)));
  }
  auto client = connections_->client_of(parsed->origin, std::move(options.tls));
  if (!client) co_return url_error(std::move(client).error().with_context(method + " " + url));
  Request request;
  request.method = std::move(method);
  request.target = std::move(parsed->target);
  request.headers = std::move(options.headers);
  request.body = std::move(body);
  add_header(request.headers, "User-Agent", parts.user_agent);
  if (!request.body.empty()) add_header(request.headers, "Content-Type", "application/json");
  CallOptions call;
  call.timeout = options.timeout;
  call.body_limit = options.body_limit;
  if (!is_read) call.may_send = parts.may_send;
  auto response = co_await (*client)->send(std::move(request), std::move(call));
  if (!response && response.error().kind != Error::Kind::kFenced) co_return url_error(std::move(response).error());
  co_return response;
}

Task<Response> UrlClient::get(std::string url, UrlOptions options) {
  return send("GET", std::move(url), "", std::move(options));
}

Task<Response> UrlClient::post(std::string url, std::string body, UrlOptions options) {
  return send("POST", std::move(url), std::move(body), std::move(options));
}

Task<Response> UrlClient::put(std::string url, std::string body, UrlOptions options) {
  return send("PUT", std::move(url), std::move(body), std::move(options));
}

Task<Response> UrlClient::remove(std::string url, UrlOptions options) {
  return send("DELETE", std::move(url), "", std::move(options));
}

Result<void> check_status(const Response& response, std::string_view what) {
  if (response.status >= 200 && response.status < 300) return {};
  auto text = std::to_string(response.status);
  const auto phrase = reason_phrase(response.status);
  if (!phrase.empty()) text += " " + std::string(phrase);
  auto error = url_error(Error(Error::Kind::kStatus, std::move(text)));
  if (!what.empty()) error = std::move(error).with_context(what);
  error.server_text = first_line(response);
  error.retry_after = delay_of(response);
  return error;
}

bool is_url_error(const Error& error) { return error.reason == kUrlError; }

}  // namespace keelson::net
