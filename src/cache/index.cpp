#include "src/cache/index.hpp"

#include <algorithm>

#include "keelson/detail/base/text_hash.hpp"

namespace keelson::cache {

namespace {

// Up to here a search is as fast as a table of places, which costs 40 bytes for each object.
constexpr std::size_t kFewObjects = 64;

std::size_t hash_of(std::string_view value) { return base::TextHash{}(value); }

const char* block_of(const kube::Object& object) { return object.json().data(); }

}  // namespace

std::string label_index(std::string_view label) { return "label:" + std::string(label); }

void Posting::add(const kube::Object& object) {
  objects_.push_back(object);
  if (!places_.empty()) return note(object, objects_.size() - 1);
  if (objects_.size() <= kFewObjects) return;
  for (std::size_t place = 0; place < objects_.size(); ++place) note(objects_[place], place);
}

void Posting::remove(const kube::Object& object) {
  const auto place = place_of(object);
  if (!place) return;
  places_.erase(block_of(object));
  if (*place + 1 != objects_.size()) {
    std::swap(objects_[*place], objects_.back());
    if (!places_.empty()) note(objects_[*place], *place);
  }
  objects_.pop_back();
}

void Posting::replace(const kube::Object& before, const kube::Object& after) {
  const auto place = place_of(before);
  if (!place) return;
  const bool has_places = places_.erase(block_of(before)) != 0;
  objects_[*place] = after;
  if (has_places) note(after, *place);
}

std::optional<std::size_t> Posting::place_of(const kube::Object& object) const {
  if (!places_.empty()) {
    const auto known = places_.find(block_of(object));
    return known == places_.end() ? std::nullopt : std::optional(known->second);
  }
  const auto is_it = [&](const kube::Object& other) { return other.same_block(object); };
  const auto found = std::ranges::find_if(objects_, is_it);
  return found == objects_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - objects_.begin()));
}

void Posting::note(const kube::Object& object, std::size_t place) { places_.insert_or_assign(block_of(object), place); }

Index::Index(std::string name, IndexFunction values_of)
    : name_(std::move(name)),
      values_of_(std::move(values_of)),
      pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()),
      postings_(pool_.get()) {}

// Values may repeat, and their hashes may be equal; a posting has an object once.
template <class Visit>
void Index::for_each_hash(const kube::Object& object, Visit visit) const {
  const auto values = values_of_(object);
  if (values.size() == 1) return visit(hash_of(values.front()));
  std::vector<std::size_t> hashes;
  hashes.reserve(values.size());
  for (const auto& value : values) hashes.push_back(hash_of(value));
  std::ranges::sort(hashes);
  const auto repeated = std::ranges::unique(hashes);
  std::for_each(hashes.begin(), repeated.begin(), visit);
}

void Index::add(const kube::Object& object) {
  for_each_hash(object, [&](std::size_t hash) { postings_[hash].add(object); });
}

void Index::remove(const kube::Object& object) {
  for_each_hash(object, [&](std::size_t hash) {
    const auto posting = postings_.find(hash);
    if (posting == postings_.end()) return;
    posting->second.remove(object);
    if (posting->second.objects().empty()) postings_.erase(posting);
  });
}

void Index::replace(const kube::Object& before, const kube::Object& after) {
  for_each_hash(after, [&](std::size_t hash) {
    const auto posting = postings_.find(hash);
    if (posting != postings_.end()) posting->second.replace(before, after);
  });
}

std::vector<kube::Object> Index::find(std::string_view value) const {
  std::vector<kube::Object> matching;
  auto posting = postings_.find(hash_of(value));
  if (posting == postings_.end()) return matching;
  for (const auto& object : posting->second.objects()) {
    const auto values = values_of_(object);
    if (std::ranges::find(values, value) != values.end()) matching.push_back(object);
  }
  return matching;
}

}  // namespace keelson::cache
