// The declaration of a controller: the kind that it reconciles, its watches, flags, webhooks and RBAC rules.
//
// A Definition is a value without effects: the program creates informers, flags, roles and the controller from it. Each
// method changes the declaration and returns it. Mistakes throw base::Misuse at the start of the program, with a text
// that names the fix.
//
// Example (test/examples/controller.cpp#definition):
//   controller::Definition memcached() {
//     const auto by_label = controller::map_by_label(kube::resource_of<Memcached>(), "cache.example.com/memcached");
//     const controller::WatchOptions phases{.labels = "app=memcached"_selector,
//                                           .content = json::Projection::of({{"status", "phase"}})};
//     return controller_for<Memcached>(reconcile)
//         .owns<apps::v1::Deployment>()
//         .owns<core::v1::Service>()
//         .watches<core::v1::Pod>(by_label, phases);
//   }
//
// Webhooks of its kind are `.with_defaulter<CronJobSpec>(…)` and `.with_validator<CronJobSpec>(…)`
// (webhook/admission.hpp); those of any kind are `.webhook(webhook::mutating<core::v1::Pod>(…))`
// (the same header).
#pragma once

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/controller/channel.hpp"
#include "keelson/controller/context.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/webhook/admission.hpp"

namespace keelson::controller {

class Definition;
struct DefinitionParts;

// A filter of watch events. An event reaches the queue if all predicates of its source return true. The cache contains
// the object in any case. The predicates below filter updates only: additions and deletions always pass.
//
// generation_changed() ignores changes of metadata and status, because they do not change metadata.generation. It drops
// all updates of kinds without a generation, such as ConfigMap and Secret. any_of() passes the events that at least one
// of its predicates passes.
using Predicate = std::function<bool(const cache::Event&)>;
[[nodiscard]] Predicate generation_changed();
[[nodiscard]] Predicate resource_version_changed();
[[nodiscard]] Predicate labels_changed();
[[nodiscard]] Predicate annotations_changed();
[[nodiscard]] Predicate any_of(std::vector<Predicate> predicates);

// The objects of a watch, and the parts of them that are cached. Controllers with equal selectors share an informer,
// which caches what any of them declares.
struct WatchOptions {
  // The API server filters by "app=web"_selector and "spec.nodeName=node-1"_fields. A controller with other selectors
  // has another informer.
  kube::Selector labels;
  kube::FieldSelector fields;
  // The part of each object that is cached; by default all of it. The rest uses no memory, and reading it is an Error
  // that names the path. It is one of:
  // - paths: `json::Projection::of({{"status", "phase"}})`;
  // - `cache::OnlyMetadata{}`: the metadata, annotations included. The API server sends nothing else, such as the data
  //   of a Secret, and typed reads fill only `metadata`;
  // - `cache::OnlyDigest{}`: the identity and a digest of the content (cache/content_digest.hpp).
  cache::CachedContent content = json::Projection::everything();
  // Indexes, with which Informer::by_index finds objects without a scan: by label value (cache::label_index returns the
  // name of the index), or by the values that a named function returns.
  std::vector<std::string> label_indexes;
  std::vector<std::pair<std::string, cache::IndexFunction>> indexes;
  std::vector<Predicate> predicates;  // all of them must return true for an event
  // The reconciler reads metadata.generation and status.observedGeneration only to compare them, as rollout_of() does.
  // Updates that change nothing else that is cached then start no reconcile if both numbers were equal before, and are
  // equal again: the API server increments the generation of a Deployment with each change of its annotations. Only
  // this watch ignores them, but all controllers that share the informer read the former generation until the new one
  // is observed, also after a consistent read. It has no effect if a controller of this program reconciles the kind
  // itself. Not for the own kind, whose status.observedGeneration must follow.
  bool only_compares_generations = false;
  // The priority of its events in the controller's queue: higher first. Initial lists and resyncs have a lower one
  // (queue::kLowPriority).
  int priority = 0;
};

// A function that maps a changed object to the keys that are reconciled because of it, for Definition::watches.
// map_by_label covers the usual case.
//
// Example (test/examples/projections.cpp#map):
//   // Each Census of the namespace counts the object.
//   std::vector<kube::Key> to_census(const kube::Object& changed, cache::Cache& cache) {
//     std::vector<kube::Key> keys;
//     const auto censuses = cache.find(kube::resource_of<Census>());
//     if (!censuses) return keys;
//     for (const auto& census : (*censuses)->list(changed.ns())) keys.push_back(census.key());
//     return keys;
//   }
//
// It returns keys of the controller's own kind; none: the event is ignored. It is called with the object before and
// after the event, so that an object which moves from one owner to another reconciles both. It runs within the event of
// a watch: keep it fast, and send no request. `cache` finds what the object itself does not contain. A field that the
// projection of the watch lacks cannot be read. An exception is logged and counted as a panic, and the event is lost
// for this source. Keys without an object are reconciled too, and the
// reconcile function is then not called; duplicates are removed by the queue.
class MapFunction : public std::function<std::vector<kube::Key>(const kube::Object& changed, cache::Cache& cache)> {
  using Base = std::function<std::vector<kube::Key>(const kube::Object&, cache::Cache&)>;
  template <class Function>
  static constexpr bool kIsCoroutine = requires {
    typename std::coroutine_traits<std::invoke_result_t<Function, const kube::Object&, cache::Cache&>>::promise_type;
  };

 public:
  using Base::Base;
  // Accepts a coroutine only to reject it with a helpful compile error.
  template <class Function>
    requires kIsCoroutine<Function>
  MapFunction(Function&&) {  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
    static_assert(
        !kIsCoroutine<Function>,
        "a map function cannot be a coroutine: it runs within the event of a watch and reads the cache, which "
        "does not wait. Return std::vector<kube::Key>; send requests in the reconcile function");
  }
};

// A watch of another kind than the controller's own, as owns(), watches() and refers_to() declare it.
struct Source {
  kube::Resource resource;
  WatchOptions options;
  MapFunction map;
  bool is_owned = false;  // owns() declares it
};

// Maps an object to the object of kind `owner` that the value of `label` names, in the same namespace. An owner that
// does not exist is ignored, because any user can set any label.
[[nodiscard]] MapFunction map_by_label(kube::Resource owner, std::string label);

// An RBAC rule of the manager's ClusterRole, for one resource.
struct Permission {
  std::string group;               // "apps"; empty: the core group
  std::string resource;            // plural, or plural/subresource
  std::vector<std::string> verbs;  // "get", "create"
};

enum class Deletion { kMayDelete, kNeverDeletes };

namespace detail {
template <class T>
void take_names_function(std::vector<std::string> (*names_of)(const T&));
// A function, or a lambda without captures, from an object to names or values.
template <class Function>
concept IsNamesFunction = requires(Function function) { take_names_function(+function); };
}  // namespace detail

class Definition {
 public:
  // A controller of your own kind: `generate` writes its CRD, its sample and admin, editor and viewer ClusterRoles.
  // controller_for<T>() calls these constructors.
  explicit Definition(kube::Kind kind);
  // A controller of a kind that exists without this operator, such as Namespace: nothing is generated for it, and its
  // status belongs to another controller.
  explicit Definition(kube::Resource existing);
  Definition(const Definition& other);
  Definition& operator=(const Definition& other);
  Definition(Definition&&) noexcept;  // a moved-from one can only be assigned or destroyed
  Definition& operator=(Definition&&) noexcept;
  ~Definition();

  // Adds a predicate for the events of the controller's own kind.
  Definition& with_event_filter(Predicate predicate);
  // Selects the objects of the controller's own kind that it watches, and the parts of them that it caches. By default
  // it caches every object completely, or the fields of a partial struct (kube::PartialObject). Predicates and
  // indexes are added to those of with_event_filter() and indexed_by(). An object that stops matching is no longer
  // reconciled: its children remain, and its finalizer is not removed. Two controllers of one kind with different
  // selectors cannot use map_by_label and refers_to. Call it once.
  Definition& selects(WatchOptions options);
  // Watches objects whose controller reference names an object of our kind, and reconciles that owner. Also reconciles
  // an object whose last pass found that another object has a child's name (NotOwned, ChildDeleting), when that object
  // is deleted or gets another controller, unless the selectors of all watches of the kind hide it. This form adds no
  // permissions for writes; the template below does.
  Definition& owns(kube::Resource resource, WatchOptions options = {});
  // Watches objects of another kind and reconciles the keys that `map` returns.
  Definition& watches(kube::Resource resource, WatchOptions options, MapFunction map);
  // Declares the children that the reconciler applies, creates, removes and prunes (controller/pass.hpp): adds the
  // watch, and the permissions create, patch and delete. If the reconciler never deletes a child, pass kNeverDeletes:
  // the role then lacks `delete`.
  template <kube::TypedObject T>
  Definition& owns(WatchOptions options = {}, Deletion deletion = Deletion::kMayDelete) {
    return owns_kind(T::kIdentity, options, deletion, projection_if_partial<T>());
  }
  template <kube::TypedObject T>
  Definition& watches(MapFunction map, WatchOptions options = {}) {
    return watches_kind(T::kIdentity, options, std::move(map), projection_if_partial<T>());
  }
  // Caches objects of another kind, for reads of the Pass, without reconciling anything when they change: for a kind
  // that only adds to a decision, in a controller that reconciles again for another reason. If the result depends on
  // the objects, use watches(), or the result stays old. Adds the permissions list and watch, as every watch does.
  template <kube::TypedObject T>
  Definition& also_reads(WatchOptions options = {}) {
    return watches_kind(T::kIdentity, options, map_to_nothing(), projection_if_partial<T>());
  }
  // Watches the objects of kind R that an object of the controller's kind names, such as Secrets in its namespace: if
  // one is created, changed or deleted, all objects that name it are reconciled. `names_of` returns these names. The
  // cache stores their identity and a digest of their content, which Pass::digest returns; Pass::get_live reads the
  // content, which needs no further permission.
  template <kube::TypedObject R, class T>
  Definition& refers_to(std::vector<std::string> (*names_of)(const T&)) {
    // The address identifies the index: two controllers of the kind may name different objects.
    return refers_to(kube::resource_of<R>(), std::to_string(reinterpret_cast<std::uintptr_t>(names_of)),
                     names_in<T>(names_of));
  }
  // The same with a lambda. One with captures, or another function, does not compile.
  template <kube::TypedObject R, class Function>
  Definition& refers_to(Function names_of) {
    static_assert(detail::IsNamesFunction<Function>,
                  "refers_to needs a function `std::vector<std::string> names_of(const T& object)`, where T is the "
                  "controller's kind, or a lambda of this form without captures and without `auto`");
    if constexpr (detail::IsNamesFunction<Function>) refers_to<R>(+names_of);
    return *this;
  }
  // Adds an index of the controller's own kind, for Pass::by_index: an object is found under each of the values.
  template <class T>
  Definition& indexed_by(std::string name, std::vector<std::string> (*values_of)(const T&)) {
    return add_index(std::move(name), names_in<T>(values_of));
  }
  // The same with a lambda. One with captures, or another function, does not compile.
  template <class Function>
  Definition& indexed_by(std::string name, Function values_of) {
    static_assert(detail::IsNamesFunction<Function>,
                  "indexed_by needs a function `std::vector<std::string> values_of(const T& object)`, where T is the "
                  "controller's kind, or a lambda of this form without captures and without `auto`");
    if constexpr (detail::IsNamesFunction<Function>) indexed_by(std::move(name), +values_of);
    return *this;
  }
  // Declares another kind of your own without a controller: `generate` writes its CRD, its sample and admin, editor and
  // viewer ClusterRoles. It adds no watch and no permission of the manager; declare them with `owns`, `watches` and
  // `rbac`, as for any kind.
  Definition& also_defines(kube::Kind kind);
  // Adds a flag `--name` to the program, which Context::flag reads: `.flag<std::string>("redis-image", "redis:7", "The
  // image.")`.
  template <FlagType T>
  Definition& flag(std::string name, T default_value, std::string help) {
    return add_flag(make_flag<T>(std::move(name), std::move(default_value), std::move(help)));
  }
  // Adds a flag without a default, which Context::optional_flag reads.
  template <FlagType T>
  Definition& flag(std::string name, std::nullopt_t, std::string help) {
    return add_flag(make_flag<T>(std::move(name), std::monostate{}, std::move(help)));
  }
  // Sets the name in --controllers, metrics and logs; by default the lower-case kind. Two controllers of the same kind,
  // or of kinds with the same name in different groups, need different names. Lower-case letters, digits, `-` and `.`.
  Definition& named(std::string name);
  // Replaces --max-concurrent-reconciles for this controller: 1 to limits::kConcurrentReconciles. Different objects are
  // reconciled at the same time, on one thread, and take turns where they await; one object never is. A reconciler that
  // needs an order among its objects, such as one that numbers them, declares 1.
  Definition& max_concurrent_reconciles(int count);
  // Sets the delay after an error: `base`, doubled by each further error of the same key, at most `cap`. A successful
  // reconcile resets it. The defaults are in
  // keelson/detail/queue/retry_backoff.hpp.
  Definition& backoff(async::Duration base, async::Duration cap);
  // Cancels a reconcile that takes longer; by default there is no limit. The timeout is an error, which is retried, and
  // counted in controller_runtime_reconcile_timeouts_total.
  Definition& reconcile_timeout(async::Duration limit);
  // Runs the controller on every replica, not only on the leader, and does not fence its writes. For controllers that
  // only observe, or whose replicas do not write the same objects.
  Definition& without_leader_election();
  // Reconciles the keys that are added to the channel.
  Definition& channel(Channel channel);
  // Adds a permission. The declarations above grant only list and watch for reads: add `get` if the reconciler calls
  // kube::get.
  Definition& rbac(Permission permission);
  // Reconciles every object after a jump of the wall clock. It is for reconcilers that requeue until a time of day: the
  // queue measures delays on the monotonic clock, so a jump makes them wrong.
  Definition& reconcile_on_clock_jump();
  // Declares a finalizer that the reconciler adds to objects of the controller's kind; controller_for<T>() calls this.
  // `uninstall` recognizes the operator's own finalizers by it. Throws base::Misuse unless the name is qualified.
  Definition& adds_finalizer(std::string name);
  // Declares the types of the conditions that the reconciler sets in the status of its own kind, for keelson_objects
  // and for `generate kube-state-metrics`. controller_for<T>() calls this; call it for a Reconciler without Pass.
  Definition& sets_conditions(std::vector<std::string> types);
  // Sets the function that constructs the reconciler; controller_for<T>() calls this.
  Definition& reconciled_by(std::function<std::unique_ptr<Reconciler>(Context&)> make);

  // Add webhooks for the kind, which are served and registered as in kubebuilder. Spec is the described struct of
  // `spec`. `make` is called on standbys too, because they serve webhooks. The webhook of a validator whose class has
  // validate_delete() is registered for deletes too: let `make` return a unique_ptr to that class.
  template <class Spec>
  Definition& with_defaulter(std::function<std::unique_ptr<webhook::Defaulter<Spec>>(Context&)> make,
                             webhook::WebhookOptions options = {}) {
    return webhook({webhook::WebhookType::kMutating, resource(), std::move(options),
                    [make](Context& context) { return webhook::defaulting_by<Spec>(make(context)); }});
  }
  template <class Spec, std::invocable<Context&> Make>
  Definition& with_validator(Make make, webhook::WebhookOptions options = {}) {
    using Made = std::invoke_result_t<Make, Context&>;
    if constexpr (requires { typename Made::element_type; }) {
      constexpr bool kDeletes = webhook::validates_deletes<Spec, typename Made::element_type>();
      if constexpr (kDeletes) webhook::add_operation(options, webhook::Operation::kDelete);
    }
    return spec_validator({webhook::WebhookType::kValidating, resource(), std::move(options),
                           [make](Context& context) { return webhook::validating_by<Spec>(make(context)); }});
  }
  // Adds a webhook for whole objects of this or any other kind. It needs no RBAC rule, and the kind needs no
  // controller.
  Definition& webhook(webhook::Webhook webhook);

  // Registers the validators of with_validator() for deletes too, whatever their classes have. The default, as in
  // kubebuilder, is creates and updates only, because while the webhook server is down, the API server rejects every
  // request that a webhook is registered for.
  Definition& validates_deletes();

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const kube::Resource& resource() const;  // of the controller's own kind
  // What was declared, for the framework (definition_parts.hpp).
  [[nodiscard]] const DefinitionParts& parts() const { return *parts_; }

 private:
  // The function that makes the projection of a partial struct; null for other structs.
  using MakeProjection = json::Projection (*)();
  template <kube::TypedObject T>
  static constexpr MakeProjection projection_if_partial() {
    if constexpr (kube::PartialObject<T>) return &kube::projection_of<T>;
    return nullptr;
  }
  // For a partial struct the cache stores only its fields, unless the options have a content of their own
  // (kube::PartialObject). These are not templates, so that each kind costs little code; they move from `options`.
  Definition& owns_kind(const kube::Identity& identity, WatchOptions& options, Deletion deletion,
                        MakeProjection projection);
  Definition& watches_kind(const kube::Identity& identity, WatchOptions& options, MapFunction map,
                           MakeProjection projection);
  // An object that cannot be decoded has no values in the index.
  template <class T>
  static cache::IndexFunction names_in(std::vector<std::string> (*names_of)(const T&)) {
    return [names_of](const kube::Object& object) {
      const auto typed = read<T>(object);
      return typed ? names_of(*typed) : std::vector<std::string>();
    };
  }
  Definition& refers_to(kube::Resource resource, const std::string& function, cache::IndexFunction names_of);
  static MapFunction map_to_nothing();
  void check_owned(const kube::Resource& resource, const WatchOptions& options) const;
  Definition& spec_validator(webhook::Webhook webhook);
  Definition& add_index(std::string name, cache::IndexFunction values_of);
  Definition& add_flag(Flag flag);

  std::unique_ptr<DefinitionParts> parts_;
};

// The constructors as functions, for a Reconciler without Pass.
[[nodiscard]] Definition define(kube::Kind kind);
[[nodiscard]] Definition define(kube::Resource existing);

// Throws base::Misuse if two definitions have the same name, if controllers of one kind select different objects and
// one of them uses refers_to, and for mistakes in their webhooks (webhook/webhook.hpp).
void check_definitions(const std::vector<Definition>& definitions);

// The kinds of all definitions, each once, although several controllers may reconcile or define a kind.
[[nodiscard]] std::vector<kube::Kind> kinds_of(const std::vector<Definition>& definitions);

}  // namespace keelson::controller
