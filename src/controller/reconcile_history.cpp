#include "src/controller/reconcile_history.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/controller/limits.hpp"

namespace keelson::controller {

namespace {

// Of a record, and of all records of an object: a single reconcile does not displace all others.
constexpr std::size_t kRecordBytes = 120;
constexpr std::size_t kRecordsBytes = 240;

// Objects that a list visits at once: well under a millisecond, even if most of them are omitted.
constexpr std::size_t kVisited = 2'000;

// The first of several texts, each with its size in front.
std::string_view first_of(std::string_view texts) { return texts.substr(1, static_cast<std::uint8_t>(texts.front())); }

// The last one; empty if there are no texts.
std::string_view newest_of(std::string_view texts) {
  std::string_view newest;
  for (; !texts.empty(); texts.remove_prefix(1 + newest.size())) newest = first_of(texts);
  return newest;
}

std::size_t count_of(std::string_view texts) {
  std::size_t count = 0;
  for (; !texts.empty(); ++count) texts.remove_prefix(1 + first_of(texts).size());
  return count;
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

}  // namespace

ReconcileHistory::ReconcileHistory(std::size_t objects) : limit_(objects) { KEELSON_ASSERT(objects > 0); }

void ReconcileHistory::add_reason(ControllerId controller, const kube::Key& key, const RecordedReason& reason) {
  if (size() == limit_ && find(controller, key) == nullptr) return;
  auto& object = *obtain(controller, key);
  const bool is_known = std::ranges::find(object.reasons, reason) != object.reasons.end();
  if (is_known || object.reasons.size() >= limits::kRecordedReasons) return;
  heap_bytes_ -= heap_bytes_of(object);
  object.reasons.push_back(reason);
  heap_bytes_ += heap_bytes_of(object);
}

std::vector<RecordedReason> ReconcileHistory::take_reasons(ControllerId controller, const kube::Key& key) {
  if (find(controller, key) == nullptr) return {};
  auto& object = *obtain(controller, key);
  heap_bytes_ -= heap_bytes_of(object);
  auto taken = std::exchange(object.reasons, {});
  heap_bytes_ += heap_bytes_of(object);
  return taken;
}

void ReconcileHistory::add(ControllerId controller, const kube::Key& key, const ReconcileRecord& record) {
  const auto object = obtain(controller, key);
  auto& former_order = order_of(*object);
  const auto packed = pack(record, kRecordBytes);
  auto records = object->records + static_cast<char>(packed.size()) + packed;
  while (records.size() > kRecordsBytes || count_of(records) > limits::kReconcilesPerObject) drop_record(records);
  heap_bytes_ -= heap_bytes_of(*object);
  // A copy has no spare capacity.
  object->records = std::string(std::string_view(records));
  heap_bytes_ += heap_bytes_of(*object);
  auto& order = order_of(*object);
  order.splice(order.begin(), former_order, object);
  if (observer_) observer_(controller, key, record);
}

std::vector<RecordedReason> ReconcileHistory::reasons(ControllerId controller, const kube::Key& key) const {
  const auto* object = find(controller, key);
  return object == nullptr ? std::vector<RecordedReason>() : object->reasons;
}

std::vector<ReconcileRecord> ReconcileHistory::records(ControllerId controller, const kube::Key& key) const {
  std::vector<ReconcileRecord> all;
  const auto* object = find(controller, key);
  if (object == nullptr) return all;
  for (std::string_view left = object->records; !left.empty(); left.remove_prefix(1 + first_of(left).size())) {
    all.push_back(unpack(first_of(left)));
  }
  std::ranges::reverse(all);
  return all;
}

std::optional<ReconcileHistory::Place> ReconcileHistory::list(const Place& from, std::size_t limit,
                                                              const Visit& visit) const {
  std::size_t listed = 0;
  std::size_t visited = 0;
  for (auto next = index_.lower_bound({from.controller, from.key}); next != index_.end(); ++next, ++visited) {
    const auto& object = *next->second;
    if (listed == limit || visited == kVisited) return Place{object.controller, object.key};
    const auto last = newest_of(object.records);
    if (!last.empty() && visit(object.controller, object.key, last)) ++listed;
  }
  return std::nullopt;
}

std::size_t ReconcileHistory::bytes() const {
  // A node of a list has two pointers, and one of a map has three and a color.
  constexpr auto kListNode = sizeof(Object) + 2 * sizeof(void*);
  constexpr auto kMapNode = sizeof(decltype(index_)::value_type) + 4 * sizeof(void*);
  return sizeof(*this) + size() * (kListNode + kMapNode) + heap_bytes_ + texts.bytes() + errors.bytes();
}

const ReconcileHistory::Object* ReconcileHistory::find(ControllerId controller, const kube::Key& key) const {
  const auto text = key.text();
  const auto found = index_.find({controller, text});
  return found == index_.end() ? nullptr : &*found->second;
}

ReconcileHistory::Objects::iterator ReconcileHistory::obtain(ControllerId controller, const kube::Key& key) {
  auto text = key.text();
  const auto found = index_.find({controller, text});
  if (found != index_.end()) return found->second;
  if (size() == limit_) {
    auto& order = gone_.empty() ? present_ : gone_;
    heap_bytes_ -= heap_bytes_of(order.back());
    index_.erase({order.back().controller, order.back().key});
    order.pop_back();
  }
  const auto object = present_.insert(present_.begin(), {controller, std::move(text), {}, {}});
  heap_bytes_ += heap_bytes_of(*object);
  index_.emplace(ObjectId(controller, object->key), object);
  return object;
}

ReconcileHistory::Objects& ReconcileHistory::order_of(const Object& object) {
  const auto newest = newest_of(object.records);
  const bool is_gone = !newest.empty() && result_of(newest) == ReconcileResult::kGone;
  return is_gone ? gone_ : present_;
}

std::size_t ReconcileHistory::heap_bytes_of(const Object& object) {
  auto bytes = heap_bytes(object.key) + heap_bytes(object.records) + object.reasons.capacity() * sizeof(RecordedReason);
  for (const auto& reason : object.reasons) bytes += heap_bytes(reason.object.text);
  return bytes;
}

}  // namespace keelson::controller
