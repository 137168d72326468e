// The objects without a controller that a controller may adopt: pods, ReplicaSets and ControllerRevisions.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "src/sandbox/storage/history.hpp"

namespace keelson::sandbox {

class Orphans {
 public:
  void hear(const Change& change);
  // Those of a namespace, by name.
  [[nodiscard]] std::vector<kube::Key> in(const ServedKind& kind, std::string_view ns) const;

 private:
  std::map<const ServedKind*, std::set<kube::Key>> keys_;
};

}  // namespace keelson::sandbox
