// The objects, the counter of their versions, and the history for watches.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/journal.hpp"
#include "keelson/kube/object.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/storage/entry.hpp"
#include "src/sandbox/storage/history.hpp"
#include "src/sandbox/storage/pod_index.hpp"

namespace keelson::sandbox {

// The number of a resourceVersion in a request; 0 if it is not a number.
[[nodiscard]] std::uint64_t version_number(const std::string& text);

class Store {
 public:
  Store() { compact(); }

  using Entry = sandbox::Entry;
  using Entries = std::map<kube::Key, Entry>;
  using Objects = std::map<const ServedKind*, Entries>;

  // Called after every write.
  std::function<void(const Change&)> on_change;
  // Called when a write fails because the journal failed.
  std::function<void(const Error&)> on_journal_failure;

  // Every write is stored in the journal first; null: no journal.
  void write_through(Journal* journal) { journal_ = journal; }
  // Adds an object of the journal, without a new version and without a Change. Fails if it is malformed.
  [[nodiscard]] Result<void> load(const ServedKind& kind, const Journal::Row& row);
  // After load(): the next version is higher than this one, and the history is empty.
  void continue_from(std::uint64_t version);

  [[nodiscard]] const Entry* find(const ServedKind& kind, const kube::Key& key) const;
  // The objects of a kind, by namespace and name.
  [[nodiscard]] const Entries& all(const ServedKind& kind) const;
  [[nodiscard]] std::uint64_t version() const { return version_; }
  // The objects with an owner reference to this one; references across namespaces do not count. These are copies of
  // handles, so the store may change during the iteration.
  using Found = std::vector<std::pair<const ServedKind*, kube::Object>>;
  [[nodiscard]] Found dependents(const kube::Object& owner) const;
  using Place = std::pair<const ServedKind*, kube::Key>;
  // The owner with this uid, if an object of that namespace may have it as an owner.
  [[nodiscard]] std::optional<Place> locate_owner(std::string_view uid, std::string_view dependent_ns) const;

  [[nodiscard]] const PodIndex& pod_index() const { return pod_index_; }

  // Call it at the beginning of a request or of a controller's pass: see TreesInUse::trim().
  void trim_trees() { trees_.trim(); }

  // Stores under a new version, which is written into the object. Fails, and changes nothing, if its metadata is
  // malformed, it is larger than an object may be, or the journal fails (kStatus, code 500).
  [[nodiscard]] Result<const Entry*> put(const ServedKind& kind, const kube::Key& key, Stored stored);
  // Replaces the JSON of an object under its version, in memory only and without a Change. This invalidates references
  // to its tree. Nothing happens if it is larger than an object may be.
  void rewrite(const ServedKind& kind, const kube::Key& key, Stored stored);
  // Fails, and changes nothing, if the journal fails.
  [[nodiscard]] Result<void> erase(const ServedKind& kind, const kube::Key& key);

  [[nodiscard]] const History& history() const { return history_; }
  // Forgets the history: watches and lists from an earlier version get 410.
  void compact() { history_.forget_all(version_); }

  [[nodiscard]] const Objects& objects() const { return objects_; }
  // Replaces all objects by these, with their versions; the next version is higher than all by `raised_by`. Discards
  // the history, and returns the differences.
  [[nodiscard]] std::vector<Change> restore(Objects objects, std::uint64_t raised_by);

 private:
  [[nodiscard]] Result<void> checked(Result<void> journaled);
  void record(Change change);
  void index(const ServedKind& kind, const kube::Object& object);
  void forget(const ServedKind& kind, const kube::Object& object);

  Journal* journal_ = nullptr;
  std::uint64_t version_ = 1000;
  TreesInUse trees_;
  Objects objects_;
  std::map<std::string, std::set<Place>, std::less<>> dependents_;  // by the owner's uid
  std::map<std::string, Place, std::less<>> places_;                // by uid
  PodIndex pod_index_;
  History history_;
};

}  // namespace keelson::sandbox
