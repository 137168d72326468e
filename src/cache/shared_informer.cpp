#include "src/cache/shared_informer.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/cache/content_digest.hpp"
#include "keelson/detail/json/metadata.hpp"

namespace keelson::cache {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Owners by which owned_by() finds an object: its controller and the first others. Controllers set one owner, and a few
// tools one more. An author of objects in one namespace can list 12,000 in an object of 1.5 MB, each an entry of an
// index.
constexpr std::size_t kIndexedOwners = 64;

// A resync passes its objects to the handlers in portions, to avoid a burst.
constexpr std::size_t kResyncPortion = 100;
constexpr auto kResyncPause = 50ms;

// An owner's uid within a namespace, "<namespace>/<uid>", so that references in other namespaces have other values.
constexpr std::string_view kOwnerIndex = "keelson/owner";
// The uid alone, for cluster-scoped owners.
constexpr std::string_view kClusterOwnerIndex = "keelson/cluster-owner";

std::string uid_within(std::string_view ns, std::string_view uid) { return std::string(ns).append("/").append(uid); }

// The uids of the owners by which the object is found: its controller and the first others.
std::vector<std::string_view> indexed_owners(const kube::Object& object) {
  std::vector<std::string_view> uids;
  bool has_controller = false;
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    const bool is_controller = owner.controller && !has_controller;
    has_controller = has_controller || owner.controller;
    if (uids.size() < kIndexedOwners) {
      uids.push_back(owner.uid);
    } else if (is_controller) {
      uids.back() = owner.uid;
    }
  });
  return uids;
}

std::vector<std::string> owners_within_namespace(const kube::Object& object) {
  std::vector<std::string> owners;
  for (const auto uid : indexed_owners(object)) owners.push_back(uid_within(object.ns(), uid));
  return owners;
}

std::vector<std::string> owner_uids(const kube::Object& object) {
  const auto uids = indexed_owners(object);
  return {uids.begin(), uids.end()};
}

IndexFunction values_of_label(std::string label) {
  return [label = std::move(label)](const kube::Object& object) {
    auto value = object.label(label);
    return value ? std::vector{*value} : std::vector<std::string>{};
  };
}

// The paths that one user of an informer needs.
json::Projection paths_of(const CachedContent& content) {
  const auto* projection = std::get_if<json::Projection>(&content);
  if (projection != nullptr) return *projection;
  const auto identity = json::Projection::of({});
  return std::holds_alternative<OnlyDigest>(content) ? identity : identity.merged(json::Projection::metadata());
}

Logger logger_of(const InformerEnvironment& environment, const kube::Resource& resource) {
  return environment.log.with({{"group", resource.group}, {"kind", resource.kind}});
}

}  // namespace

SharedInformer::SharedInformer(InformerEnvironment& environment, InformerOptions options)
    : environment_(environment),
      options_(),
      projection_(paths_of(options.content)),
      metrics_(environment.registry, options.resource),
      tasks_(environment.executor) {
  options_.resource = options.resource;
  options_.labels = options.labels;
  options_.fields = options.fields;
  options_.namespaces = options.namespaces;
  options_.content = options.content;
  options_.generations = options.generations;
  type_members_ =
      R"({"apiVersion":")" + options.resource.api_version() + R"(","kind":")" + options.resource.kind + "\",";
  store_.add_index(std::string(kOwnerIndex), owners_within_namespace);
  extend(std::move(options));
}

SharedInformer::~SharedInformer() = default;

bool SharedInformer::serves(const InformerOptions& options) const {
  return options_.resource == options.resource && options_.selection() == options.selection() &&
         options_.namespaces == options.namespaces;
}

void SharedInformer::extend(InformerOptions options) {
  KEELSON_ASSERT(!started_);
  projection_ = projection_.merged(paths_of(options.content));
  has_digest_reader_ = has_digest_reader_ || std::holds_alternative<OnlyDigest>(options.content);
  options_.generations = std::max(options_.generations, options.generations);
  if (!std::holds_alternative<OnlyMetadata>(options.content)) options_.content = std::move(options.content);
  if (options.cluster_scoped_owners) store_.add_index(std::string(kClusterOwnerIndex), owner_uids);
  for (const auto& label : options.label_indexes) store_.add_index(label_index(label), values_of_label(label));
  for (auto& [name, values_of] : options.indexes) store_.add_index(std::move(name), std::move(values_of));
}

void SharedInformer::start() {
  started_ = true;
  if (options_.generations == InformerOptions::Generations::kOnlyCompared) store_.hold_back_generations();
  auto namespaces = options_.namespaces;
  if (namespaces.empty() || !options_.resource.namespaced) namespaces = {""};
  for (auto& ns : namespaces) {
    auto& reflector = reflectors_.emplace_back(std::make_unique<Reflector>(
        environment_.clock, environment_.random, logger_of(environment_, options_.resource), environment_.client,
        environment_.registry, environment_.outage, *this, options_, std::move(ns)));
    tasks_.spawn(reflector->run());
  }
  if (environment_.options.sync_period > async::Duration{0}) tasks_.spawn(resync_forever());
}

asio::awaitable<void> SharedInformer::stop() {
  tasks_.stop();
  co_await tasks_.join();
}

async::TimePoint SharedInformer::last_heard() const {
  auto oldest = environment_.clock.now();
  for (const auto& reflector : reflectors_) oldest = std::min(oldest, reflector->last_heard());
  return oldest;
}

std::vector<kube::Object> SharedInformer::by_index(std::string_view index, std::string_view value) const {
  return store_.by_index(index, value);
}

std::vector<kube::Object> SharedInformer::owned_by(const kube::Object& owner) const {
  if (!owner.ns().empty()) return store_.by_index(kOwnerIndex, uid_within(owner.ns(), owner.uid()));
  if (store_.has_index(kClusterOwnerIndex)) return store_.by_index(kClusterOwnerIndex, owner.uid());
  auto owned = store_.list("");
  std::erase_if(owned, [uid = owner.uid()](const kube::Object& object) {
    const auto uids = indexed_owners(object);
    return std::ranges::find(uids, uid) == uids.end();
  });
  return owned;
}

void SharedInformer::subscribe(EventHandler handler) {
  KEELSON_ASSERT(!started_);
  handlers_.push_back(std::move(handler));
}

std::string SharedInformer::problem() const {
  for (const auto& reflector : reflectors_) {
    if (auto problem = reflector->problem(); !problem.empty()) return problem;
  }
  return "";
}

async::Duration SharedInformer::failing_for() const {
  async::Duration longest{0};
  for (const auto& reflector : reflectors_) longest = std::max(longest, reflector->failing_for());
  return longest;
}

bool SharedInformer::is_rejected() const {
  return std::ranges::any_of(reflectors_, [](const auto& one) { return one->is_rejected(); });
}

std::uint64_t SharedInformer::observed_version() const {
  auto oldest = ~std::uint64_t{0};
  for (const auto& reflector : reflectors_) oldest = std::min(oldest, reflector->observed_version());
  return reflectors_.empty() ? 0 : oldest;
}

Result<kube::Object> SharedInformer::projected(std::string_view object) {
  KEELSON_TRY(project_into_buffer(object));
  return kube::Object::from_json(projection_buffer_, &projection_);
}

Result<void> SharedInformer::project_into_buffer(std::string_view object) {
  projection_buffer_.clear();
  if (is_only_metadata()) {
    // The object is a PartialObjectMetadata, a whole object of a server that does not support this form, or an own
    // write.
    static const auto kMetadata = json::Projection::metadata();
    KEELSON_TRY(kMetadata.apply(object, projection_buffer_));
    projection_buffer_.replace(0, 1, type_members_);
    return {};
  }
  KEELSON_TRY(projection_.apply(object, projection_buffer_));
  if (has_digest_reader_ && !projection_.covers({})) {
    KEELSON_LET(const auto digest, content_digest(object));
    projection_buffer_.pop_back();
    projection_buffer_.append(",\"").append(kContentDigest).append("\":\"").append(digest).append("\"}");
  }
  return {};
}

const Reflector* SharedInformer::reflector_of(std::string_view ns) const {
  auto found = std::ranges::find_if(reflectors_, [&](const auto& one) { return one->ns().empty() || one->ns() == ns; });
  return found == reflectors_.end() ? nullptr : found->get();
}

void SharedInformer::observe_write(const kube::Object& written) {
  const auto* reflector = reflector_of(written.ns());
  if (reflector == nullptr) return;
  // If the watch of the namespace has passed this version, the state that the watch reported is newer, even if it is a
  // deletion. Watches of other namespaces may be far behind and do not count.
  if (reflector->has_passed(written.resource_version())) return;
  auto object = projected(written.json());
  if (!object) return;  // the object was parsed before, and a reader could not handle the error
  switch (match(written)) {
    case kube::FieldSelector::Match::kNo:  // after the write the selectors no longer match
      if (auto event = store_.erase(*object)) publish(std::move(*event));
      return;
    case kube::FieldSelector::Match::kUnknown:
      // The watch reports the write only if the object is or was selected. An object that is neither would stay in the
      // cache, because no event would remove it.
      if (!store_.get(written.key())) return;
      break;
    case kube::FieldSelector::Match::kYes:
      break;
  }
  for (auto& event : store_.put_own(*object)) publish(std::move(event));
}

kube::FieldSelector::Match SharedInformer::match(const kube::Object& written) const {
  return options_.labels.matches(written) ? options_.fields.match(written) : kube::FieldSelector::Match::kNo;
}

void SharedInformer::observe_delete(const kube::Key& key, std::string_view uid) {
  if (auto event = store_.erase_own(key, uid)) publish(std::move(*event));
}

Result<std::uint64_t> SharedInformer::put(std::string_view json, std::uint32_t epoch, Phase phase) {
  auto object = projected(json);
  if (!object) return ignore(json, epoch, object.error());
  auto events = phase == Phase::kWatch ? store_.put(*object, epoch) : store_.put_listed(*object, epoch);
  for (auto& event : events) {
    event.initial_list = phase == Phase::kFirstList;
    publish(std::move(event));
  }
  return object->resource_version();
}

// The object exists, so its last parsed state stays in the cache.
Result<std::uint64_t> SharedInformer::ignore(std::string_view json, std::uint32_t epoch, const Error& error) {
  auto metadata = json::scan_metadata(json);
  logger_of(environment_, options_.resource)
      .error(error, "Ignored an object that cannot be parsed",
             {{"namespace", metadata ? metadata->namespace_ : ""}, {"name", metadata ? metadata->name : ""}});
  if (!metadata) return std::move(metadata.error());
  store_.keep({metadata->namespace_, metadata->name}, metadata->uid, epoch);
  return metadata->resource_version_number.value_or(0);
}

Result<std::uint64_t> SharedInformer::erase(std::string_view json) {
  KEELSON_LET(auto object, projected(json));
  if (auto event = store_.erase(object)) publish(std::move(*event));
  return object.resource_version();
}

// An object is removed from the store and published without a yield; other work may run between two objects.
asio::awaitable<void> SharedInformer::sweep(std::string ns, std::uint32_t epoch, std::uint64_t version,
                                            async::TimeSlice& slice) {
  auto sweep = store_.begin_sweep(std::move(ns), epoch, version);
  while (sweep.left > 0) {
    auto removed = store_.sweep_some(sweep);
    if (removed) {
      slice.spend(removed->object().block_bytes());
      publish(std::move(*removed));
    }
    if (slice.is_over()) co_await slice.yield();
  }
}

void SharedInformer::listed() {
  bool all = std::ranges::all_of(reflectors_, [](const auto& r) { return r->has_listed(); });
  if (synced_ || !all) return;
  synced_ = true;
  logger_of(environment_, options_.resource).debug("Caches populated", {{"objects", std::uint64_t{store_.size()}}}, 2);
  environment_.synced.notify_all();
}

bool SharedInformer::is_contradicted(const std::string& ns, std::uint32_t epoch, std::uint64_t version) const {
  return store_.is_contradicted(ns, epoch, version);
}

void SharedInformer::went_back(const std::string& ns) { store_.distrust(ns); }

void SharedInformer::publish(Event event) {
  if (event.unchanged || event.only_generations) metrics_.count_unchanged();
  for (const auto& handler : handlers_) handler(event);
}

asio::awaitable<void> SharedInformer::resync_forever() {
  for (;;) {
    auto period =
        std::chrono::duration<double>(environment_.options.sync_period) * (0.9 + 0.2 * environment_.random.unit());
    co_await async::sleep_for(environment_.clock, std::chrono::duration_cast<async::Duration>(period));
    auto objects = store_.list("");
    for (std::size_t from = 0; from < objects.size(); from += kResyncPortion) {
      resync_some(objects, from, std::min(from + kResyncPortion, objects.size()));
      co_await async::sleep_for(environment_.clock, kResyncPause);
    }
  }
}

void SharedInformer::resync_some(const std::vector<kube::Object>& objects, std::size_t from, std::size_t to) {
  for (auto place = from; place < to; ++place) {
    auto current = store_.get(objects[place].key());
    if (!current) continue;
    Event event;
    event.type = Event::Type::kUpdated;
    event.before = current;
    event.after = std::move(current);
    event.resync = true;
    publish(std::move(event));
  }
}

CacheFigures SharedInformer::figures() const {
  const auto age = std::chrono::duration<double>(environment_.clock.now() - last_heard()).count();
  return {static_cast<double>(store_.size()), static_cast<double>(store_.bytes()), started_ ? age : 0};
}

InformerStatus SharedInformer::status() const {
  InformerStatus status;
  status.resource = options_.resource.qualified_plural();
  status.group = options_.resource.group;
  status.kind = options_.resource.kind;
  status.selection = options_.labels.text();
  if (const auto fields = options_.fields.text(); !fields.empty()) {
    status.selection += (status.selection.empty() ? "" : " ") + fields;
  }
  status.namespaces = options_.resource.namespaced ? options_.namespaces.size() : 0;
  status.objects = store_.size();
  status.bytes = store_.bytes();
  if (started_) status.age = environment_.clock.now() - last_heard();
  status.version = observed_version();
  status.has_synced = synced_;
  status.is_rejected = is_rejected();
  status.problem = problem();
  status.failing_for = failing_for();
  return status;
}

}  // namespace keelson::cache
