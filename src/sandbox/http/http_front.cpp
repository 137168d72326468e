#include "src/sandbox/http/http_front.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/websocket.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/authentication/websocket_token.hpp"
#include "src/sandbox/authorization/impersonation.hpp"
#include "src/sandbox/http/chaos_front.hpp"
#include "src/sandbox/http/list_body.hpp"
#include "src/sandbox/http/openapi_front.hpp"
#include "src/sandbox/http/rendering.hpp"
#include "src/sandbox/http/routes.hpp"
#include "src/sandbox/http/server_paths.hpp"
#include "src/sandbox/http/watch_body.hpp"
#include "src/sandbox/kinds/discovery.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {
using boost::asio::awaitable;

// Decodes a part of a query, in which "+" is a space.
std::optional<std::string> query_decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return base::percent_decode(spaced);
}

bool read_query(std::string_view text, kube::ApiRequest& request) {
  for (auto parameter : parts_of(text, '&')) {
    auto equals = std::min(parameter.find('='), parameter.size());
    auto name = query_decoded(parameter.substr(0, equals));
    auto value = query_decoded(parameter.substr(std::min(equals + 1, parameter.size())));
    if (!name || !value) return false;
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

// The segments after the version: [namespaces, ns,] plural[, name[, subresource]].
bool read_address(const std::vector<std::string>& rest, kube::ApiRequest& request) {
  std::size_t at = 0;
  // A namespace itself and its parts have the path of a cluster-scoped object.
  const bool is_inside = rest.size() >= 3 && rest[0] == "namespaces" && rest[2] != "status" && rest[2] != "finalize";
  if (is_inside) {
    request.key.ns = rest[1];
    at = 2;
  }
  request.resource.namespaced = is_inside;
  if (at >= rest.size() || rest.size() - at > 3) return false;
  request.resource.plural = rest[at];
  if (rest.size() - at > 1) request.key.name = rest[at + 1];
  if (rest.size() - at > 2) request.subresource = rest[at + 2];
  return true;
}

// The deprecated path of a watch may name an object.
void watch_by_field(kube::ApiRequest& request) {
  if (request.key.name.empty()) return;
  request.query.emplace(request.query.begin(), "fieldSelector", "metadata.name=" + request.key.name);
  request.key.name.clear();
}

std::optional<kube::Verb> verb_of(const std::string& method, bool has_name, bool is_watch) {
  if (method == "GET") return has_name ? kube::Verb::kGet : is_watch ? kube::Verb::kWatch : kube::Verb::kList;
  if (method == "POST" && !has_name) return kube::Verb::kCreate;
  if (method == "PUT" && has_name) return kube::Verb::kUpdate;
  if (method == "PATCH" && has_name) return kube::Verb::kPatch;
  if (method == "DELETE") return has_name ? kube::Verb::kDelete : kube::Verb::kDeleteCollection;
  return std::nullopt;
}

constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";

std::optional<kube::PatchType> patch_type_of(std::string_view header) {
  auto content_type = base::trim(header.substr(0, header.find(';')));
  if (content_type == kStrategicPatch) return kube::PatchType::kMerge;  // Endpoints::Extras distinguishes the two
  if (content_type == "application/merge-patch+json") return kube::PatchType::kMerge;
  if (content_type == "application/json-patch+json") return kube::PatchType::kJson;
  if (content_type == "application/apply-patch+yaml") return kube::PatchType::kApply;
  return std::nullopt;
}

// The limits of kube-apiserver: if warnings exceed kWarnings bytes in total, each is cut to kWarning, and the last ones
// are dropped.
net::Headers warning_headers(const std::vector<std::string>& warnings) {
  constexpr std::size_t kWarnings = 4096;
  constexpr std::size_t kWarning = 256;
  std::size_t bytes = 0;
  for (const auto& warning : warnings) bytes += warning.size();
  const auto limit = bytes > kWarnings ? kWarning : kWarnings;
  net::Headers headers;
  bytes = 0;
  for (const auto& warning : warnings) {
    auto text = kube::short_text(warning, limit);
    bytes += text.size();
    if (bytes > kWarnings) break;
    headers.emplace_back("Warning", "299 - " + base::quote_go(text));
  }
  return headers;
}

net::ServerReply reply_of(int code, std::string body) {
  net::ServerReply reply;
  reply.response.status = code;
  reply.response.headers.emplace_back("Content-Type", "application/json");
  reply.response.body = std::move(body);
  return reply;
}

net::ServerReply reply_of(net::Response response) {
  net::ServerReply reply;
  reply.response = std::move(response);
  return reply;
}

net::ServerReply reply_of(const Error& error) {
  if (error.kind != Error::Kind::kStatus) {
    return reply_of(500, rejection(500, "InternalError", error.text).text());
  }
  auto body = error.status_body;
  if (body.empty()) body = rejection(error.code, error.reason, error.server_text).text();
  auto reply = reply_of(error.code, std::move(body));
  if (error.retry_after) {
    reply.response.headers.emplace_back("Retry-After", std::to_string(error.retry_after->count()));
  }
  return reply;
}

net::ServerReply reply_of(const Rejection& rejected) { return reply_of(rejected.code, rejected.text()); }

net::ServerReply reply_of(RejectionOr<Answer> outcome) {
  return outcome ? reply_of(outcome->code, std::move(outcome->body)) : reply_of(outcome.error());
}

// "/api", "/apis", "/apis/<group>". Longer paths are ordinary requests.
bool is_discovery_root(const std::string& path) {
  return path == "/api" || path == "/apis" || (path.starts_with("/apis/") && path.find('/', 6) == std::string::npos);
}

net::ServerReply discovery_reply(const Kinds& kinds, const std::string& path, const net::Request& http) {
  const bool has_all = path == "/api" || path == "/apis";
  if (has_all && wants_aggregated_discovery(net::header(http.headers, "Accept"))) {
    auto reply = reply_of(200, aggregated_discovery(kinds, path).text());
    reply.response.headers[0].second = kAggregatedDiscovery;
    return reply;
  }
  return reply_of(discover(kinds, path, std::string(net::header(http.headers, "Host"))));
}

// The body of a write as JSON.
RejectionOr<void> read_body(const net::Request& http, const ServedKind* kind, kube::ApiRequest& request,
                            RepeatedKeys& repeated) {
  const bool is_yaml_patch = request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply;
  const bool is_patch = request.verb == kube::Verb::kPatch;
  if (request.body.empty() || (is_patch && !is_yaml_patch)) return {};
  auto type = is_patch ? "application/yaml" : net::header(http.headers, "Content-Type");
  KEELSON_LET(auto body, json_of_body(type, request.body, kind != nullptr ? kind->resource.kind : "", &repeated));
  request.body = std::move(body);
  return {};
}

std::string parameter(const kube::ApiRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.query) {
    if (key == name) return value;
  }
  return "";
}

// The default field manager of a client is the first part of its User-Agent.
void name_manager(const net::Request& http, kube::ApiRequest& request) {
  constexpr std::size_t kLongestManager = 128;
  const bool is_apply = request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply;
  const bool is_write =
      request.verb == kube::Verb::kCreate || request.verb == kube::Verb::kUpdate || request.verb == kube::Verb::kPatch;
  if (!is_write || is_apply || !parameter(request, "fieldManager").empty()) return;
  auto agent = net::header(http.headers, "User-Agent");
  std::string name;
  for (char c : agent.substr(0, std::min(agent.find('/'), kLongestManager))) {
    if (c >= ' ' && c <= '~') name += c;
  }
  if (name.empty()) return;
  // The first value of a parameter counts, also an empty one.
  std::erase_if(request.query, [](const auto& parameter) { return parameter.first == "fieldManager"; });
  request.query.emplace_back("fieldManager", name);
}

// A request to the endpoints, and the form of its response.
struct Question {
  kube::ApiRequest request;
  UserInfo user;
  Rendering rendering;
  Endpoints::Extras extras;
};

Offer offer_of(const kube::ApiRequest& request, const ServedKind* kind) {
  const bool is_watch = request.verb == kube::Verb::kWatch && request.raw_path.empty();
  return {.is_watch = is_watch,
          .has_protobuf = kind == nullptr || !kind->is_custom,
          .has_table = request.raw_path.empty() && (kind == nullptr || !is_create_only(*kind))};
}

std::variant<Question, net::ServerReply> read_question(Endpoints& endpoints, const net::Request& http,
                                                       kube::ApiRequest request, UserInfo user) {
  name_manager(http, request);
  const auto* kind = endpoints.world.kinds.find(request.resource);
  auto form = negotiate(net::header(http.headers, "Accept"), offer_of(request, kind));
  if (!form) return reply_of(form.error());
  RepeatedKeys repeated;
  if (auto read = read_body(http, kind, request, repeated); !read) return reply_of(read.error());
  // Discovery, and kinds that are not served, use an empty kind.
  static const ServedKind kNone{};
  Rendering rendering(*form, kind != nullptr ? *kind : kNone, parameter(request, "includeObject"));
  const bool is_strategic = net::header(http.headers, "Content-Type").starts_with(kStrategicPatch);
  return Question{std::move(request),
                  std::move(user),
                  std::move(rendering),
                  {.is_strategic_patch = is_strategic,
                   .hears_warnings = true,
                   .repeated_keys = std::move(repeated),
                   .is_authorized = true}};
}

void add_warnings(net::ServerReply& reply, const std::vector<std::string>& warnings) {
  for (auto& [name, value] : warning_headers(warnings)) reply.response.headers.emplace_back(name, value);
}

net::ServerReply reply_to(Endpoints& endpoints, Question& question, Result<Answer> answer,
                          const std::vector<std::string>& warnings_of_rejection) {
  auto& rendering = question.rendering;
  auto reply = answer
                   ? reply_of(answer->code, rendering.answer(std::move(answer->body), endpoints.world.clock.wall_now()))
                   : reply_of(answer.error());
  if (answer) reply.response.headers[0].second = rendering.content_type();
  add_warnings(reply, answer ? answer->warnings : warnings_of_rejection);
  return reply;
}

// Sends a short list as a whole, and a long one as a stream of pieces.
net::ServerReply reply_with_list(Endpoints& endpoints, Question& question, Answer answer) {
  auto reply = reply_of(answer.code, "");
  reply.response.headers[0].second = question.rendering.content_type();
  add_warnings(reply, answer.warnings);
  auto listing = *std::exchange(answer.list, nullptr);
  auto body = std::make_shared<ListBody>(endpoints.world.clock, std::move(listing), std::move(question.rendering));
  auto first = body->next_piece();
  if (body->is_at_end()) {
    reply.response.body = std::move(first);
  } else {
    endpoints.world.watches.add_list(body->snapshot(), endpoints.world.store.history());
    reply.streaming = stream_of(std::move(body), std::move(first));
  }
  return reply;
}

// The user, if it is authenticated and authorized.
RejectionOr<UserInfo> admitted_user(Endpoints& endpoints, const net::Request& http, const Access& access) {
  auto user = endpoints.authentication.user_of(http);
  if (!user) return rejection(401, "Unauthorized", "Unauthorized");
  KEELSON_LET(auto asking, impersonated(http.headers, std::move(*user), access, endpoints.authorizer));
  KEELSON_TRY(endpoints.authorizer.check(asking, access));
  return asking;
}

// "/apis/apps/" is "/apis/apps".
std::string without_last_slash(std::string path) {
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// A request of an authorized user.
struct Arrival {
  std::string path;
  std::optional<kube::ApiRequest> request;  // nullopt for a request that is malformed or not for a resource
  UserInfo user;
};

// Watches and connections to containers have no deadline, therefore kube-apiserver does not read their timeout.
bool has_deadline(const std::optional<kube::ApiRequest>& request) {
  if (!request) return true;
  return request->verb != kube::Verb::kWatch && !has_word("attach exec log portforward proxy", request->subresource);
}

RejectionOr<void> check_timeout(const net::Request& http, const std::optional<kube::ApiRequest>& request) {
  const auto query = http.target.find('?');
  if (query == std::string::npos || !has_deadline(request)) return {};
  kube::ApiRequest asked;
  if (!read_query(std::string_view(http.target).substr(query + 1), asked)) return {};
  const auto value = parameter(asked, "timeout");
  const auto timeout = base::parse_go_duration(value);
  if (value.empty() || timeout) return {};
  return bad_request("invalid timeout specified in the request URL - " + timeout.error().text);
}

std::variant<Arrival, net::ServerReply> admit(Endpoints& endpoints, const net::Request& http) {
  Arrival arrival;
  arrival.path = http.target.substr(0, http.target.find('?'));
  arrival.request = parse_request(http);
  if (auto checked = check_timeout(http, arrival.request); !checked) return reply_of(checked.error());
  auto access = arrival.request ? access_of(*arrival.request) : access_of(http.method, arrival.path);
  auto user = admitted_user(endpoints, http, access);
  if (!user) return reply_of(user.error());
  arrival.user = *std::move(user);
  if (is_health_path(arrival.path)) return reply_of(health_of(http.target));
  if (arrival.path != kChaosPath) return arrival;
  return reply_of(answer_chaos(endpoints, arrival.user, http));
}

// The resource at a path, whatever the method of its request.
std::optional<kube::ApiRequest> address_of(const std::string& path) {
  net::Request get;
  get.target = path;
  return parse_request(get);
}

std::variant<Question, net::ServerReply> handle(Endpoints& endpoints, const net::Request& http, Arrival arrival) {
  const auto path = without_last_slash(arrival.path);
  const auto& kinds = endpoints.world.kinds;
  if (path == "/") return reply_of(index_of_paths(kinds));
  if ((path == "/version" || path == "/api") && http.method != "GET") return reply_of(method_not_allowed());
  if (path == "/version") return reply_of(200, version_info());
  if (is_discovery_root(path)) {
    auto reply = discovery_reply(kinds, path, http);
    return reply.response.status == 404 ? reply_of(net::not_found_response()) : std::move(reply);
  }
  if (is_openapi(arrival.path)) return openapi_reply(kinds, http);
  if (const auto rejected = rejected_route(kinds, http, address_of(arrival.path))) {
    return rejected->status ? reply_of(*rejected->status) : reply_of(net::not_found_response());
  }
  if (arrival.request) return read_question(endpoints, http, std::move(*arrival.request), std::move(arrival.user));
  const bool is_unknown_patch = http.method == "PATCH" && !patch_type_of(net::header(http.headers, "Content-Type"));
  return reply_of(is_unknown_patch ? unknown_patch() : not_served());
}

// The head of the reply to a watch, or the rejection of its WebSocket.
net::ServerReply begun_watch(const net::Headers& headers, const Rendering& rendering) {
  net::ServerReply reply;
  if (net::wants_websocket(headers)) {
    reply.response = net::upgrade_response(headers);
    return reply;
  }
  reply = reply_of(200, "");
  reply.response.headers[0].second = rendering.content_type_of_events();
  return reply;
}

// Responses that are not objects of a kind are in JSON so far.
void encode_other(net::ServerReply& reply, const std::string& path, std::string_view accept) {
  const bool is_json = !reply.streaming && net::header(reply.response.headers, "Content-Type") == "application/json";
  if (!is_json || (reply.response.status < 400 && !is_discovery_root(path))) return;
  const auto format = preferred_format(accept);
  reply.response.body = in_format(format, std::move(reply.response.body));
  reply.response.headers[0].second = content_type_of(format);
}

// Go's encoder ends each object with a line break; the version and the OpenAPI documents are not written with it.
void end_line(net::ServerReply& reply, const std::string& path) {
  auto& body = reply.response.body;
  const bool is_json = net::header(reply.response.headers, "Content-Type").starts_with("application/json");
  const bool is_document = path == "/" || path == "/version" || is_openapi(path);
  if (!is_json || body.empty() || body.ends_with('\n') || (is_document && reply.response.status < 400)) return;
  body += '\n';
}

awaitable<net::ServerReply> handle_later(Endpoints* endpoints, net::Request http) {
  auto admitted = admit(*endpoints, http);
  if (auto* reply = std::get_if<net::ServerReply>(&admitted)) co_return std::move(*reply);
  auto& arrival = std::get<Arrival>(admitted);
  static const kube::ApiRequest kNoResource;
  auto disturbance = endpoints->disturb(arrival.user, arrival.request ? *arrival.request : kNoResource);
  if (disturbance.delay.count() > 0) co_await async::sleep_for(endpoints->world.clock, disturbance.delay);
  if (disturbance.failure) co_return reply_of(as_error(*disturbance.failure));
  auto read = handle(*endpoints, http, std::move(arrival));
  if (auto* reply = std::get_if<net::ServerReply>(&read)) co_return std::move(*reply);
  auto& question = std::get<Question>(read);
  if (question.request.verb == kube::Verb::kWatch) {
    auto deprecation = endpoints->deprecation_of(question.request.resource);
    auto watcher = co_await endpoints->watch_later(question.user, std::move(question.request), question.extras);
    if (!watcher) co_return reply_of(watcher.error());
    auto reply = begun_watch(http.headers, question.rendering);
    const bool has_frames = reply.response.status == 101;
    if (reply.response.status >= 400) co_return reply;
    if (!deprecation.empty()) add_warnings(reply, {deprecation});
    reply.streaming = stream_of(*endpoints, std::move(*watcher), std::move(question.rendering), has_frames);
    co_return reply;
  }
  std::vector<std::string> warnings;
  question.extras.warnings_of_rejection = &warnings;
  auto answer = Result<Answer>(Answer{});
  if (endpoints->is_plain_list(question.request)) {
    answer = co_await endpoints->list(question.user, std::move(question.request), question.extras);
    if (answer) co_return reply_with_list(*endpoints, question, std::move(*answer));
  } else if (endpoints->may_wait(question.request)) {
    answer = co_await endpoints->answer_later(question.user, std::move(question.request), question.extras);
  } else {
    answer = endpoints->answer(question.user, question.request, question.extras);
  }
  co_return reply_to(*endpoints, question, std::move(answer), warnings);
}

awaitable<net::ServerReply> handle_encoded(Endpoints* endpoints, net::Request http) {
  const auto path = without_last_slash(http.target.substr(0, http.target.find('?')));
  const auto accept = std::string(net::header(http.headers, "Accept"));
  auto reply = co_await handle_later(endpoints, std::move(http));
  encode_other(reply, path, accept);
  end_line(reply, path);
  co_return reply;
}

}  // namespace

net::Handler make_http_front(Endpoints& endpoints) {
  return [&endpoints](net::Request request) {
    take_websocket_token(request.headers);
    return handle_encoded(&endpoints, std::move(request));
  };
}

std::optional<kube::ApiRequest> parse_request(const net::Request& http) {
  const std::string_view target = http.target;
  auto question = std::min(target.find('?'), target.size());
  std::vector<std::string> segments;
  for (auto raw : parts_of(target.substr(0, question), '/')) {
    auto segment = base::percent_decode(raw);
    if (!segment) return std::nullopt;
    segments.push_back(std::move(*segment));
  }
  const bool is_core = segments.size() >= 2 && segments[0] == "api";
  const bool is_group = segments.size() >= 3 && segments[0] == "apis";
  if (!is_core && !is_group) return std::nullopt;
  kube::ApiRequest request;
  if (is_group) request.resource.group = segments[1];
  request.resource.version = segments[is_group ? 2 : 1];
  std::vector<std::string> rest(segments.begin() + (is_group ? 3 : 2), segments.end());
  const bool is_watch_form = rest.size() > 1 && rest[0] == "watch";
  if (is_watch_form) rest.erase(rest.begin());
  if (rest.empty()) {
    request.raw_path = without_last_slash(std::string(target.substr(0, question)));
    return request;
  }
  if (!read_address(rest, request)) return std::nullopt;
  if (question < target.size() && !read_query(target.substr(question + 1), request)) return std::nullopt;
  const auto watch = std::ranges::find(request.query, "watch", [](const auto& parameter) { return parameter.first; });
  const bool is_watch = is_watch_form || (watch != request.query.end() && is_true_parameter(watch->second));
  if (is_watch_form) watch_by_field(request);
  // A POST to a subresource creates an object of another kind, such as an Eviction.
  const bool is_subresource_post = http.method == "POST" && !request.subresource.empty();
  auto verb = verb_of(http.method, !request.key.name.empty() && !is_subresource_post, is_watch);
  if (!verb) return std::nullopt;
  request.verb = *verb;
  if (*verb == kube::Verb::kPatch) {
    auto type = patch_type_of(net::header(http.headers, "Content-Type"));
    if (!type) return std::nullopt;
    request.patch_type = *type;
  }
  request.body = http.body;
  return request;
}

}  // namespace keelson::sandbox
