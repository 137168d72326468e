// One kind, watched once for everybody: its objects by key and by index, and a call on every change.
//
// Objects are immutable and shared. Reads see this process's own writes at once (`observe_write`), through get, list
// and every index. Lives in a Cache, which starts and stops it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/json/projection.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/field_selector.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"
#include "keelson/kube/selector.hpp"

namespace keelson::cache {

// What an object is found by, beside its key: any number of values for each.
using IndexFunction = std::function<std::vector<std::string>(const kube::Object&)>;

// "label:<name>", the index of a label that InformerOptions::label_indexes names. As any index it spans all namespaces.
[[nodiscard]] std::string label_index(std::string_view label);

// Which objects of a kind an informer has: the API server filters.
struct Selection {
  kube::Selector labels = {};
  kube::FieldSelector fields = {};
  bool operator==(const Selection&) const = default;
};

struct InformerOptions {
  kube::Resource resource;
  kube::Selector labels;  // the API server sends only what these two select
  kube::FieldSelector fields;
  std::vector<std::string> namespaces;  // empty: all
  json::Projection projection = json::Projection::everything();
  std::vector<std::string> label_indexes;
  std::vector<std::pair<std::string, IndexFunction>> indexes;
  // Objects have only their metadata and a digest of their content (content_digest.hpp), instead of `projection`. What
  // other users of the informer read is there as well.
  bool only_digest = false;
  // Objects have only their metadata, annotations included, instead of `projection`: the API server is asked for
  // nothing else, so that the content neither crosses the network nor is parsed. If another user of the informer needs
  // the content, or its digest, the server sends whole objects.
  bool only_metadata = false;
  // owned_by() is asked with cluster-scoped owners too, and needs an index for them: without it, it reads all objects.
  bool cluster_scoped_owners = false;

  [[nodiscard]] Selection selection() const { return {labels, fields}; }
};

struct Event {
  enum class Type { kAdded, kUpdated, kDeleted };
  Type type = Type::kAdded;
  std::optional<kube::Object> before;  // updated, deleted (the last state that was known)
  std::optional<kube::Object> after;   // added, updated
  bool initial_list = false;           // from the first list, not from a change
  bool resync = false;                 // nothing changed: the periodic "look again"
  [[nodiscard]] const kube::Object& object() const { return after ? *after : *before; }
};

using EventHandler = std::function<void(const Event&)>;

class Informer {
 public:
  virtual ~Informer() = default;

  [[nodiscard]] virtual const kube::Resource& resource() const = 0;

  // Both lists have an unspecified order.
  [[nodiscard]] virtual std::optional<kube::Object> get(const kube::Key& key) const = 0;
  [[nodiscard]] virtual std::vector<kube::Object> list(std::string_view ns = "") const = 0;  // empty: all namespaces
  // `index` must exist (asserted). A value that nothing has gives an empty list.
  [[nodiscard]] virtual std::vector<kube::Object> by_index(std::string_view index, std::string_view value) const = 0;

  // The objects with an owner reference to `owner`, its controller's or another. As for the garbage collector, the
  // reference counts only in the owner's own namespace: any user can write any uid into their own objects. A reference
  // to a cluster-scoped owner counts everywhere.
  [[nodiscard]] virtual std::vector<kube::Object> owned_by(const kube::Object& owner) const = 0;

  // How a consistent read asks the API server for objects of this informer.
  [[nodiscard]] virtual kube::Content content() const = 0;

  // Handlers are called on the loop in the order of the changes, after the store has them. Before Cache::start only.
  virtual void subscribe(EventHandler handler) = 0;

  // The first list is complete and all handlers have seen it.
  [[nodiscard]] virtual bool has_synced() const = 0;
  // Why it has not synced: the last error in words ("pods is forbidden: …"), empty when it works.
  [[nodiscard]] virtual std::string trouble() const = 0;

  // The newest resourceVersion that the watch has passed; with several namespaces, that all of their watches have
  // passed.
  [[nodiscard]] virtual std::uint64_t observed_version() const = 0;

  // A reply of our own write: readers see at least this until the watch has passed it. If it cannot be decided in
  // memory whether the field selector matches (FieldSelector::match), a cached object is replaced, and an object that
  // is not cached appears when the watch reports it.
  virtual void observe_write(const kube::Object& written) = 0;
  // A deletion of ours that is complete: readers do not see that uid any more.
  virtual void observe_delete(const kube::Key& key, std::string_view uid) = 0;
};

}  // namespace keelson::cache
