#include "src/sandbox/http/http_front.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/authorization/impersonation.hpp"
#include "src/sandbox/http/chaos_front.hpp"
#include "src/sandbox/http/list_body.hpp"
#include "src/sandbox/http/openapi_front.hpp"
#include "src/sandbox/http/rendering.hpp"
#include "src/sandbox/http/watch_body.hpp"
#include "src/sandbox/kinds/discovery.hpp"

namespace keelson::sandbox {

namespace {
using boost::asio::awaitable;

// Decodes a part of a query, in which "+" is a space.
std::optional<std::string> query_decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return base::percent_decode(spaced);
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    auto end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
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
  // A namespace itself and its status have the path of a cluster-scoped object.
  const bool is_inside = rest.size() >= 3 && rest[0] == "namespaces" && rest[2] != "status";
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

net::ServerReply healthy() {
  auto reply = reply_of(200, "ok");
  reply.response.headers[0].second = "text/plain; charset=utf-8";
  return reply;
}

net::ServerReply reply_of(const Error& error) {
  if (error.kind != Error::Kind::kStatus)
    return reply_of(500, rejection(500, "InternalError", error.text).status.text());
  auto body = error.status_body;
  if (body.empty()) body = rejection(error.code, error.reason, error.server_text).status.text();
  auto reply = reply_of(error.code, std::move(body));
  if (error.retry_after) {
    reply.response.headers.emplace_back("Retry-After", std::to_string(error.retry_after->count()));
  }
  return reply;
}

net::ServerReply reply_of(const Rejection& rejected) { return reply_of(rejected.code, rejected.status.text()); }

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
  return reply_of(discover(kinds, path));
}

// The body of a write as JSON.
RejectionOr<void> read_body(const net::Request& http, const ServedKind* kind, kube::ApiRequest& request) {
  const bool is_yaml_patch = request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply;
  const bool is_patch = request.verb == kube::Verb::kPatch;
  if (request.body.empty() || (is_patch && !is_yaml_patch)) return {};
  auto type = is_patch ? "application/yaml" : net::header(http.headers, "Content-Type");
  KEELSON_LET(auto body, json_of_body(type, request.body, kind != nullptr ? kind->resource.kind : ""));
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
  if (!name.empty()) request.query.emplace_back("fieldManager", name);
}

// A request to the endpoints, and the form of its response.
struct Question {
  kube::ApiRequest request;
  UserInfo user;
  Rendering rendering;
  Endpoints::Extras extras;
};

std::variant<Question, net::ServerReply> read_question(Endpoints& endpoints, const net::Request& http,
                                                       kube::ApiRequest request, UserInfo user) {
  name_manager(http, request);
  auto form = negotiate(net::header(http.headers, "Accept"));
  if (!form) return reply_of(form.error());
  const auto* kind = endpoints.world.kinds.find(request.resource);
  if (auto read = read_body(http, kind, request); !read) return reply_of(read.error());
  // Discovery, and kinds that are not served, use an empty kind.
  static const ServedKind kNone{};
  Rendering rendering(*form, kind != nullptr ? *kind : kNone, parameter(request, "includeObject"));
  const bool is_strategic = net::header(http.headers, "Content-Type").starts_with(kStrategicPatch);
  return Question{std::move(request),
                  std::move(user),
                  std::move(rendering),
                  {.is_strategic_patch = is_strategic, .hears_warnings = true, .is_authorized = true}};
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

bool is_health(const std::string& path) { return path == "/readyz" || path == "/livez" || path == "/healthz"; }

// A request of an authorized user.
struct Arrival {
  std::string path;
  std::optional<kube::ApiRequest> request;  // nullopt for a request that is malformed or not for a resource
  UserInfo user;
};

std::variant<Arrival, net::ServerReply> admit(Endpoints& endpoints, const net::Request& http) {
  Arrival arrival;
  arrival.path = http.target.substr(0, http.target.find('?'));
  arrival.request = parse_request(http);
  auto access = arrival.request ? access_of(*arrival.request) : access_of(http.method, arrival.path);
  auto user = admitted_user(endpoints, http, access);
  if (!user) return reply_of(user.error());
  arrival.user = *std::move(user);
  if (is_health(arrival.path)) return healthy();
  if (arrival.path != kChaosPath) return arrival;
  return reply_of(answer_chaos(endpoints, arrival.user, http));
}

std::variant<Question, net::ServerReply> handle(Endpoints& endpoints, const net::Request& http, Arrival arrival) {
  const auto& path = arrival.path;
  if (path == "/version") return reply_of(200, version_info());
  if (is_discovery_root(path)) return discovery_reply(endpoints.world.kinds, path, http);
  if (is_openapi(path)) return openapi_reply(endpoints.world.kinds, http);
  if (arrival.request) return read_question(endpoints, http, std::move(*arrival.request), std::move(arrival.user));
  const bool is_unknown_patch = http.method == "PATCH" && !patch_type_of(net::header(http.headers, "Content-Type"));
  return reply_of(is_unknown_patch ? unknown_patch() : not_served());
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
    auto reply = reply_of(200, "");
    if (!deprecation.empty()) add_warnings(reply, {deprecation});
    reply.streaming = stream_of(*endpoints, std::move(*watcher), std::move(question.rendering));
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

}  // namespace

net::Handler make_http_front(Endpoints& endpoints) {
  return [&endpoints](net::Request request) { return handle_later(&endpoints, std::move(request)); };
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
  if (rest.empty()) {
    request.raw_path = std::string(target.substr(0, question));
    return request;
  }
  if (!read_address(rest, request)) return std::nullopt;
  if (question < target.size() && !read_query(target.substr(question + 1), request)) return std::nullopt;
  bool is_watch = std::ranges::any_of(request.query, [](const auto& parameter) {
    return parameter.first == "watch" && (parameter.second == "true" || parameter.second == "1");
  });
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
