// The objects, the one counter of their versions, and the history that watches are fed from.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/kube/object.hpp"
#include "keelson/sandbox/journal.hpp"
#include "src/sandbox/entry.hpp"
#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

// A resourceVersion of a request; 0 for what is none.
[[nodiscard]] std::uint64_t version_number(const std::string& text);

// One write, as history keeps it: what was there before and after, in words.
struct Change {
  std::uint64_t version = 0;
  const ServedKind* kind = nullptr;
  std::optional<kube::Object> before;
  std::optional<kube::Object> after;  // nothing: deleted
  // The object that watches send. For a deletion: the last object, with the version of the deletion.
  std::optional<kube::Object> last = std::nullopt;

  [[nodiscard]] kube::Key key() const { return (after ? *after : *before).key(); }
};

class Store {
 public:
  using Entry = sandbox::Entry;
  using Entries = std::map<kube::Key, Entry>;
  using Objects = std::map<const ServedKind*, Entries>;

  // Called after every write.
  std::function<void(const Change&)> on_change;
  // Called when a write fails because the journal failed.
  std::function<void(const Error&)> on_journal_failure;

  // Every write goes there first; null: nowhere.
  void write_through(Journal* journal) { journal_ = journal; }
  // Adds an object as the journal has it: no new version, no change. Fails if it is malformed.
  [[nodiscard]] Result<void> load(const ServedKind& kind, const Journal::Row& row);
  // After load(): the next version is higher than this one, and there is no history.
  void continue_from(std::uint64_t version);

  [[nodiscard]] const Entry* find(const ServedKind& kind, const kube::Key& key) const;
  // Of a kind, by namespace and name.
  [[nodiscard]] const Entries& all(const ServedKind& kind) const;
  [[nodiscard]] std::uint64_t version() const { return version_; }
  // What names this object among its owners; a reference across namespaces does not count. Handles, so that the store
  // may change while they are gone through.
  using Found = std::vector<std::pair<const ServedKind*, kube::Object>>;
  [[nodiscard]] Found dependents(const kube::Object& owner) const;
  using Place = std::pair<const ServedKind*, kube::Key>;
  // The owner with this uid, where an object of that namespace can have it.
  [[nodiscard]] std::optional<Place> locate_owner(std::string_view uid, std::string_view dependent_ns) const;

  // To be called at the beginning of a request or of a controller's pass: see TreesInUse::trim().
  void trim_trees() { trees_.trim(); }

  // Stores under a new version, which is written into the object. Fails, and changes nothing, if its metadata is
  // malformed, it is larger than an object may be, or the journal fails (kStatus, code 500).
  [[nodiscard]] Result<const Entry*> put(const ServedKind& kind, const kube::Key& key, Stored stored);
  // Fails, and changes nothing, if the journal fails.
  [[nodiscard]] Result<void> erase(const ServedKind& kind, const kube::Key& key);

  // Changes after `version`, oldest first; nothing when some of them are forgotten.
  [[nodiscard]] std::optional<std::vector<const Change*>> since(std::uint64_t version) const;
  [[nodiscard]] std::uint64_t oldest() const { return forgotten_; }
  void compact();

  [[nodiscard]] const Objects& objects() const { return objects_; }
  // Replaces all objects by these, with their versions; the next version is higher than ever by `raised_by`. Forgets
  // the history, and gives what is different now.
  [[nodiscard]] std::vector<Change> restore(Objects objects, std::uint64_t raised_by);

 private:
  [[nodiscard]] Result<void> checked(Result<void> journaled);
  void record(Change change);
  void index(const ServedKind& kind, const kube::Object& object);
  void forget(const ServedKind& kind, const kube::Object& object);

  Journal* journal_ = nullptr;
  std::uint64_t version_ = 1000;
  std::uint64_t forgotten_ = 1000;  // history knows what came after
  TreesInUse trees_;
  Objects objects_;
  std::map<std::string, std::set<Place>, std::less<>> dependents_;  // by the owner's uid
  std::map<std::string, Place, std::less<>> places_;                // by uid
  std::deque<Change> history_;
};

}  // namespace keelson::sandbox
