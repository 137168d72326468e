// The binary heap of delays in QueuePolicy. Each entry stores its index, so that a key gets an earlier time in O(log n)
// and is never in the heap twice.
#include <utility>

#include "src/queue/queue_policy.hpp"

namespace keelson::queue {

void QueuePolicy::heap_push(Entry& entry) {
  entry.place = Place::kWaiting;
  heap_.push_back(&entry);
  entry.heap_index = static_cast<std::uint32_t>(heap_.size() - 1);
  heap_up(entry.heap_index);
}

void QueuePolicy::heap_remove(Entry& entry) {
  std::size_t index = entry.heap_index;
  entry.place = Place::kNowhere;
  Entry* last = heap_.back();
  heap_.pop_back();
  if (last == &entry) return;
  heap_place(index, last);
  heap_up(index);
  heap_down(last->heap_index);
}

void QueuePolicy::heap_up(std::size_t index) {
  Entry* moving = heap_[index];
  while (index > 0) {
    auto parent = (index - 1) / 2;
    if (heap_[parent]->since <= moving->since) break;
    heap_place(index, heap_[parent]);
    index = parent;
  }
  heap_place(index, moving);
}

void QueuePolicy::heap_down(std::size_t index) {
  Entry* moving = heap_[index];
  for (;;) {
    auto child = 2 * index + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1]->since < heap_[child]->since) ++child;
    if (moving->since <= heap_[child]->since) break;
    heap_place(index, heap_[child]);
    index = child;
  }
  heap_place(index, moving);
}

void QueuePolicy::heap_place(std::size_t index, Entry* entry) {
  heap_[index] = entry;
  entry->heap_index = static_cast<std::uint32_t>(index);
}

}  // namespace keelson::queue
