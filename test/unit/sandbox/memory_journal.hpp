// A journal in memory that fails when a test requests it.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "keelson/detail/sandbox/journal.hpp"

namespace keelson::sandbox::fixtures {

class MemoryJournal final : public Journal {
 public:
  using Place = std::tuple<std::string, std::string, std::string, kube::Key>;  // group, version, plural

  [[nodiscard]] Result<void> put(const Row& row) override {
    if (is_full || row.resource.plural == full_of) return full();
    rows[place_of(row.resource, row.key)] = {row.version, std::string(row.json)};
    highest = row.version;
    return {};
  }

  [[nodiscard]] Result<void> erase(const kube::Resource& resource, const kube::Key& key,
                                   std::uint64_t version) override {
    if (is_full) return full();
    rows.erase(place_of(resource, key));
    highest = version;
    return {};
  }

  [[nodiscard]] Result<std::uint64_t> load(const Visit& visit) override {
    for (bool definitions : {true, false}) {
      for (const auto& [place, stored] : rows) {
        const auto& [group, version, plural, key] = place;
        if ((plural == "customresourcedefinitions") != definitions) continue;
        auto visited = visit({{group, version, "", plural}, key, stored.first, stored.second});
        if (!visited) return std::move(visited.error());
      }
    }
    return highest;
  }

  static Place place_of(const kube::Resource& resource, const kube::Key& key) {
    return {resource.group, resource.version, resource.plural, key};
  }
  static Error full() { return invalid_error("database space exceeded"); }

  std::map<Place, std::pair<std::uint64_t, std::string>> rows;
  std::uint64_t highest = 0;
  bool is_full = false;
  std::string full_of;  // the plural of a kind whose objects alone are not stored
};

}  // namespace keelson::sandbox::fixtures
