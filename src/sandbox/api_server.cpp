#include "keelson/detail/sandbox/api_server.hpp"

#include <algorithm>
#include <map>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "src/sandbox/endpoints.hpp"
#include "src/sandbox/http/audit.hpp"
#include "src/sandbox/http/http_front.hpp"
#include "src/sandbox/kinds/version_view.hpp"
#include "src/sandbox/memory_client.hpp"

namespace keelson::sandbox {

struct ApiServer::State {
  State(async::Clock& clock, base::Random& random, const ApiServerOptions& o)
      : options(o), endpoints(clock, random, o) {}

  ApiServerOptions options;
  Endpoints endpoints;
  std::map<std::string, std::unique_ptr<MemoryClient>> clients;
};

class ApiServer::Backup {
 public:
  explicit Backup(Store::Objects all) : objects(std::move(all)) {}
  Store::Objects objects;
};

ApiServer::ApiServer(async::Clock& clock, base::Random& random, ApiServerOptions options)
    : state_(std::make_unique<State>(clock, random, options)) {}

ApiServer::~ApiServer() = default;

Result<void> ApiServer::resume() { return state_->endpoints.resume(); }

kube::Client& ApiServer::client(const std::string& user) {
  auto& client = state_->clients[user];
  if (!client) client = std::make_unique<MemoryClient>(state_->endpoints, state_->options.latency, user);
  return *client;
}

net::Handler ApiServer::handler() {
  auto front = make_http_front(state_->endpoints);
  const auto& audit = state_->options.audit;
  return audit ? with_audit(std::move(front), state_->endpoints, audit) : front;
}

void ApiServer::serve(const kube::Kind& kind) {
  auto& kinds = state_->endpoints.world.kinds;
  if (kind.other_versions.empty() && !kind.is_deprecated) return kinds.add(custom_kind(kind));
  auto definition = Tree::parse(kube::custom_resource_definition(kind));
  KEELSON_ASSERT(definition.has_value());
  kinds.add_definition(*definition);
}

Result<void> ApiServer::add_object(const kube::Resource& resource, const std::string& ns, std::string_view json) {
  auto object = Tree::parse(json);
  if (!object) return std::move(object.error());
  if (!object->is_object()) return invalid_error("add_object: the JSON is not an object");
  return state_->endpoints.add(resource, ns, std::move(*object));
}

void ApiServer::fail_next(RequestPredicate fits, Error error) {
  state_->endpoints.hooks.fail_next(std::move(fits), std::move(error));
}

std::shared_ptr<void> ApiServer::forbid(RequestPredicate fits) {
  return state_->endpoints.hooks.forbid(std::move(fits));
}

void ApiServer::allow_only(const std::string& user, const std::vector<controller::PolicyRule>& rules) {
  state_->endpoints.authorizer.limit(user, rules);
}

void ApiServer::before_write(std::function<WriteFate(const RequestInfo&)> decide) {
  state_->endpoints.hooks.before_write = std::move(decide);
}

void ApiServer::set_chaos(const ChaosOptions& options) { state_->endpoints.set_chaos(options); }

void ApiServer::after_write(WriteObserver callback) { state_->endpoints.hooks.after_write = std::move(callback); }

const RequestInfo* ApiServer::current_request() const { return state_->endpoints.hooks.current_request; }

void ApiServer::on_warning(WarningObserver callback) { state_->endpoints.hooks.on_warning = std::move(callback); }

void ApiServer::drop_watches() { state_->endpoints.world.watches.drop(); }

void ApiServer::end_watches() { state_->endpoints.world.watches.close(); }

void ApiServer::compact() {
  state_->endpoints.world.store.compact();
  state_->endpoints.reads.forget_pages();
}

std::shared_ptr<const ApiServer::Backup> ApiServer::backup() const {
  return std::make_shared<const Backup>(state_->endpoints.world.store.objects());
}

void ApiServer::restore(const Backup& backup, std::uint64_t raised_by) {
  KEELSON_ASSERT(state_->options.journal == nullptr);
  auto& endpoints = state_->endpoints;
  for (const auto& change : endpoints.world.store.restore(backup.objects, raised_by)) {
    endpoints.tell_controllers(change);
  }
  endpoints.reads.forget_pages();
  endpoints.world.watches.drop();
}

void ApiServer::image_works(std::function<bool(const std::string& image)> works) {
  state_->endpoints.workloads.set_image_works(std::move(works));
}

const std::vector<RequestInfo>& ApiServer::log() const { return state_->endpoints.hooks.log(); }

std::size_t ApiServer::count(const RequestPredicate& fits) const {
  return static_cast<std::size_t>(std::ranges::count_if(log(), fits));
}

void ApiServer::clear_log() { state_->endpoints.hooks.clear_log(); }

std::uint64_t ApiServer::resource_version() const { return state_->endpoints.world.store.version(); }

std::vector<kube::Object> ApiServer::objects(const kube::Resource& resource) const {
  std::vector<kube::Object> objects;
  const auto* kind = state_->endpoints.world.kinds.find(resource);
  const auto* view = version_view(resource);
  const auto* stored = view != nullptr ? state_->endpoints.world.kinds.find(view->stored) : kind;
  if (kind == nullptr || stored == nullptr) return objects;
  for (const auto& [key, entry] : state_->endpoints.world.store.all(*stored)) {
    auto object = view != nullptr ? kube::Object::from_json(as_viewed(*kind, entry.object.json())) : entry.object;
    if (object) objects.push_back(std::move(*object));
  }
  return objects;
}

}  // namespace keelson::sandbox
