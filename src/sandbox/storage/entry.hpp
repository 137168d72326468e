// A stored object: its JSON, and the same as a tree while it is in use.
//
// A tree takes five times the memory of its JSON. Therefore only the trees of the objects that were used last are
// stored; others are parsed again when they are needed.
#pragma once

#include <list>
#include <memory>

#include "keelson/kube/object.hpp"
#include "src/sandbox/fields/managed_fields.hpp"

namespace keelson::sandbox {

struct Stored {
  Tree tree;  // without managedFields
  Managers managers;
};

class Entry;

// The entries that have a tree, the oldest first. Outlives the entries.
class TreesInUse {
 public:
  TreesInUse() = default;
  TreesInUse(const TreesInUse&) = delete;
  TreesInUse& operator=(const TreesInUse&) = delete;

  // Drops the oldest until limits::kSandboxTrees and kSandboxTreeBytes suffice. This invalidates references from
  // Entry::stored(), so call it at the beginning of a request or of a controller's pass.
  void trim();

 private:
  friend class Entry;
  std::list<const Entry*> entries_;
  std::size_t bytes_ = 0;  // of the JSON of these entries
};

class Entry {
 public:
  Entry(TreesInUse& trees, kube::Object json) : object(std::move(json)), trees_(&trees) {}
  Entry(TreesInUse& trees, kube::Object json, Stored stored);
  // A copy has no tree yet.
  Entry(const Entry& other) : object(other.object), trees_(other.trees_) {}
  Entry(Entry&& other) noexcept;
  Entry& operator=(Entry other) noexcept;
  ~Entry() { drop_tree(); }

  // Replaces the JSON by another form of the same object.
  [[nodiscard]] Entry rewritten(kube::Object json, Stored stored) const;

  // Valid until TreesInUse::trim() or a change of the entry.
  [[nodiscard]] const Stored& stored() const;

  kube::Object object;  // its JSON with managedFields, as clients get it

 private:
  friend class TreesInUse;
  struct Parsed {
    Stored stored;
    std::list<const Entry*>::iterator place;  // in TreesInUse
    std::size_t bytes;                        // counted there
  };
  void keep_tree(Stored stored) const;
  void drop_tree() const;

  TreesInUse* trees_;
  mutable std::unique_ptr<Parsed> parsed_;
};

}  // namespace keelson::sandbox
