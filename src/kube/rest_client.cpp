#include "keelson/detail/kube/rest_client.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/kube/limits.hpp"
#include "keelson/detail/kubeconfig/credentials.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "src/kube/api_request.hpp"
#include "src/kube/probed_stream.hpp"
#include "src/kube/rest_client_metrics.hpp"
#include "src/kube/rest_client_parts.hpp"
#include "src/kube/retry_policy.hpp"
#include "src/kube/server_probe.hpp"
#include "src/kube/server_warnings.hpp"
#include "src/kube/status_error.hpp"
#include "src/kube/too_large.hpp"

namespace keelson::kube {

namespace {
using boost::asio::awaitable;
using Http = std::shared_ptr<net::HttpClient>;
using StreamPtr = std::unique_ptr<net::Stream>;

// Owns the HTTP client of the stream, because a client with newer certificates may have replaced it.
class KeptStream final : public net::Stream {
 public:
  KeptStream(Http http, StreamPtr stream) : http_(std::move(http)), stream_(std::move(stream)) {}
  int status() const override { return stream_->status(); }
  const net::Headers& headers() const override { return stream_->headers(); }
  Task<std::size_t> read_some(std::span<char> buffer) override { return stream_->read_some(buffer); }
  void stop_reading() override { stream_->stop_reading(); }

 private:
  Http http_;
  StreamPtr stream_;
};

Task<net::Response> attempt_send(Http http, net::Request request, net::CallOptions options) {
  co_return co_await http->send(std::move(request), options);
}

Task<StreamPtr> attempt_open(Http http, net::Request request, net::CallOptions options) {
  KEELSON_CO_LET(auto stream, co_await http->open(std::move(request), options));
  StreamPtr kept = std::make_unique<KeptStream>(http, std::move(stream));
  co_return kept;
}

template <class Reply>
using SendFunction = Task<Reply> (*)(Http, net::Request, net::CallOptions);

int status_of(const net::Response& reply) { return reply.status; }
int status_of(const StreamPtr& stream) { return stream->status(); }
const net::Headers& headers_of(const net::Response& reply) { return reply.headers; }
const net::Headers& headers_of(const StreamPtr& stream) { return stream->headers(); }

using Scope = RetryPolicy::Scope;
Scope scope_of(const ApiRequest& request, const net::Response& reply) {
  return !is_read(request.verb) && is_failure_status(reply.body) ? Scope::kObject : Scope::kServer;
}
Scope scope_of(const ApiRequest&, const StreamPtr&) { return Scope::kServer; }

// Priority and fairness rejects with plain text. A Status is a rejection by the storage of one kind, whose watch cache
// initializes after the start of the API server: that is not an overload.
bool is_rejected_by_storage(const net::Response& reply) { return is_failure_status(reply.body); }
bool is_rejected_by_storage(const StreamPtr& stream) {
  return net::header(stream->headers(), "Content-Type").starts_with("application/json");
}

template <class Reply>
bool asks_to_wait(const Reply& reply, Scope scope) {
  if (scope != Scope::kServer) return false;
  const int status = status_of(reply);
  if (status == 429) return !is_rejected_by_storage(reply);
  return status >= 500 && retry_after(headers_of(reply)).has_value();
}

bool is_success(int status) { return status >= 200 && status <= 206; }

std::size_t body_limit(const ApiRequest& request) {
  return request.verb == Verb::kList ? limits::kListReplyBytes : limits::kObjectBytes;
}

std::size_t value_limit(Verb verb) { return verb == Verb::kList ? limits::kListReplyValues : limits::kReplyValues; }

// The number of values, names of members included; of text that is not JSON, some number.
std::size_t count_values(std::string_view json) {
  std::size_t count = 1;
  bool is_in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') is_in_string = !is_in_string;
    if (is_in_string) {
      if (c == '\\') ++i;
      continue;
    }
    // Each value but the first follows one of these characters.
    const bool opens = c == '[' || c == '{';
    const bool is_empty = opens && i + 1 < json.size() && (json[i + 1] == ']' || json[i + 1] == '}');
    if (c == ',' || c == ':' || (opens && !is_empty)) ++count;
  }
  return count;
}

Result<void> check_values(Verb verb, std::string_view json) {
  const auto limit = value_limit(verb);
  if (json.size() <= limit || count_values(json) <= limit) return {};
  return too_large_error("the reply has more than " + std::to_string(limit) + " values");
}

// The beginning of the body of a rejected stream: a Status is small.
Task<std::string> read_error_body(net::Stream& stream) {
  std::string body;
  while (body.size() < limits::kStatusBytes) {
    auto length = body.size();
    body.resize(length + limits::kReadBytes);
    KEELSON_CO_LET(auto read, co_await stream.read_some(std::span<char>(body).subspan(length)));
    body.resize(length + read);
    if (read == 0) break;
  }
  co_return body;
}

class RestClient final : public Client {
 public:
  RestClient(async::Clock& clock, base::Random& random, Logger log, metrics::Registry& registry,
             ConnectionConfig config, RestClientOptions options, ApiServerParts parts, Http http)
      : clock_(clock),
        random_(random),
        log_(std::move(log)),
        metrics_(registry, config.server),
        options_(std::move(options)),
        parts_(std::move(parts)),
        credentials_(clock, log_, config, parts_.credentials),
        warnings_(log_),
        tls_(config.tls),
        client_certificate_(clock, log_, registry, "client"),
        certificate_source_(config.certificate_file.empty() ? config.source : config.certificate_file),
        has_plugin_(config.exec.has_value()),
        path_prefix_(config.url.path_prefix),
        http_(std::move(http)),
        probe_(clock, [this] { return is_answering(); }) {
    note_certificate();
  }
  RestClient(const RestClient&) = delete;
  RestClient& operator=(const RestClient&) = delete;

  const OperatorName& operator_name() const override { return options_.operator_name; }

  Task<ApiReply> send(ApiRequest request) override {
    KEELSON_CO_LET(auto reply, co_await exchange<net::Response>(request, attempt_send));
    KEELSON_CO_TRY(check_values(request.verb, reply.body));
    if (!is_success(reply.status) || is_failure_status(reply.body)) {
      co_return rejected(request, reply.status, reply.headers, std::move(reply.body));
    }
    co_return ApiReply{reply.status, std::move(reply.body)};
  }

  Task<StreamPtr> stream(ApiRequest request) override {
    auto stream = co_await exchange<StreamPtr>(request, attempt_open);
    bool is_open = stream && is_success((*stream)->status());
    if (is_open && request.verb == Verb::kWatch) *stream = make_probed_stream(clock_, probe_, std::move(*stream));
    if (!stream || is_open) co_return stream;
    auto reading = read_error_body(**stream);
    KEELSON_CO_LET(auto body,
                   co_await async::with_timeout(clock_, options_.request_timeout, "error body", std::move(reading)));
    co_return rejected(request, (*stream)->status(), (*stream)->headers(), std::move(body));
  }

 private:
  template <class Reply>
  Task<Reply> exchange(ApiRequest& request, SendFunction<Reply> attempt);
  [[nodiscard]] net::Request identified(const ApiRequest& request,
                                        const Credentials::RequestCredentials& credentials) const;
  [[nodiscard]] Error rejected(const ApiRequest& request, int status, const net::Headers& headers, std::string body);
  void report(const ApiRequest& request, int status, bool asks_to_wait, async::Duration lasted) const;
  void report_failure(const Error& error) const;
  void note_certificate();
  [[nodiscard]] awaitable<bool> is_worth_another_try(Credentials::RequestCredentials rejected, Http used);
  [[nodiscard]] Result<void> renew_tls_when_due();
  [[nodiscard]] awaitable<bool> is_answering();

  async::Clock& clock_;
  base::Random& random_;
  Logger log_;
  RestClientMetrics metrics_;
  RestClientOptions options_;
  ApiServerParts parts_;
  Credentials credentials_;
  ServerWarnings warnings_;
  tls::TlsOptions tls_;
  tls::CertificateExpiry client_certificate_;
  std::string certificate_source_;
  bool has_plugin_ = false;
  std::string path_prefix_;
  Http http_;  // shared with the calls and streams that began on it
  ServerProbe probe_;
};

// One request until its outcome is final.
template <class Reply>
Task<Reply> RestClient::exchange(ApiRequest& request, SendFunction<Reply> attempt) {
  RetryPolicy retries(request, random_);
  for (;;) {
    auto prepared = co_await credentials_.for_request();
    auto renewed = prepared ? renew_tls_when_due() : Result<void>();
    if (!prepared || !renewed) {
      auto error = prepared ? std::move(renewed).error() : std::move(prepared).error();
      report_failure(error);
      co_return error;
    }
    const auto& credentials = *prepared;
    auto http_request = identified(request, credentials);
    auto options = net::CallOptions{options_.request_timeout, body_limit(request), request.may_send};
    auto http = http_;
    const auto begun = clock_.now();
    auto reply = co_await attempt(http, std::move(http_request), options);
    const auto lasted = clock_.now() - begun;
    // A fenced request was not sent.
    if (reply || reply.error().kind != Error::Kind::kFenced) {
      metrics_.observe(request.verb, lasted);
    }
    RetryPolicy::Step step;
    if (reply) {
      probe_.answered();
      metrics_.count(request.verb, std::to_string(status_of(*reply)));
      warnings_.log_from(headers_of(*reply));
      auto status = status_of(*reply);
      auto scope = is_success(status) ? Scope::kServer : scope_of(request, *reply);
      step = retries.after_answer(status, headers_of(*reply), scope);
      report(request, status, asks_to_wait(*reply, scope), lasted);
    } else {
      credentials_.suspect_tls();
      if (reply.error().kind != Error::Kind::kFenced) {
        metrics_.count(request.verb, "<error>");
        report_failure(reply.error());
      }
      if (reply.error().kind == Error::Kind::kTimeout) report(request, 0, false, lasted);
      step = retries.after_error(reply.error());
    }
    if (step.next == RetryPolicy::Next::kNewCredentials) {
      auto again = co_await is_worth_another_try(credentials, http);
      if (again) continue;
    } else if (reply && status_of(*reply) == 401) {
      credentials_.rejected(credentials);
    }
    if (step.next != RetryPolicy::Next::kWait) {
      if (reply) co_return reply;
      co_return retries.final_error(std::move(reply).error());
    }
    co_await async::sleep_for(clock_, step.wait);
  }
}

net::Request RestClient::identified(const ApiRequest& request,
                                    const Credentials::RequestCredentials& credentials) const {
  auto http = to_http(request, path_prefix_);
  http.headers.emplace_back("User-Agent", options_.user_agent);
  http.headers.insert(http.headers.end(), credentials.headers.begin(), credentials.headers.end());
  return http;
}

// The error of a final reply. The text of a 401 is always "Unauthorized", so the credentials are appended to it.
Error RestClient::rejected(const ApiRequest& request, int status, const net::Headers& headers, std::string body) {
  auto error = status_error(request, status, headers, std::move(body));
  if (error.code == 401) error.server_text += "; sent: " + credentials_.description(tls_.certificate_pem);
  metrics_.reject(request, error);
  return error;
}

// A plugin's certificate may live for minutes, and the plugin issues the next one when it has expired.
void RestClient::note_certificate() {
  if (has_plugin_ || tls_.certificate_pem.empty()) return;
  client_certificate_.in_use(
      tls_.certificate_pem, certificate_source_,
      "issue a new client certificate for this user; the manager reads a file again, and must be "
      "restarted for a kubeconfig with data");
}

void RestClient::report(const ApiRequest& request, int status, bool asks_to_wait, async::Duration lasted) const {
  if (!options_.on_answer) return;
  options_.on_answer({request.verb, status, asks_to_wait, lasted, target_of(request)});
}

void RestClient::report_failure(const Error& error) const {
  if (options_.on_failure) options_.on_failure(error);
}

awaitable<bool> RestClient::is_worth_another_try(Credentials::RequestCredentials rejected, Http used) {
  auto renewed = co_await credentials_.renew(std::move(rejected));
  auto usable = renew_tls_when_due();
  // If another request's 401 replaced the client, the new client may present another certificate. If the certificate
  // cannot be used, the next attempt fails.
  co_return renewed || (usable && http_ != used);
}

// Any reply counts, so there is no retry. By default every user may read /version.
awaitable<bool> RestClient::is_answering() {
  auto credentials = co_await credentials_.for_request();
  if (!credentials) co_return true;  // unknown: no request was sent
  ApiRequest request;
  request.raw_path = "/version";
  auto http_request = identified(request, *credentials);
  auto http = http_;
  http->close_idle();  // idle connections may be as dead as the watch's
  auto options = net::CallOptions{ServerProbe::kPatience, limits::kStatusBytes, {}};
  auto reply = co_await http->send(std::move(http_request), std::move(options));
  metrics_.count(request.verb, reply ? std::to_string(reply->status) : "<error>");
  if (reply) co_return true;
  auto kind = reply.error().kind;
  co_return kind != Error::Kind::kTransport&& kind != Error::Kind::kTimeout;
}

Result<void> RestClient::renew_tls_when_due() {
  using Change = Credentials::TlsChange;
  client_certificate_.check();
  if (!credentials_.tls_is_due()) return {};
  auto tls = tls_;
  auto change = credentials_.reload_tls(tls);
  if (change == Change::kNothing) return {};
  auto renewed = parts_.make_http(tls);
  if (!renewed && change == Change::kIdentity && tls.ca_pem != tls_.ca_pem) {
    // The new certificate may be valid although the CA is not. Without it, requests of a plugin's user are anonymous.
    auto why = std::move(renewed).error();
    tls.ca_pem = tls_.ca_pem;
    renewed = parts_.make_http(tls);
    if (renewed) {
      credentials_.suspect_tls();
      log_.error(why, "Unable to use the new certificate authority, the old one stays in use");
    }
  }
  if (!renewed) return credentials_.reject_tls(change, std::move(renewed).error());
  tls_ = std::move(tls);
  http_->close_idle();
  // On existing connections the server still authenticates the owner of the old certificate.
  if (change == Change::kIdentity) http_->end_streams();
  http_ = std::move(*renewed);
  note_certificate();
  log_.info("Reloaded certificates; new connections use them");
  return {};
}

}  // namespace

Result<std::unique_ptr<Client>> make_rest_client(async::Clock& clock, base::Random& random, Logger log,
                                                 metrics::Registry& registry, ConnectionConfig config,
                                                 RestClientOptions options, ApiServerParts parts) {
  KEELSON_LET(auto http, parts.make_http(config.tls));
  std::unique_ptr<Client> client =
      std::make_unique<RestClient>(clock, random, std::move(log), registry, std::move(config), std::move(options),
                                   std::move(parts), std::move(http));
  return client;
}

net::ClientOptions http_options(const ConnectionConfig& config, const RestClientOptions& options) {
  net::ClientOptions http{.origin = config.url.origin, .proxy = config.proxy};
  // Without this limit an address that does not answer could use up the time of the whole request, and the next address
  // would never be tried.
  http.connect_timeout = std::min(http.connect_timeout, options.request_timeout);
  http.delivery_timeout = options.delivery_timeout;
  return http;
}

std::shared_ptr<PluginCredentials> make_plugin_credentials(boost::asio::any_io_executor executor, async::Clock& clock,
                                                           const Logger& log, const ConnectionConfig& config) {
  if (!config.exec) return nullptr;
  auto terminal = ::isatty(STDIN_FILENO) == 1 ? Terminal::kAttached : Terminal::kNone;
  return std::make_shared<PluginCredentials>(std::move(executor), clock, log, *config.exec, run_program, terminal);
}

awaitable<void> stop_plugin(std::shared_ptr<PluginCredentials> plugin) {
  if (plugin) co_await plugin->stop();
}

Result<std::unique_ptr<Client>> make_rest_client(boost::asio::any_io_executor executor, async::Clock& clock,
                                                 base::Random& random, Logger log, metrics::Registry& registry,
                                                 ConnectionConfig config, RestClientOptions options) {
  auto http = http_options(config, options);
  ApiServerParts parts;
  parts.make_http = [executor, &clock, http](const tls::TlsOptions& tls) {
    auto with_tls = http;
    with_tls.tls = tls;
    return net::make_http_client(executor, clock, std::move(with_tls));
  };
  if (!options.plugin) options.plugin = make_plugin_credentials(executor, clock, log, config);
  parts.credentials = {process_environment().read_file, options.plugin};
  return make_rest_client(clock, random, std::move(log), registry, std::move(config), std::move(options),
                          std::move(parts));
}

}  // namespace keelson::kube
