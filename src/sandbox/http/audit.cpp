#include "src/sandbox/http/audit.hpp"

#include <memory>
#include <utility>

#include "src/sandbox/authentication/websocket_token.hpp"
#include "src/sandbox/http/http_front.hpp"
#include "src/sandbox/http/representation.hpp"

namespace keelson::sandbox {

namespace {
using boost::asio::awaitable;

struct Auditor {
  net::Handler handler;
  Endpoints& endpoints;
  std::function<void(const std::string& line)> audit;

  [[nodiscard]] std::string now() const {
    auto wall = endpoints.world.clock.wall_now();
    return kube::format_micro_time(std::chrono::time_point_cast<kube::Time::duration>(wall));
  }
};

bool is_write(const Access& access) {
  return access.verb == "create" || access.verb == "update" || access.verb == "patch";
}

Tree user_tree(const UserInfo& user) {
  auto tree = Tree::object({{"username", user.name}});
  if (!user.uid.empty()) tree["uid"] = user.uid;
  tree["groups"] = Tree::array(std::vector<Tree>(user.groups.begin(), user.groups.end()));
  return tree;
}

Tree reference_to(const Access& access, const kube::ApiRequest& request) {
  Tree reference = Tree::object({{"resource", access.resource}});
  const std::pair<const char*, const std::string*> parts[] = {{"namespace", &access.ns},
                                                              {"name", &access.name},
                                                              {"apiGroup", &access.group},
                                                              {"apiVersion", &request.resource.version},
                                                              {"subresource", &access.subresource}};
  for (const auto& [name, value] : parts) {
    if (!value->empty()) reference[name] = *value;
  }
  return reference;
}

// The Lease in the body of a write, as JSON.
std::optional<Tree> lease_in(const net::Request& http, const Access& access) {
  if (access.resource != "leases" || !is_write(access)) return std::nullopt;
  auto type = net::header(http.headers, "Content-Type");
  // The body of a patch is JSON, or YAML for an apply.
  auto json = json_of_body(access.verb == "patch" ? "application/yaml" : type, http.body, "Lease");
  if (!json) return std::nullopt;
  auto lease = Tree::parse(*json);
  return lease ? std::optional(*lease) : std::nullopt;
}

// The audit event before the response.
Tree event_of(const Auditor& auditor, const net::Request& http, const UserInfo& user) {
  const auto request = parse_request(http);
  const auto path = http.target.substr(0, http.target.find('?'));
  const auto access = request ? access_of(*request) : access_of(http.method, path);
  const auto lease = lease_in(http, access);
  auto event = Tree::object({{"kind", "Event"},
                             {"apiVersion", "audit.k8s.io/v1"},
                             {"level", lease ? "Request" : "Metadata"},
                             {"auditID", auditor.endpoints.world.random.uuid()},
                             {"stage", access.verb == "watch" ? "ResponseStarted" : "ResponseComplete"},
                             {"requestURI", http.target},
                             {"verb", access.verb},
                             {"user", user_tree(user)},
                             {"userAgent", net::header(http.headers, "User-Agent")}});
  if (request && access.path.empty()) event["objectRef"] = reference_to(access, *request);
  if (lease) event["requestObject"] = *lease;
  return event;
}

// The name of a created object is only in the response.
void name_created(Tree& event, const net::Response& response) {
  if (event.text_at({"verb"}) != "create" || response.status >= 300) return;
  auto created = Tree::parse(response.body);
  auto name = created ? created->text_at({"metadata", "name"}) : "";
  auto* reference = event.find("objectRef");
  if (reference != nullptr && !name.empty()) reference->set_default("name", name);
}

awaitable<net::ServerReply> handle(std::shared_ptr<Auditor> auditor, net::Request http) {
  take_websocket_token(http.headers);
  auto user = auditor->endpoints.authentication.user_of(http);
  if (!user) {
    auto unknown = co_await auditor->handler(std::move(http));
    co_return unknown;
  }
  auto event = event_of(*auditor, http, *user);
  auto received = auditor->now();
  auto reply = co_await auditor->handler(std::move(http));
  name_created(event, reply.response);
  event["responseStatus"] = Tree::object({{"metadata", Tree::object()}, {"code", reply.response.status}});
  event["requestReceivedTimestamp"] = received;
  event["stageTimestamp"] = auditor->now();
  auditor->audit(event.text() + "\n");
  co_return reply;
}

}  // namespace

net::Handler with_audit(net::Handler handler, Endpoints& endpoints,
                        std::function<void(const std::string& line)> audit) {
  auto auditor = std::make_shared<Auditor>(Auditor{std::move(handler), endpoints, std::move(audit)});
  return [auditor](net::Request request) { return handle(auditor, std::move(request)); };
}

}  // namespace keelson::sandbox
