#include "src/cache/index.hpp"

#include <algorithm>

namespace keelson::cache {

namespace {
std::size_t hash_of(std::string_view value) { return std::hash<std::string_view>{}(value); }
}  // namespace

std::string label_index(std::string_view label) { return "label:" + std::string(label); }

Index::Index(std::string name, IndexFunction values_of)
    : name_(std::move(name)),
      values_of_(std::move(values_of)),
      pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()),
      objects_(pool_.get()) {}

void Index::add(const kube::Object& object) {
  for (const auto& value : values_of_(object)) objects_[hash_of(value)].push_back(object);
}

void Index::remove(const kube::Object& object) {
  for (const auto& value : values_of_(object)) {
    auto posting = objects_.find(hash_of(value));
    if (posting == objects_.end()) continue;
    auto& members = posting->second;
    // The search starts at the end, because recently added objects are removed most often and a sweep runs backwards.
    auto found = std::find_if(members.rbegin(), members.rend(), [&](const auto& o) { return o.same_block(object); });
    if (found == members.rend()) continue;
    std::swap(*found, members.back());
    members.pop_back();
    if (members.empty()) objects_.erase(posting);
  }
}

void Index::replace(const kube::Object& before, const kube::Object& after) {
  for (const auto& value : values_of_(after)) {
    const auto posting = objects_.find(hash_of(value));
    if (posting == objects_.end()) continue;
    auto& members = posting->second;
    const auto found =
        std::find_if(members.rbegin(), members.rend(), [&](const auto& o) { return o.same_block(before); });
    if (found != members.rend()) *found = after;
  }
}

std::vector<kube::Object> Index::find(std::string_view value) const {
  std::vector<kube::Object> matching;
  auto posting = objects_.find(hash_of(value));
  if (posting == objects_.end()) return matching;
  for (const auto& object : posting->second) {
    auto values = values_of_(object);
    if (std::find(values.begin(), values.end(), value) != values.end()) matching.push_back(object);
  }
  return matching;
}

}  // namespace keelson::cache
