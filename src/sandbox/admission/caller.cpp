#include "src/sandbox/admission/caller.hpp"

#include <boost/asio/this_coro.hpp>
#include <filesystem>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/short_text.hpp"

namespace keelson::sandbox {

namespace {

// Clients with idle connections, one for each origin and authority.
constexpr std::size_t kSandboxWebhookClients = 64;

namespace asio = boost::asio;

class InFlightCall {
 public:
  explicit InFlightCall(std::size_t& count) : count_(count) { ++count_; }
  InFlightCall(const InFlightCall&) = delete;
  InFlightCall& operator=(const InFlightCall&) = delete;
  ~InFlightCall() { --count_; }

 private:
  std::size_t& count_;
};

// Splits "https://host:443/path" into "https://host:443" and "/path"; a query is dropped, as in client-go.
std::pair<std::string, std::string> split_url(const std::string& url) {
  auto scheme = url.find("://");
  auto from = scheme == std::string::npos ? 0 : scheme + 3;
  auto end = std::min(url.find_first_of("?#"), url.size());
  auto slash = std::min(url.find('/', from), end);
  auto path = url.substr(slash, end - slash);
  return {url.substr(0, slash), path.empty() ? "/" : path};
}

// As client-go sends a decoded path: "//validate" and "/a/../validate/" become "/validate".
std::string joined_path(const std::string& path) {
  auto cleaned = std::filesystem::path("/" + path).lexically_normal().string();
  if (cleaned.size() > 1 && cleaned.ends_with('/')) cleaned.pop_back();
  return base::encode_path(cleaned);
}

// The error of client-go for a response that is not an AdmissionReview.
Error unexpected_status(const net::Response& response) {
  constexpr std::size_t kShown = 2048;
  auto body = std::string(base::trim(kube::short_text(response.body, kShown)));
  if (response.status == 404) return invalid_error("the server could not find the requested resource");
  if (response.status == 401) return invalid_error("the server has asked for the client to provide credentials");
  if (response.status == 403) return invalid_error(body.empty() ? "unknown" : body);
  if (response.status == 503) return invalid_error("the server is currently unable to handle the request");
  if (response.status >= 500) {
    return invalid_error("an error on the server (" + base::quote_go(body.empty() ? "unknown" : body) +
                         ") has prevented the request from succeeding");
  }
  if (response.status == 400) return invalid_error("the server rejected our request for an unknown reason");
  return invalid_error("the server responded with the status code " + std::to_string(response.status) +
                       " but did not return more information");
}

const Tree* port_numbered(const Tree& service, std::int64_t number) {
  for (const auto& port : service.items_at({"spec", "ports"})) {
    if (port.integer_at({"port"}) == number) return &port;
  }
  return nullptr;
}

const Tree* port_named(const Tree& slice, const std::string& name) {
  for (const auto& port : slice.items_at({"ports"})) {
    if (port.text_at({"name"}) == name && port.integer_at({"port"}) > 0) return &port;
  }
  return nullptr;
}

const Tree* ready_endpoint(const Tree& slice) {
  for (const auto& endpoint : slice.items_at({"endpoints"})) {
    const Tree* ready = endpoint.at({"conditions", "ready"});
    const auto& addresses = endpoint.items_at({"addresses"});
    if (!addresses.empty() && (ready == nullptr || ready->scalar() != "false")) return &addresses[0];
  }
  return nullptr;
}

std::string with_port(const std::string& host, std::int64_t port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

WebhookCaller::WebhookCaller(World& world, WebhookTransport transport)
    : world_(world), transport_(std::move(transport)) {}

Task<Tree> WebhookCaller::post(WebhookAddress address, std::function<std::string()> body,
                               std::chrono::seconds timeout) {
  if (in_flight_ >= limits::kSandboxWebhookCalls) co_return invalid_error("too many calls of webhooks are in progress");
  InFlightCall counted(in_flight_);
  KEELSON_CO_LET(auto call, call_to(address, timeout));
  call.body = body();
  const auto posted = "Post " + base::quote_go(call.url) + ": ";
  auto sent = transport_ ? transport_(std::move(call)) : send(std::move(call));
  auto response = co_await std::move(sent);
  if (!response) {
    bool is_late = response.error().kind == Error::Kind::kTimeout;
    // Our client's prefix differs from client-go's, so it is replaced.
    auto why = response.error().text;
    auto quoted = why.find("\": ");
    if (why.starts_with("Post \"") && quoted != std::string::npos) why = why.substr(quoted + 3);
    co_return invalid_error(posted + (is_late ? "context deadline exceeded" : why));
  }
  if (response->status < 200 || response->status > 206) co_return unexpected_status(*response);
  auto parsed = Tree::parse(response->body);
  if (!parsed) co_return invalid_error("couldn't get version/kind; json parse error: " + parsed.error().text);
  co_return std::move(*parsed);
}

Result<WebhookCall> WebhookCaller::call_to(const WebhookAddress& address, std::chrono::seconds timeout) const {
  WebhookCall call;
  call.timeout = timeout;
  call.ca_pem = address.ca_pem;
  auto query = "?timeout=" + std::to_string(timeout.count()) + "s";
  if (!address.url.empty()) {
    auto [origin, path] = split_url(address.url);
    call.url = origin + joined_path(base::percent_decode(path).value_or(path)) + query;
    return call;
  }
  if (address.service_name.empty()) return invalid_error("webhook configuration must have either service or URL");
  call.server_name = address.service_name + "." + address.service_ns + ".svc";
  call.url = "https://" + with_port(call.server_name, address.port) + joined_path(address.path) + query;
  auto endpoint = endpoint_of(address);
  if (!endpoint) return invalid_error("Post " + base::quote_go(call.url) + ": " + endpoint.error().text);
  call.address = std::move(*endpoint);
  return call;
}

Result<std::string> WebhookCaller::endpoint_of(const WebhookAddress& address) const {
  auto name = base::quote_go(address.service_name);
  const auto* service =
      world_.store.find(*world_.kinds.find(kube::services()), kube::Key(address.service_ns, address.service_name));
  if (service == nullptr) return invalid_error("service " + name + " not found");
  // The ports of the Service are ignored, as in kube-apiserver.
  if (service->stored().tree.text_at({"spec", "type"}) == "ExternalName") {
    return with_port(service->stored().tree.text_at({"spec", "externalName"}), address.port);
  }
  const Tree* port = port_numbered(service->stored().tree, address.port);
  if (port == nullptr) {
    return invalid_error("no service port " + std::to_string(address.port) + " found for service " + name);
  }
  const auto& slices = world_.store.all(*world_.kinds.find(kube::endpoint_slices()));
  for (auto entry = slices.lower_bound(kube::Key(address.service_ns, ""));
       entry != slices.end() && entry->first.ns == address.service_ns; ++entry) {
    if (entry->second.object.label("kubernetes.io/service-name") != address.service_name) continue;
    const auto& slice = entry->second.stored().tree;
    const Tree* found = port_named(slice, port->text_at({"name"}));
    const Tree* host = ready_endpoint(slice);
    if (found != nullptr && host != nullptr) return with_port(host->scalar(), found->integer_at({"port"}));
  }
  return invalid_error("no endpoints available for service " + name);
}

Task<net::Response> WebhookCaller::send(WebhookCall call) {
  auto executor = co_await asio::this_coro::executor;
  KEELSON_CO_LET(auto client, client_of(executor, call));
  auto [origin, path] = split_url(call.url);
  net::Request request;
  request.method = "POST";
  request.target = path + call.url.substr(call.url.rfind('?'));
  request.headers = {{"Content-Type", "application/json"},
                     {"Accept", "application/json, */*"},
                     {"User-Agent", "kube-apiserver-admission"}};
  request.body = std::move(call.body);
  net::CallOptions options;
  options.timeout = call.timeout;
  options.body_limit = limits::kSandboxWebhookReplyBytes;
  auto response = co_await (client)->send(std::move(request), options);
  co_return response;
}

Result<std::shared_ptr<net::HttpClient>> WebhookCaller::client_of(const asio::any_io_executor& executor,
                                                                  const WebhookCall& call) {
  auto origin = call.address.empty() ? split_url(call.url).first : "https://" + call.address;
  auto id = origin + "\n" + call.server_name + "\n" + call.ca_pem;
  auto found = clients_.find(id);
  if (found != clients_.end()) return found->second;
  KEELSON_LET(auto url, net::parse_server_url(origin, net::Scheme::kHttps));
  net::ClientOptions options;
  options.origin = url.origin;
  if (!call.ca_pem.empty()) options.tls.ca_pem = call.ca_pem;
  options.tls.server_name = call.server_name;
  // Shorter than the keep-alive of webhook servers, so that no call uses a connection that the server is closing.
  options.idle_timeout = std::chrono::seconds(10);
  KEELSON_LET(auto made, net::make_http_client(executor, world_.clock, std::move(options)));
  if (clients_.size() >= kSandboxWebhookClients) clients_.clear();
  std::shared_ptr<net::HttpClient> client = std::move(made);
  clients_[id] = client;
  return client;
}

}  // namespace keelson::sandbox
