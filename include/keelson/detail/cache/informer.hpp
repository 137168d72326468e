// A shared watch of a kind: its objects by key and by index, and handlers called on every change.
//
// Objects are immutable and shared between all readers. Reads contain the process's own writes immediately
// (`observe_write`), through get, list and every index. A Cache owns the informer, and starts and stops it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::cache {

// The values by which an index finds an object; an object can have none or several. Called on the loop for every change
// of an object and again by reads, so it must be pure, must not wait, and must return the same values for the same
// object.
using IndexFunction = std::function<std::vector<std::string>(const kube::Object&)>;

// "label:<name>": the name of the index of a label in InformerOptions::label_indexes. Like every index it spans all
// namespaces.
[[nodiscard]] std::string label_index(std::string_view label);

// The selectors of an informer: the objects of its kind that it caches. The API server filters, so other objects cost
// neither traffic nor memory. An object that stops matching is reported as kDeleted, although it still exists.
struct Selection {
  kube::Selector labels = {};
  kube::FieldSelector fields = {};
  bool operator==(const Selection&) const = default;
};

// Only the metadata, annotations included: the API server sends nothing else (PartialObjectMetadata). If another user
// of the informer needs the content or its digest, it sends whole objects.
struct OnlyMetadata {};
// Only the identity and a digest of the content (content_digest.hpp).
struct OnlyDigest {};
// The part of each object that an informer stores: paths, or one of the two above. Reading another path of a cached
// object is an Error that names the path. Users of one informer share the union of what they need.
using CachedContent = std::variant<json::Projection, OnlyMetadata, OnlyDigest>;

struct InformerOptions {
  kube::Resource resource;
  // The API server sends only the objects that match both selectors.
  kube::Selector labels;
  kube::FieldSelector fields;
  std::vector<std::string> namespaces;  // empty: CacheOptions::namespaces; ignored for cluster-scoped kinds
  CachedContent content = json::Projection::everything();
  std::vector<std::string> label_indexes;  // names of labels; see label_index()
  // By name; if a name is declared twice, the first function is used.
  std::vector<std::pair<std::string, IndexFunction>> indexes;
  // What the user does with metadata.generation and status.observedGeneration. If at least one user only compares them,
  // and none reconciles the kind, the informer holds back a new generation of an object whose generation was observed,
  // until that is observed too, unless something else that is stored changes. All users then get an update, which has
  // `only_generations` (Event). Without effect if one of the two numbers is not stored.
  enum class Generations : std::uint8_t { kRead, kOnlyCompared, kReconciled };
  Generations generations = Generations::kRead;
  // Adds an index for owned_by() with cluster-scoped owners. Without it owned_by() scans all objects for such an owner.
  bool cluster_scoped_owners = false;

  [[nodiscard]] Selection selection() const { return {labels, fields}; }
};

// A change of a cached object, from the watch, from a list or from an own write.
struct Event {
  enum class Type { kAdded, kUpdated, kDeleted };
  Type type = Type::kAdded;
  std::optional<kube::Object> before;  // of kUpdated, and of kDeleted: the last known state
  std::optional<kube::Object> after;   // of kAdded and kUpdated
  bool initial_list = false;           // the object existed when the informer first listed the kind
  bool resync = false;                 // periodic repetition: `before` and `after` are the same state
  // Of kUpdated: no stored byte differs except the resourceVersion, because the change is outside the projection, or a
  // generation that is held back. No reconcile follows from it, as nothing that a reconciler can read has changed.
  bool unchanged = false;
  // Of kUpdated: only the numbers of InformerOptions::generations differ, which were equal before and are equal again.
  // No reconcile follows from it in a controller that only compares them.
  bool only_generations = false;
  [[nodiscard]] const kube::Object& object() const { return after ? *after : *before; }
};

// Must not wait and must not throw. Events of one object arrive in the order of its changes. If a name is deleted and
// created again between two lists, the handler gets kDeleted and then kAdded, because the uid differs.
using EventHandler = std::function<void(const Event&)>;

class Informer {
 public:
  virtual ~Informer() = default;

  [[nodiscard]] virtual const kube::Resource& resource() const = 0;

  // Reads of memory, in no particular order. A list copies handles, not objects.
  [[nodiscard]] virtual std::optional<kube::Object> get(const kube::Key& key) const = 0;
  [[nodiscard]] virtual std::vector<kube::Object> list(std::string_view ns = "") const = 0;  // empty: all namespaces
  // Throws base::Misuse if no user of the informer declared `index`. Empty if no object has the value.
  [[nodiscard]] virtual std::vector<kube::Object> by_index(std::string_view index, std::string_view value) const = 0;

  // The objects with an owner reference to `owner`, whether or not it is their controller. As for the garbage
  // collector, a reference to a namespaced owner counts only in the owner's namespace, because any user can write any
  // uid into an object of their own namespace. A reference to a cluster-scoped owner counts everywhere. Of an object
  // with more than 64 owners, its controller and the first 63 others count.
  [[nodiscard]] virtual std::vector<kube::Object> owned_by(const kube::Object& owner) const = 0;

  // Whole objects or metadata only: a consistent read requests the same.
  [[nodiscard]] virtual kube::Content content() const = 0;

  // Handlers are called on the loop after the store has the change, so a read in the handler contains it. For an own
  // write they are called within observe_write(). Only before Cache::start() (asserted).
  virtual void subscribe(EventHandler handler) = 0;

  // True if the first list of every namespace is complete and all handlers have been called with its objects.
  [[nodiscard]] virtual bool has_synced() const = 0;
  // The text of the last error of list or watch ("pods is forbidden: …"); empty while both work.
  [[nodiscard]] virtual std::string problem() const = 0;
  // How long list or watch have failed; 0 while both work. If the informer has synced, reads do not contain the changes
  // of other clients since then.
  [[nodiscard]] virtual async::Duration failing_for() const = 0;

  // The newest resourceVersion whose changes are all in the cache; with several namespaces, the lowest among their
  // watches. 0 before the first list. A consistent read repeats its request until this reaches the version of its
  // first reply.
  [[nodiscard]] virtual std::uint64_t observed_version() const = 0;

  // Stores the object of the API server's reply to an own write: reads return this state or a newer one. A version that
  // the watch has already passed is ignored. An object that no longer matches the selectors is removed. If it cannot be
  // decided in memory whether the field selector matches (FieldSelector::match), a cached object is replaced, and an
  // object that is not cached appears when the watch reports it.
  virtual void observe_write(const kube::Object& written) = 0;
  // Removes the object of an own deletion that is complete. Late watch events of that uid are ignored.
  virtual void observe_delete(const kube::Key& key, std::string_view uid) = 0;
};

// Cached objects as C++ structs: those of keelson/api, and any other with `kIdentity`, `metadata` and described fields.
//
// Example (test/examples/cache.cpp#typed_reads):
//   // The images of the Pods on a node; the informer has an index "node".
//   Result<std::vector<std::string>> images_on(const cache::Informer& informer, std::string_view node) {
//     KEELSON_LET(const auto pods, cache::by_index<core::v1::Pod>(informer, "node", node));
//     std::vector<std::string> images;
//     for (const auto& pod : pods) {
//       for (const auto& container : pod.spec.containers) images.push_back(container.image);
//     }
//     return images;
//   }
//
// Every call decodes the bytes again, so read an object once per pass. Fields that the informer does not store
// (InformerOptions::content) have the value of T{}. If an object cannot be decoded, the whole read is
// an Error that names the object and the field. Reading an informer as a struct of another kind throws base::Misuse.
namespace detail {
// Throws base::Misuse unless the informer is one of this kind; the version may differ.
void check_kind(const Informer& informer, const kube::Identity& identity);
// The error with the key of the object.
[[nodiscard]] Error about(const kube::Object& object, Error error);
}  // namespace detail

// Decodes all objects, or fails at the first that cannot be decoded. `decode` is kube::decode_object<T> or another
// reader of one object.
template <class T>
[[nodiscard]] Result<std::vector<T>> decode_all(const std::vector<kube::Object>& objects,
                                                Result<T> (*decode)(const kube::Object&) = kube::decode_object<T>) {
  std::vector<T> all;
  all.reserve(objects.size());
  for (const auto& object : objects) {
    auto decoded = decode(object);
    if (!decoded) return detail::about(object, std::move(decoded).error());
    all.push_back(std::move(*decoded));
  }
  return all;
}

// The same for an object that may not exist.
template <kube::TypedObject T>
[[nodiscard]] Result<std::optional<T>> decode_found(const std::optional<kube::Object>& object) {
  if (!object) return std::optional<T>();
  auto decoded = kube::decode_object<T>(*object);
  if (!decoded) return detail::about(*object, std::move(decoded).error());
  return std::optional<T>(std::move(*decoded));
}

// nullopt if the cache has no object of that key.
template <kube::TypedObject T>
[[nodiscard]] Result<std::optional<T>> get(const Informer& informer, const kube::Key& key) {
  detail::check_kind(informer, T::kIdentity);
  return decode_found<T>(informer.get(key));
}

// The objects of a namespace, or of all namespaces if `ns` is empty, in no particular order.
template <kube::TypedObject T>
[[nodiscard]] Result<std::vector<T>> list(const Informer& informer, std::string_view ns = "") {
  detail::check_kind(informer, T::kIdentity);
  return decode_all<T>(informer.list(ns));
}

// The objects of all namespaces that have this value in the index. Throws base::Misuse if the index is not declared.
template <kube::TypedObject T>
[[nodiscard]] Result<std::vector<T>> by_index(const Informer& informer, std::string_view index,
                                              std::string_view value) {
  detail::check_kind(informer, T::kIdentity);
  return decode_all<T>(informer.by_index(index, value));
}

}  // namespace keelson::cache
