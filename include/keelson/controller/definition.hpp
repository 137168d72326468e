// A controller as its author declares it: what it reconciles, what else it watches, and how it is made.
//
//   controller::Definition memcached() {
//     return controller_for<Memcached>(reconcile)  // controller_for.hpp
//         .owns<apps::v1::Deployment>()
//         .owns<core::v1::Service>()
//         .watches<core::v1::Pod>(controller::map_by_label(…), {.labels = …, .projection = …});
//   }
//
// Webhooks of its kind: `.defaulted_by<CronJobSpec>(…)`, `.validated_by<CronJobSpec>(…)` (webhook/admission.hpp); of
// any kind: `.webhook(webhook::mutating<core::v1::Pod>(…))` (webhook/whole_object.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/cache/cache.hpp"
#include "keelson/controller/channel.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/events.hpp"
#include "keelson/controller/flag.hpp"
#include "keelson/controller/map_function.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/kind.hpp"
#include "keelson/kube/projection_of.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/webhook/kind_webhooks.hpp"
#include "keelson/webhook/whole_object.hpp"

namespace keelson::controller {

class Definition;

// What a reconciler works with; all of it outlives the reconciler. `client` is read-your-own-writes.
struct Context {
  async::Clock& clock;
  base::Random& random;
  Logger log;
  kube::Client& client;
  cache::Cache& cache;
  EventRecorder& events;
  metrics::Registry& registry;
  // The process environment (MEMCACHED_IMAGE); null when a variable is not set.
  std::function<const char*(const char*)> environment;
  // The flags that definitions and the Operator declare; flag() and optional_flag() read them.
  FlagValues flags = {};

  // Whose reconciler it is; null: nobody's in particular (webhooks).
  const Definition* definition = nullptr;

  // The informer of a kind that the definition declares; other definitions may declare others of the kind. Throws
  // base::Misuse for a kind that it does not declare.
  [[nodiscard]] cache::Informer& informer(const kube::Resource& resource) const;

  // The value of `--name`, or its default. Throws base::Misuse for a flag that is not declared with this type and a
  // default.
  template <FlagType T>
  [[nodiscard]] const T& flag(std::string_view name) const {
    const auto* value = find_flag<T>(flags, name);
    if (value == nullptr) misuse_optional_flag(name);
    return *value;
  }
  // For a flag without a default: nothing if it was not given.
  template <FlagType T>
  [[nodiscard]] std::optional<T> optional_flag(std::string_view name) const {
    const auto* value = find_flag<T>(flags, name);
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
  }

 private:
  [[noreturn]] static void misuse_optional_flag(std::string_view name);
};

// Whether an event matters; all predicates of a source must say yes.
using Predicate = std::function<bool(const cache::Event&)>;
[[nodiscard]] Predicate generation_changed();
[[nodiscard]] Predicate resource_version_changed();
[[nodiscard]] Predicate labels_changed();
[[nodiscard]] Predicate annotations_changed();
[[nodiscard]] Predicate any_of(std::vector<Predicate> predicates);

struct WatchOptions {
  // Which objects: the API server filters, by "app=web"_selector and "spec.nodeName=node-1"_fields. Another controller
  // with other selectors has another informer.
  kube::Selector labels;
  kube::FieldSelector fields;
  json::Projection projection = json::Projection::everything();
  std::vector<std::string> label_indexes;
  std::vector<std::pair<std::string, cache::IndexFunction>> indexes;
  std::vector<Predicate> predicates;
  // Objects are cached as their metadata and a digest of their content (cache/content_digest.hpp).
  bool only_digest = false;
  // Objects are cached as their metadata, annotations included, and the API server sends nothing else: no data of a
  // Secret. Reading another path is an Error; a struct has its metadata only. If another controller reads the content,
  // both share one informer that has it.
  bool only_metadata = false;
  // Of its events in the controller's queue: higher first. Initial lists and resyncs come after all others.
  int priority = 0;
};

struct Source {
  kube::Resource resource;
  WatchOptions options;
  MapFunction map;
};

// Maps an object to that of our kind that has its name, or the one that `name_of` makes of it; empty: none. For
// children that are not owned (Pass::apply reports them): they have no owner that leads to our object, but their name
// does.
[[nodiscard]] MapFunction map_by_name(kube::Resource owner, std::function<std::string(std::string_view)> name_of = {});
// Maps an object to that of our kind which this label names.
[[nodiscard]] MapFunction map_by_label(kube::Resource owner, std::string label);

// One line of the manager's role.
struct Permission {
  std::string group;
  std::string resource;  // plural, or plural/subresource
  std::vector<std::string> verbs;
};

enum class Deletion { kMayDelete, kNeverDeletes };

// How a controller runs. Where nothing is said, as the flags of the program or controller-runtime's defaults say.
struct ControllerSettings {
  std::optional<int> max_concurrent_reconciles;
  async::Duration backoff_base = std::chrono::milliseconds(5);
  async::Duration backoff_cap = std::chrono::seconds(1000);
  std::optional<async::Duration> reconcile_timeout;
  bool needs_leader_election = true;
};

class Definition {
 public:
  // Of a kind of your own: `generate` writes its CRD, its sample and roles for people.
  explicit Definition(kube::Kind kind);
  // Of a kind that exists without this operator, such as Namespace: nothing is generated for it, and its status belongs
  // to another controller.
  explicit Definition(kube::Resource existing);

  // What the main kind's own events are filtered by.
  Definition& filtered_by(Predicate predicate);
  // Which objects of the controller's own kind it watches, and which parts of them it caches. By default it caches
  // every object whole. Predicates and indexes are added to those that are declared elsewhere. An object that stops
  // matching is no longer reconciled: its children remain, and its finalizer is not removed. Two controllers of one
  // kind with different selectors cannot use map_by_name, map_by_label and refers_to.
  Definition& selects(WatchOptions options);
  // Objects that have one of ours as their controller: a change reconciles that owner.
  Definition& owns(kube::Resource resource, WatchOptions options = {});
  Definition& watches(kube::Resource resource, WatchOptions options, MapFunction map);
  // Children that the reconciler applies, creates, removes and prunes (controller/pass.hpp): the watch, and the
  // permissions that this needs. If the reconciler never deletes a child, say kNeverDeletes: the role is smaller then.
  template <kube::TypedObject T>
  Definition& owns(WatchOptions options = {}, Deletion deletion = Deletion::kMayDelete) {
    const auto resource = kube::resource_of<T>();
    Permission permission{resource.group, resource.plural, {"create", "patch"}};
    if (deletion == Deletion::kMayDelete) permission.verbs = {"create", "delete", "patch"};
    options = fitting<T>(std::move(options));
    check_owned(resource, options);
    // apply() reads an annotation.
    if (kube::PartialObject<T>) options.projection = options.projection.merged(json::Projection::annotations());
    return owns(resource, std::move(options)).needs(std::move(permission));
  }
  template <kube::TypedObject T>
  Definition& watches(MapFunction map, WatchOptions options = {}) {
    return watches(kube::resource_of<T>(), fitting<T>(std::move(options)), std::move(map));
  }
  // Objects of kind R that an object of the controller's kind names, such as Secrets in its namespace: a change of one
  // reconciles all objects that name it, also when it is created or deleted. They are cached as their metadata and a
  // digest of their content, which Pass::digest reads; the content is read by Pass::get_live.
  template <kube::TypedObject R, class T>
  Definition& refers_to(std::vector<std::string> (*names_of)(const T&)) {
    // The index of a function: two controllers of the kind may name different objects.
    return refers_to(kube::resource_of<R>(), std::to_string(reinterpret_cast<std::uintptr_t>(names_of)),
                     names_in<T>(names_of));
  }
  // An index of the controller's own kind, for Pass::by_index.
  template <class T>
  Definition& indexed_by(std::string name, std::vector<std::string> (*values_of)(const T&)) {
    own_watch_.indexes.emplace_back(std::move(name), names_in<T>(values_of));
    return *this;
  }
  // A kind without a controller that comes with this one: `generate` writes its CRD, its sample and roles for people.
  // What the manager itself does with its objects `owns`, `watches` and `needs` say, as of any other kind.
  Definition& brings(kube::Kind kind);
  // A flag `--name` of the program, read by Context::flag: `.flag<std::string>("redis-image", "redis:7", "The
  // image.")`.
  template <FlagType T>
  Definition& flag(std::string name, T default_value, std::string help) {
    flags_.push_back(make_flag<T>(std::move(name), std::move(default_value), std::move(help)));
    return *this;
  }
  // Without a default, read by Context::optional_flag.
  template <FlagType T>
  Definition& flag(std::string name, std::nullopt_t, std::string help) {
    flags_.push_back(make_flag<T>(std::move(name), std::monostate{}, std::move(help)));
    return *this;
  }
  // The name in --controllers, metrics and logs; otherwise the lower-case kind. Needed when two controllers would have
  // one name: two of one kind, or of kinds with one name in different groups. Lower-case letters, digits, `-` and `.`.
  Definition& named(std::string name);
  // Instead of --max-concurrent-reconciles.
  Definition& max_concurrent_reconciles(int count);
  // The delay after an error: `base`, doubled by each further error of the same key, at most `cap`.
  Definition& backoff(async::Duration base, async::Duration cap);
  // A reconcile that takes longer is cancelled; that is an error, counted in
  // controller_runtime_reconcile_timeouts_total.
  Definition& reconcile_timeout(async::Duration limit);
  // Runs on every replica, not on the leader alone, and its writes are not fenced. For controllers that only observe,
  // or whose replicas do not write the same objects.
  Definition& without_leader_election();
  // What comes through the channel is reconciled.
  Definition& channel(Channel channel);
  // In addition to what the declarations above imply: list and watch, which is what an informer sends. A reconciler
  // that calls kube::get needs `get` as well.
  Definition& needs(Permission permission);
  // Reconciles every object when the wall clock was set: for reconcilers that wait for a time of day, whose waiting the
  // jump has made wrong.
  Definition& follows_wall_clock();
  Definition& reconciled_by(std::function<std::unique_ptr<Reconciler>(Context&)> make);

  // Webhooks of the kind, served and registered as kubebuilder does. Spec is the described struct behind `spec`; the
  // context is the reconciler's, and on a standby too.
  template <class Spec>
  Definition& defaulted_by(std::function<std::unique_ptr<webhook::Defaulter<Spec>>(Context&)> make,
                           webhook::WebhookOptions options = {}) {
    return webhook({webhook::Verb::kMutating, resource_, std::move(options),
                    [make](Context& context) { return webhook::defaulting_by<Spec>(make(context)); }});
  }
  template <class Spec>
  Definition& validated_by(std::function<std::unique_ptr<webhook::Validator<Spec>>(Context&)> make,
                           webhook::WebhookOptions options = {}) {
    return spec_validator({webhook::Verb::kValidating, resource_, std::move(options),
                           [make](Context& context) { return webhook::validating_by<Spec>(make(context)); }});
  }
  // A webhook for whole objects of this or any other kind; it needs no RBAC rule, and the kind no controller.
  Definition& webhook(webhook::Webhook webhook);

  // Registers the validators of validated_by() for deletes as well: the API server then asks before each one.
  // kubebuilder's default, and ours, is creates and updates only: while the webhook is down, the API server rejects
  // every request that it is registered for.
  Definition& validates_deletes();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const kube::Resource& resource() const { return resource_; }  // of its own kind
  // The kinds that `generate` writes: the own kind, unless it is an existing one, then those of brings().
  [[nodiscard]] const std::vector<kube::Kind>& kinds() const { return kinds_; }
  [[nodiscard]] bool is_of_existing_kind() const { return is_of_existing_kind_; }
  [[nodiscard]] const std::vector<Flag>& flags() const { return flags_; }
  [[nodiscard]] const ControllerSettings& settings() const { return settings_; }
  [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }
  [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }
  [[nodiscard]] const WatchOptions& own_watch() const { return own_watch_; }
  [[nodiscard]] bool owns_children() const { return owns_children_; }
  [[nodiscard]] bool has_references() const { return has_references_; }  // refers_to() was called
  [[nodiscard]] const std::vector<Permission>& permissions() const { return permissions_; }
  [[nodiscard]] bool is_after_wall_clock() const { return is_after_wall_clock_; }
  // Throws base::Misuse when the author named no reconciler.
  [[nodiscard]] std::unique_ptr<Reconciler> make(Context& context) const;
  [[nodiscard]] const std::vector<webhook::Webhook>& webhooks() const { return webhooks_; }

 private:
  // For a partial struct the cache stores only its fields, unless the options name others (kube/projection_of.hpp).
  template <kube::TypedObject T>
  static WatchOptions fitting(WatchOptions options) {
    if (kube::PartialObject<T> && options.projection.covers({})) options.projection = kube::projection_of<T>();
    return options;
  }
  // An object that cannot be read names nothing.
  template <class T>
  static cache::IndexFunction names_in(std::vector<std::string> (*names_of)(const T&)) {
    return [names_of](const kube::Object& object) {
      const auto typed = read<T>(object);
      return typed ? names_of(*typed) : std::vector<std::string>();
    };
  }
  Definition& refers_to(kube::Resource resource, const std::string& function, cache::IndexFunction names_of);
  void check_owned(const kube::Resource& resource, const WatchOptions& options) const;
  Definition& spec_validator(webhook::Webhook webhook);

  kube::Resource resource_;
  bool is_of_existing_kind_ = false;
  std::vector<kube::Kind> kinds_;
  std::string name_;
  ControllerSettings settings_;
  std::vector<Flag> flags_;
  std::vector<Channel> channels_;
  WatchOptions own_watch_;
  std::vector<Source> sources_;
  bool owns_children_ = false;
  bool has_references_ = false;
  std::vector<Permission> permissions_;
  bool is_after_wall_clock_ = false;
  bool is_validated_on_delete_ = false;
  std::function<std::unique_ptr<Reconciler>(Context&)> make_;
  std::vector<webhook::Webhook> webhooks_;
  std::vector<std::size_t> spec_validators_;  // places in webhooks_
};

[[nodiscard]] Definition define(kube::Kind kind);
[[nodiscard]] Definition define(kube::Resource existing);

// Throws base::Misuse if two definitions have one name, and for mistakes in their webhooks (webhook/webhook.hpp).
void check_definitions(const std::vector<Definition>& definitions);

// Of all kinds of the definitions, each once: kinds that several controllers reconcile or bring.
[[nodiscard]] std::vector<kube::Kind> kinds_of(const std::vector<Definition>& definitions);

}  // namespace keelson::controller
