// The part of a pass that does not depend on the kind: children, cached and live reads, Events, log.
//
// Authors include pass.hpp, whose overview says which method is for what. Pass<T> derives from BasicPass and adds the
// status of the kind. A helper function for controllers of several kinds takes a `BasicPass&`.
//
// Errors: applies, creations, deletions and consistent reads fail if the pass is superseded (pass.hpp). Other reads do
// not, and those from the cache never wait. A read of a kind that the definition does not declare throws base::Misuse.
//
// Ownership: what a method returns is a value that later events of a watch do not change.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/controller/context.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::controller {

class PassState;

// The reason why a child does not have its desired state. If `readiness` is kStalled, a user or administrator must fix
// it; a problem with kReconciling disappears by itself.
struct ChildProblem {
  kube::Readiness readiness;
  // Of the conditions: "NotOwned", "CreateFailed", "UpdateFailed", "DeleteFailed", "ReconcileFailed", "ChildDeleting".
  std::string reason;
  std::string message;  // a sentence, with the API server's text
};

// The optional fields of an Event.
struct EventDetails {
  std::string action = "Reconcile";      // one CamelCase word
  std::optional<RelatedObject> related;  // the second object that the Event is about, such as a child
};

// Neither copied nor moved. The framework makes one for each call of the reconcile function and destroys it afterwards.
class BasicPass {
 public:
  // For the framework and for tests. The state and the attempt must outlive the pass; `object` is the version that the
  // cache has now.
  BasicPass(PassState& state, kube::Object object, Attempt& attempt);
  BasicPass(const BasicPass&) = delete;
  BasicPass& operator=(const BasicPass&) = delete;
  ~BasicPass();

  // Its lines have the keys controller, kind, namespace, name, reconcileID and reason.
  Logger log;
  async::Clock& clock;  // the time, which tests control
  // For requests that the methods below do not send. The cache contains its writes immediately. It also writes in a
  // superseded pass. Valid as long as the pass: a coroutine that outlives the reconcile must not use it.
  kube::Client& client;

  // Applies the desired state of a child, an object that this one controls, with server-side apply. The child gets the
  // owner reference, and this object's namespace unless it has its own. Drift in the fields that are set here is
  // corrected; other fields are left alone. Nothing is sent if the cached child has the desired state. Returns the
  // child as it is now. Needs `.owns<T>()`.
  //
  // Errors, with the conditions that are set at the end of the pass unless the function sets others afterwards:
  // - NotOwned: an object of that name is not controlled by this one, in the cache or, if the selector of `owns` hides
  //   it from the cache, in the API server. It is not changed. A Warning Event is recorded, and the object is Stalled.
  // - CreateFailed, UpdateFailed: the API server rejects the write (rejection.hpp). A Warning Event is recorded,
  //   and the object is Stalled.
  // - ChildDeleting: a child of that name is being deleted. The object is Reconciling, nothing is logged, and the next
  //   pass begins after kWait (5 s).
  // - other errors, such as a 500 of a webhook or a 409 of a stale cache, are retried first. They are reported in the
  //   same way when they persist: from the third failed pass in a row on, if the first one was at least 10 s ago.
  // - no answer of the API server sets no condition.
  //
  // Conflicts: if another writer changes the same field back after each of several corrections, the child is corrected
  // only once per 1m5s until that ends or the desired state changes. Meanwhile the call returns the child as it is.
  // The object has the condition Conflict, and a Warning Event, with the field and both field managers.
  //
  // Lists with keys, such as the ports of a Service, may have entries of other owners. If the API server rejects the
  // apply because of such an entry (a duplicate name), the apply takes over the entries of other owners in this list,
  // and is repeated, which removes them.
  //
  // Throws base::Misuse if the stored child does not match the label selector of `owns`, because the cache never has
  // it.
  //
  // Construct `child` again in each pass, with only the fields to set. An object that was read fails with kInvalid,
  // because the apply would own all of its fields. The projection of T must contain every field that is set here
  // (kInvalid otherwise).
  template <kube::TypedObject T>
  [[nodiscard]] Task<T> apply(T child) {
    std::vector<Untyped> children{untyped(child)};
    const auto applied = co_await apply_untyped(std::move(children));
    KEELSON_CO_TRY(applied.front());
    co_return std::move(child);
  }

  // Applies children that do not depend on each other: those that do not exist are created at the same time, after the
  // updates of the others. Each has its own result, as of apply(); the error of one does not affect the others. The
  // problem of the first one, in the order of the arguments, is reported. A second child with the same kind and name
  // fails with kInvalid. docs/cookbook.md has an example.
  template <kube::TypedObject... Ts>
  [[nodiscard]] boost::asio::awaitable<std::tuple<Result<Ts>...>> apply_all(Ts... children) {
    std::vector<Untyped> desired{untyped(children)...};
    const auto applied = co_await apply_untyped(std::move(desired));
    std::size_t place = 0;
    const auto result_of = [&]<class T>(T& child) -> Result<T> {
      const auto& result = applied[place++];
      if (!result) return result.error();
      return std::move(child);
    };
    co_return std::tuple<Result<Ts>...>{result_of(children)...};
  }

  template <class T>
  struct Created {
    T object;
    bool is_new;  // false: it exists already, from an earlier pass or from a create whose reply was lost
  };
  // Creates a child that is never changed afterwards, such as a Job. If a child of that name exists and this object
  // controls it, the call succeeds without a change, so derive the name from what must happen only once. Only a removed
  // label that `owns` selects is set again. The errors are those of apply().
  template <kube::TypedObject T>
  [[nodiscard]] Task<Created<T>> create(T child) {
    bool is_new = false;
    KEELSON_CO_TRY(co_await create_untyped(untyped(child), is_new));
    co_return Created<T>{std::move(child), is_new};
  }

  // Applies some fields of an object that this one does not control, such as a label of a Namespace, as the field
  // manager of `options`. Without `options.force`, a field that another manager has set to another value is an Error
  // that names both, and the object becomes Stalled if the function returns it. Needs a struct with these fields only
  // and `.rbac({group, plural, {"patch"}})`. It sends a request each time: compare with the cached object first. It
  // creates an object that does not exist, unless `object.metadata.uid` is set. uninstall does not remove the fields:
  // call kube::release_fields() in a finalizer.
  template <kube::TypedObject T>
  [[nodiscard]] Task<T> apply_fields(T object, kube::ApplyOptions options = {}) {
    KEELSON_CO_TRY(co_await check_current());
    co_return co_await kube::apply<T>(client, std::move(object), std::move(options));
  }

  // Deletes `child`, which was read, by its uid: never a later object of that name. Its dependents are deleted in the
  // background. Succeeds if it is gone already. Fails with kInvalid without a uid. It does not check that this object
  // controls `child`. Errors are reported as those of apply(), with the reason DeleteFailed.
  template <kube::TypedObject T>
  [[nodiscard]] Task<void> remove(const T& child) {
    return remove_uid(kube::resource_of<T>(), kube::key_of(child), child.metadata.uid);
  }

  // Deletes the children of this kind that this pass has neither applied nor created, after a consistent read. Call it
  // after all applies and creations of T, because it also deletes children that have not been applied yet: an apply of
  // T after it throws base::Misuse. It finds only children that match the label selector of `owns`.
  template <kube::TypedObject T>
  [[nodiscard]] Task<void> prune() {
    return prune_resource(kube::resource_of<T>());
  }

  // Reads an object from the cache; empty if it does not exist. Needs `.owns<T>()` or `.watches<T>(…)` (base::Misuse
  // otherwise). The cache contains all writes of this process, but may be stale for those of other processes. Fields
  // that the watch does not cache (WatchOptions::content) are as in T{}. Fails with kMalformed if the
  // object does not fit T.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> get(const kube::Key& key) const {
    return cache::get<T>(reading(kube::resource_of<T>()), key);
  }
  // Reads the child of that name, in this object's namespace unless `ns` is set; empty if it does not exist or this
  // object does not control it.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::optional<T>> child(std::string_view name, std::string_view ns = "") const {
    return cache::decode_found<T>(cached_child(kube::resource_of<T>(), {ns.empty() ? object().ns() : ns, name}));
  }
  // The objects of the kind that this one controls, from the cache, in no particular order.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> children() const {
    return cache::decode_all<T>(child_objects<T>());
  }
  // The same without decoding, for reading a few fields of many objects (kube/fields.hpp).
  template <kube::TypedObject T>
  [[nodiscard]] std::vector<kube::Object> child_objects() const {
    return controlled(kube::resource_of<T>());
  }
  // The objects that another cached object controls, such as the Pods of a ReplicaSet. Empty if `owner` is no longer in
  // the cache.
  template <kube::TypedObject T, kube::TypedObject Owner>
  [[nodiscard]] Result<std::vector<T>> children_of(const Owner& owner) const {
    return cache::decode_all<T>(
        controlled_by(kube::resource_of<Owner>(), kube::key_of(owner), owner.metadata.uid, kube::resource_of<T>()));
  }

  // The digest of the content of an object that `.refers_to<R>(…)` declares, in this object's namespace; empty if it
  // does not exist. As an annotation of a pod template it starts a rollout when a Secret changes. Fails with kInvalid
  // without refers_to.
  template <kube::TypedObject R>
  [[nodiscard]] Result<std::optional<std::string>> digest(std::string_view name) const {
    return digest_in_cache(kube::resource_of<R>(), name);
  }
  // The objects of kind T, in all namespaces, that have `value` in the index (Definition::indexed_by,
  // WatchOptions::indexes). Throws base::Misuse if the index is not declared.
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> by_index(std::string_view index, std::string_view value) const {
    return cache::decode_all<T>(reading(kube::resource_of<T>()).by_index(index, value), read<T>);
  }

  // The objects of a namespace, or of all namespaces if `ns` is empty, that the selector selects, from the cache,
  // sorted by namespace and name. `kube::selector_of(…)` (keelson/api/label_selector.hpp) converts the LabelSelector of
  // a spec. Needs `.owns<T>()`, `.watches<T>(…)` or `.also_reads<T>()` for a kind other than the controller's own
  // (base::Misuse otherwise); the cache has only objects that their options select. Each call decodes all objects that
  // it returns: for one of thousands of objects use by_index().
  template <kube::TypedObject T>
  [[nodiscard]] Result<std::vector<T>> list(std::string_view ns = "", const kube::Selector& selector = {}) const {
    return cache::decode_all<T>(listed(kube::resource_of<T>(), ns, selector), read<T>);
  }

  // Reads an object from the API server; empty if it does not exist. It sends a list with a field selector, so it needs
  // the permission `list`, which a watch of the kind implies.
  template <kube::TypedObject T>
  [[nodiscard]] Task<std::optional<T>> get_live(kube::Key key) const {
    KEELSON_CO_LET(const auto found, co_await live(kube::resource_of<T>(), std::move(key)));
    if (!found) co_return std::optional<T>();
    KEELSON_CO_LET(auto object, kube::decode_object<T>(*found));
    co_return std::optional<T>(std::move(object));
  }

  // Makes the cache consistent before a decision that must not be made twice, such as which child is next: afterwards
  // the cache has this object's children of the kind as the API server has them, or newer. Read them again after it. It
  // sends requests only in the first passes after the lease was acquired, while the cache may be older than the writes
  // of the former leader. If the object itself has changed, the pass is superseded. Fails with kInvalid for a kind that
  // the controller selects by fields, because such a cache cannot contain what a list returns.
  template <kube::TypedObject T>
  [[nodiscard]] Task<void> consistent_read() {
    return consistent_read_of(kube::resource_of<T>());
  }
  // True while the cached children of this kind may be older than the writes of the former leader: at least until the
  // first consistent_read() of the kind, for any object.
  template <kube::TypedObject T>
  [[nodiscard]] bool may_be_stale() const {
    return is_stale(kube::resource_of<T>());
  }

  // True if this object is the controller of `object`, which was read, by the uid of its owner reference.
  template <kube::TypedObject T>
  [[nodiscard]] bool controls(const T& object) const {
    return std::ranges::any_of(object.metadata.owner_references, [&](const auto& reference) {
      return reference.controller.value_or(false) && reference.uid == this->object().uid();
    });
  }
  // True if `child` is the desired state that was last applied under its name, regardless of drift since then.
  template <kube::TypedObject T>
  [[nodiscard]] bool was_applied(T child) const {
    return was_applied_untyped(untyped(child));
  }

  // Record an Event of this object, of type Normal or Warning, for `kubectl describe`. They never fail and never wait
  // (EventRecorder). `reason` is one CamelCase word, `note` a sentence.
  void event(std::string reason, std::string note, EventDetails details = {});
  void warning(std::string reason, std::string note, EventDetails details = {});

  // The value of a flag that the definition or the Operator declares, or its default (Context::flag).
  template <FlagType F>
  [[nodiscard]] const F& flag(std::string_view name) const {
    return context().flag<F>(name);
  }
  // The value of a flag without a default; empty if it was not given.
  template <FlagType F>
  [[nodiscard]] std::optional<F> optional_flag(std::string_view name) const {
    return context().optional_flag<F>(name);
  }
  // The client of other servers: `co_await pass.http().get(url)` (net/url_client.hpp).
  [[nodiscard]] net::UrlClient& http() const { return context().http(); }
  // A password or token of letters and digits: a new one at each call (Context::secure_random_text).
  [[nodiscard]] std::string secure_random_text(std::size_t length) const {
    return context().secure_random_text(length);
  }
  // A variable of the process environment; `otherwise` if it is not set or empty.
  [[nodiscard]] std::string environment(const char* name, std::string otherwise = "") const;
  // Context::is_dry_run(): change nothing outside of the API server.
  [[nodiscard]] bool is_dry_run() const { return context().is_dry_run(); }

  // True for a cached object with the annotation `keelson.dev/paused` (pause.hpp), which must not be changed; the
  // condition Paused then names it. Ask before you write with `client`. apply(), remove() and prune() check it
  // themselves: they write nothing and succeed, as if the child had the desired state.
  template <kube::TypedObject T>
  [[nodiscard]] bool is_paused(const kube::Key& key) {
    return is_paused_child(kube::resource_of<T>(), key);
  }

  // The object as the cache had it when the pass began.
  [[nodiscard]] const kube::Object& object() const;
  // The first problem of a child in this pass; a stalled one replaces an earlier one that is reconciling.
  [[nodiscard]] const std::optional<ChildProblem>& problem() const;

  // True if the status must report an error of a write that was sent with `client`: the API server has rejected it
  // (rejection.hpp), or this is at least the third failed pass in a row, and the first one was at least 10 s ago.
  // apply(), create(), remove() and prune() report their errors themselves.
  [[nodiscard]] bool must_report(const Error& error) const;

  // Writes the status at the end of this pass without coalescing, even if it only reports progress: for a change that
  // users wait for.
  void report_immediately();

  // For the framework: report the paused children after the end of the pass. `is_reported`: an earlier pass had some.
  [[nodiscard]] bool has_pause_to_report(const Result<Outcome>& outcome, bool is_reported) const;
  [[nodiscard]] Task<Outcome> report_paused(Result<Outcome> outcome);

 protected:
  // Set conditions of the status with the time of `clock` and the object's generation. `conditions_` must not be null.
  void set_readiness(kube::Readiness readiness, std::string reason, std::string message);
  void set_condition(std::string_view type, bool holds, std::string reason, std::string message);

  // The function has set the readiness, and no child had a problem afterwards.
  [[nodiscard]] bool has_readiness() const;
  void note_readiness();
  // report_immediately() was called.
  [[nodiscard]] bool is_urgent() const;
  // An Error of this pass said so, or the object was paused since the pass began.
  [[nodiscard]] bool is_superseded() const;
  // Marks the pass as superseded and returns the Error.
  [[nodiscard]] Error superseded() const;
  // At the end of the function: reports an Error that persists and that no child's problem explains, unless the
  // function has set a readiness other than Ready.
  void report_error(const Result<Outcome>& outcome);
  // Writes the status, as JSON, and records an Event for an Error that must be reported. If `is_immediate` is false, it
  // may be held back, and the outcome requests the reconcile that writes it. Empty: the object is gone.
  [[nodiscard]] Task<std::optional<Outcome>> store_status(std::string status, bool is_immediate);
  // The status is equal to the stored one, so that it is not written.
  void note_unchanged_status();
  // At the end of the pass: counts the failures of the object in a row.
  void note_result(const Result<Outcome>& ended);
  // Removes the conditions that the problem() of an earlier pass has set.
  void clear_problem();
  // Sets the condition Conflict if a child is contested; otherwise restores that of `stored`.
  void retain_conflict(const std::vector<kube::Condition>& stored);
  // The same at the end of a successful pass, which has applied all children: removes a Conflict that has ended.
  void finish_conflict(const std::vector<kube::Condition>& stored);
  // Makes the next pass begin early enough for a contested child.
  [[nodiscard]] Result<Outcome> with_conflict_retry(Result<Outcome> outcome) const;

  std::vector<kube::Condition>* conditions_ = nullptr;  // those of the status; null if it has none

 private:
  // The state of the pass, and the writes of its children: src/controller/pass_work.hpp.
  struct Work;
  // A child without its C++ type: the functions below are not templates, so that each kind costs little code.
  struct Untyped {
    const kube::Identity& identity;
    const kube::Type& type;
    void* value;  // of `type`
    std::string& ns;
    const std::string& name;
    std::map<std::string, std::string>* annotations;  // null if the metadata of its struct has none
    bool was_read;                                    // it has a uid or a resourceVersion
  };
  template <kube::TypedObject T>
  [[nodiscard]] static Untyped untyped(T& child) {
    auto& metadata = child.metadata;
    std::map<std::string, std::string>* annotations = nullptr;
    if constexpr (requires { child.metadata.annotations; }) annotations = &child.metadata.annotations;
    return {T::kIdentity,
            kube::type_of<T>(),
            &child,
            metadata.ns,
            metadata.name,
            annotations,
            !metadata.uid.empty() || !metadata.resource_version.empty()};
  }
  // These replace the values by the stored objects. After an error a value may be partly filled. There is a result for
  // each child, in the same order.
  [[nodiscard]] boost::asio::awaitable<std::vector<Result<void>>> apply_untyped(std::vector<Untyped> children);
  [[nodiscard]] Task<void> create_untyped(Untyped child, bool& is_new);
  // The methods above without their templates.
  [[nodiscard]] const Context& context() const;
  [[nodiscard]] Task<void> check_current();
  [[nodiscard]] Task<void> remove_uid(kube::Resource resource, kube::Key key, std::string uid);
  [[nodiscard]] Task<void> prune_resource(kube::Resource resource);
  [[nodiscard]] Task<void> consistent_read_of(kube::Resource children);
  [[nodiscard]] bool is_stale(const kube::Resource& children) const;
  [[nodiscard]] Task<std::optional<kube::Object>> live(kube::Resource resource, kube::Key key) const;
  // The informer of a kind, for one read, which the history of the object records.
  [[nodiscard]] cache::Informer& reading(const kube::Resource& resource) const;
  [[nodiscard]] std::optional<kube::Object> cached_child(const kube::Resource& resource, kube::Key key) const;
  [[nodiscard]] std::vector<kube::Object> controlled(const kube::Resource& resource) const;
  [[nodiscard]] std::vector<kube::Object> controlled_by(const kube::Resource& owners, const kube::Key& owner,
                                                        std::string_view owner_uid,
                                                        const kube::Resource& resource) const;
  [[nodiscard]] std::vector<kube::Object> listed(const kube::Resource& resource, std::string_view ns,
                                                 const kube::Selector& selector) const;
  [[nodiscard]] Result<std::optional<std::string>> digest_in_cache(const kube::Resource& resource,
                                                                   std::string_view name) const;
  [[nodiscard]] bool was_applied_untyped(const Untyped& child) const;
  [[nodiscard]] bool is_paused_child(const kube::Resource& resource, const kube::Key& key);

  std::unique_ptr<Work> work_;
};

// The delay before the next pass while a child is being deleted. The end of the deletion is a watch event, too, unless
// the selector of `owns` hides the object.
inline constexpr std::chrono::seconds kWait(5);

}  // namespace keelson::controller
