#include "src/controller/reconcile_history.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "keelson/base/assert.hpp"
#include "keelson/base/fnv.hpp"
#include "keelson/controller/limits.hpp"

namespace keelson::controller {

namespace {

constexpr std::size_t kFirstIndex = 64;

// Objects that a list visits at once: well under a millisecond, even if most of them are omitted.
constexpr std::size_t kVisited = 2'000;

std::uint32_t hash_of(std::uint8_t controller, std::string_view key) {
  const auto hash = base::fnv1a_64(key) * (2 * std::uint64_t{controller} + 1);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

// The first of several texts, each with its size in front.
std::string_view first_of(std::string_view texts) { return texts.substr(1, static_cast<std::uint8_t>(texts.front())); }

std::string with_size(std::string_view text) { return static_cast<char>(text.size()) + std::string(text); }

// The last one with its size; empty if there are no texts.
std::string_view newest_of(std::string_view texts) {
  auto newest = texts;
  for (; !texts.empty(); texts.remove_prefix(1 + first_of(texts).size())) newest = texts;
  return newest;
}

// Removes the record that explains least: the oldest one without writes and errors, or else the oldest. The newest
// stays. `records` has at least two.
void drop_record(std::string& records) {
  std::size_t dropped = 0;
  for (std::size_t at = 0; at < records.size();) {
    const auto text = first_of(std::string_view(records).substr(at));
    const auto next = at + 1 + text.size();
    if (next == records.size()) break;
    const auto record = unpack(text);
    if (record.writes.empty() && !is_failure(record.result)) {
      dropped = at;
      break;
    }
    at = next;
  }
  records.erase(dropped, 1 + first_of(std::string_view(records).substr(dropped)).size());
}

std::size_t count_of(std::string_view texts) {
  std::size_t count = 0;
  for (; !texts.empty(); ++count) texts.remove_prefix(1 + first_of(texts).size());
  return count;
}

}  // namespace

ReconcileHistory::ReconcileHistory(std::size_t objects) : limit_(objects) { KEELSON_ASSERT(objects > 0); }

ReconcileHistory::~ReconcileHistory() {
  for (Place place = 1; place <= slots_; ++place) free_key(slot(place));
}

void ReconcileHistory::add_reason(ControllerId controller, const kube::Key& key, const RecordedReason& reason) {
  const auto text = key.text();
  auto place = find(controller, text);
  if (place == 0 && slots_ == limit_) return;
  if (place == 0) link(place = take_place(controller, text));
  auto& found = slot(place);
  auto known = unpack_reasons(reasons_of(found));
  const auto is_same = [&](const RecordedReason& other) {
    return other.reason == reason.reason && other.object == reason.object;
  };
  if (known.size() >= limits::kRecordedReasons || std::any_of(known.begin(), known.end(), is_same)) return;
  known.push_back(reason);
  store(found, pack_reasons(known, kReasonBytes), std::string(records_of(found)));
}

std::vector<RecordedReason> ReconcileHistory::take_reasons(ControllerId controller, const kube::Key& key) {
  const auto place = find(controller, key.text());
  if (place == 0) return {};
  auto& found = slot(place);
  auto taken = unpack_reasons(reasons_of(found));
  if (!taken.empty()) store(found, "", std::string(records_of(found)));
  return taken;
}

void ReconcileHistory::add(ControllerId controller, const kube::Key& key, const ReconcileRecord& record) {
  const auto text = key.text();
  auto place = find(controller, text);
  if (place == 0) {
    place = take_place(controller, text);
  } else {
    unlink(place);
  }
  auto& found = slot(place);
  auto records = std::string(records_of(found)) + with_size(pack(record, kRecordBytes));
  for (auto count = count_of(records); count > limits::kReconcilesPerObject; --count) drop_record(records);
  store(found, std::string(reasons_of(found)), records);
  link(place);
  if (observer_) observer_(controller, key, record);
}

std::vector<RecordedReason> ReconcileHistory::reasons(ControllerId controller, const kube::Key& key) const {
  const auto place = find(controller, key.text());
  return place == 0 ? std::vector<RecordedReason>() : unpack_reasons(reasons_of(slot(place)));
}

std::vector<ReconcileRecord> ReconcileHistory::records(ControllerId controller, const kube::Key& key) const {
  std::vector<ReconcileRecord> all;
  const auto place = find(controller, key.text());
  if (place == 0) return all;
  for (auto left = records_of(slot(place)); !left.empty(); left.remove_prefix(1 + first_of(left).size())) {
    all.push_back(unpack(first_of(left)));
  }
  std::reverse(all.begin(), all.end());
  return all;
}

std::size_t ReconcileHistory::list(std::size_t from, std::size_t limit, const Visit& visit) const {
  std::size_t listed = 0;
  for (std::size_t next = from; next < slots_; ++next) {
    if (listed == limit || next - from == kVisited) return next;
    const auto& each = slot(static_cast<Place>(next + 1));
    const auto last = newest_of(records_of(each));
    if (last.empty()) continue;
    if (visit(each.controller, key_of(each), first_of(last))) ++listed;
  }
  return 0;
}

std::size_t ReconcileHistory::bytes() const {
  return sizeof(*this) + chunks_.size() * kSlotsPerChunk * sizeof(Slot) + chunks_.capacity() * sizeof(Chunk) +
         index_.capacity() * sizeof(Place) + long_key_bytes_ + texts.bytes() + errors.bytes();
}

std::string_view ReconcileHistory::key_of(const Slot& slot) {
  if (slot.key_size <= kInlineKeyBytes) return {slot.data.data(), slot.key_size};
  const char* text = nullptr;
  std::memcpy(&text, slot.data.data(), sizeof(text));
  return {text, slot.key_size};
}

std::size_t ReconcileHistory::key_bytes(const Slot& slot) {
  return slot.key_size <= kInlineKeyBytes ? slot.key_size : sizeof(char*);
}

std::string_view ReconcileHistory::reasons_of(const Slot& slot) {
  return first_of(std::string_view(slot.data.data(), slot.used).substr(key_bytes(slot)));
}

std::string_view ReconcileHistory::records_of(const Slot& slot) {
  return std::string_view(slot.data.data(), slot.used).substr(key_bytes(slot) + 1 + reasons_of(slot).size());
}

void ReconcileHistory::store(Slot& slot, std::string_view reasons, std::string_view records) {
  // The longest key and the longest record leave a byte for the number of reasons.
  static_assert(kInlineKeyBytes + 1 + 1 + 1 + kRecordBytes <= kDataBytes);
  const auto begin = key_bytes(slot);
  const auto for_reasons = kDataBytes - begin - 1 - newest_of(records).size();
  std::string fitting;
  if (reasons.size() > for_reasons) reasons = fitting = pack_reasons(unpack_reasons(reasons), for_reasons);
  std::string kept(records);
  while (begin + 1 + reasons.size() + kept.size() > kDataBytes) drop_record(kept);
  auto* at = slot.data.data() + begin;
  *at++ = static_cast<char>(reasons.size());
  at = std::copy(reasons.begin(), reasons.end(), at);
  at = std::copy(kept.begin(), kept.end(), at);
  slot.used = static_cast<std::uint8_t>(at - slot.data.data());
}

void ReconcileHistory::set_key(Slot& slot, std::string_view key) {
  slot.key_size = static_cast<std::uint16_t>(key.size());
  const char* text = key.data();
  if (key.size() <= kInlineKeyBytes) {
    std::copy(key.begin(), key.end(), slot.data.begin());
  } else {
    auto* copy = new char[key.size()];
    std::copy(key.begin(), key.end(), copy);
    text = copy;
    std::memcpy(slot.data.data(), &text, sizeof(text));
  }
  store(slot, "", "");
}

void ReconcileHistory::free_key(Slot& slot) {
  if (slot.key_size > kInlineKeyBytes) delete[] key_of(slot).data();
  slot.key_size = 0;
}

ReconcileHistory::Place ReconcileHistory::find(ControllerId controller, std::string_view key) const {
  if (index_.empty()) return 0;
  const auto hash = hash_of(controller, key);
  const auto mask = index_.size() - 1;
  for (auto at = hash & mask; index_[at] != 0; at = (at + 1) & mask) {
    const auto& each = slot(index_[at]);
    if (each.hash == hash && each.controller == controller && key_of(each) == key) return index_[at];
  }
  return 0;
}

// A new slot, or that of the deleted object, or else of the object, that was reconciled least recently.
ReconcileHistory::Place ReconcileHistory::take_place(ControllerId controller, std::string_view key) {
  Place place = 0;
  if (slots_ == limit_) {
    place = gone_.oldest != 0 ? gone_.oldest : present_.oldest;
    erase_from_index(place);
    unlink(place);
    auto& old = slot(place);
    if (old.key_size > kInlineKeyBytes) long_key_bytes_ -= old.key_size;
    free_key(old);
  } else {
    if (slots_ % kSlotsPerChunk == 0) chunks_.push_back(std::make_unique<Slot[]>(kSlotsPerChunk));
    place = static_cast<Place>(++slots_);
    grow_index();
  }
  auto& taken = slot(place);
  taken.controller = controller;
  taken.hash = hash_of(controller, key);
  set_key(taken, key);
  if (key.size() > kInlineKeyBytes) long_key_bytes_ += key.size();
  insert(place);
  return place;
}

void ReconcileHistory::insert(Place place) {
  const auto mask = index_.size() - 1;
  auto at = slot(place).hash & mask;
  while (index_[at] != 0) at = (at + 1) & mask;
  index_[at] = place;
}

// Moves later entries of the same run back into the gap, so that no entry becomes unreachable.
void ReconcileHistory::erase_from_index(Place place) {
  const auto mask = index_.size() - 1;
  auto gap = slot(place).hash & mask;
  while (index_[gap] != place) gap = (gap + 1) & mask;
  for (auto at = (gap + 1) & mask; index_[at] != 0; at = (at + 1) & mask) {
    const auto home = slot(index_[at]).hash & mask;
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    index_[gap] = index_[at];
    gap = at;
  }
  index_[gap] = 0;
}

// At most three quarters are in use.
void ReconcileHistory::grow_index() {
  if (slots_ * 4 <= index_.size() * 3) return;
  index_ = std::vector<Place>(index_.empty() ? kFirstIndex : index_.size() * 2);
  for (Place place = 1; place < slots_; ++place) insert(place);
}

ReconcileHistory::Order& ReconcileHistory::order_of(const Slot& slot) {
  const auto newest = newest_of(records_of(slot));
  const bool is_gone = !newest.empty() && result_of(first_of(newest)) == ReconcileResult::kGone;
  return is_gone ? gone_ : present_;
}

void ReconcileHistory::link(Place place) {
  auto& linked = slot(place);
  auto& order = order_of(linked);
  linked.newer = 0;
  linked.older = order.newest;
  if (order.newest != 0) slot(order.newest).newer = place;
  order.newest = place;
  if (order.oldest == 0) order.oldest = place;
  ++order.size;
}

void ReconcileHistory::unlink(Place place) {
  const auto& unlinked = slot(place);
  auto& order = order_of(unlinked);
  if (unlinked.newer != 0) {
    slot(unlinked.newer).older = unlinked.older;
  } else {
    order.newest = unlinked.older;
  }
  if (unlinked.older != 0) {
    slot(unlinked.older).newer = unlinked.newer;
  } else {
    order.oldest = unlinked.newer;
  }
  --order.size;
}

}  // namespace keelson::controller
