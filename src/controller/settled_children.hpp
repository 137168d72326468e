// Remembers children that had their desired state, so that an apply of the same state to the same child needs no
// comparison of fields: most passes change nothing, and the comparison parses both states.
//
// A fixed table of hashes, 64 KiB from the first child on: a child that another one displaces is compared again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::controller {

class SettledChildren {
 public:
  // The hash of everything that decides whether `child` has the state `desired` (plan_child() in child_policy.hpp). Not
  // the status and the version: most events change nothing else. Nor annotations of others, unless `desired` has
  // annotations.
  [[nodiscard]] static std::uint64_t state_of(const kube::Object& owner, const kube::Object& child,
                                              std::string_view desired, const kube::OperatorName& name);

  // True if add() was called with this child and this state, and no other child has displaced it.
  [[nodiscard]] bool contains(const kube::Object& child, std::uint64_t state) const;
  void add(const kube::Object& child, std::uint64_t state);

 private:
  static constexpr std::size_t kEntries = 4096;

  struct Entry {
    std::uint64_t child = 0;
    std::uint64_t state = 0;
  };

  std::vector<Entry> entries_;
};

}  // namespace keelson::controller
