#include "src/sandbox/controllers/orphans.hpp"

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

void Orphans::hear(const Change& change) {
  const auto& resource = change.kind->resource;
  if (resource != kube::pods() && resource != kube::replica_sets() && resource != kube::controller_revisions()) return;
  if (change.after && !change.after->controller_owner()) {
    keys_[change.kind].insert(change.key());
  } else {
    keys_[change.kind].erase(change.key());
  }
}

std::vector<kube::Key> Orphans::in(const ServedKind& kind, std::string_view ns) const {
  std::vector<kube::Key> found;
  const auto all = keys_.find(&kind);
  if (all == keys_.end()) return found;
  const auto& keys = all->second;
  for (auto key = keys.lower_bound(kube::Key(ns, "")); key != keys.end() && key->ns == ns; ++key) found.push_back(*key);
  return found;
}

}  // namespace keelson::sandbox
