// The memory of a key that waits for its delay, counted by the allocation functions.
#include <malloc.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/queue/queue_policy.hpp"

namespace {
std::size_t allocated = 0;  // bytes in use, by this whole executable
}  // namespace

void* operator new(std::size_t bytes) {
  void* block = std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  allocated += ::malloc_usable_size(block);
  return block;
}

void operator delete(void* block) noexcept {
  if (block != nullptr) allocated -= ::malloc_usable_size(block);
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

// The allocation functions of a sanitizer do not call these by themselves.
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete[](void* block) noexcept { operator delete(block); }
void operator delete[](void* block, std::size_t) noexcept { operator delete(block); }

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using queue::QueuePolicy;

constexpr std::size_t kKeys = 100'000;

std::string sample_key(std::size_t index) { return "default/cronjob-sample-" + std::to_string(index); }

// As after the first list: all keys are queued with a reason, processed, and queued again with a long delay.
void let_all_wait(QueuePolicy& policy) {
  auto now = async::TimePoint(1s);
  for (std::size_t i = 0; i < kKeys; ++i) {
    policy.add(sample_key(i), {.priority = queue::kLowPriority, .reason = "CronJob added"}, now);
  }
  while (auto item = policy.pick(now)) {
    policy.add_at(item->key, {.priority = queue::kLowPriority, .reason = ""}, now + 1h);
    policy.done(item->key, now);
  }
}

}  // namespace

TEST_CASE("a hundred thousand delayed keys take at most 120 bytes each, their text included") {
  auto before = allocated;
  QueuePolicy policy{{}};

  let_all_wait(policy);

  REQUIRE(policy.waiting() == kKeys);
  auto bytes_a_key = (allocated - before) / kKeys;
  INFO(bytes_a_key << " bytes a key");
  CHECK(bytes_a_key <= 120);
  CHECK(bytes_a_key > sample_key(kKeys - 1).size());
}

TEST_CASE("keys that are added and removed take no more memory than the largest number of keys at a time") {
  QueuePolicy policy{{}};
  let_all_wait(policy);
  auto before = allocated;

  for (std::size_t i = 0; i < kKeys; ++i) {
    auto now = async::TimePoint(2s);
    policy.add(sample_key(i), {}, now);
    policy.done(policy.pick(now)->key, now);
    policy.add_at(sample_key(i), {}, now + 1h);
  }

  CHECK(policy.waiting() == kKeys);
  CHECK(allocated <= before + 1000);
}

TEST_CASE("almost all memory is freed when no key is left") {
  auto before = allocated;
  QueuePolicy policy{{}};
  let_all_wait(policy);

  policy.drop_queued();

  CHECK(policy.keys() == 0);
  CHECK(allocated - before < 1000);
}

TEST_CASE("keys of any length are found by their whole text") {
  // For each length two keys that differ only in their last byte.
  auto key = [](std::size_t size, char last) { return std::string(size - 1, 'k') + last; };
  QueuePolicy policy{{}};
  for (std::size_t size = 1; size <= 2000; ++size) {
    (void)policy.next_delay(key(size, 'a'));
    (void)policy.next_delay(key(size, 'b'));
    (void)policy.next_delay(key(size, 'b'));
  }

  CHECK(policy.keys() == 4000);
  for (std::size_t size = 1; size <= 2000; ++size) {
    REQUIRE(policy.retries(key(size, 'a')) == 1);
    REQUIRE(policy.retries(key(size, 'b')) == 2);
    REQUIRE(policy.retries(key(size, 'c')) == 0);
  }
  CHECK(policy.retries("") == 0);
  for (std::size_t size = 1; size <= 2000; ++size) policy.forget(key(size, 'a'));
  CHECK(policy.keys() == 2000);
  for (std::size_t size = 1; size <= 2000; ++size) REQUIRE(policy.retries(key(size, 'b')) == 2);
  for (std::size_t size = 1; size <= 2000; ++size) policy.forget(key(size, 'b'));
  CHECK(policy.keys() == 0);
}

TEST_CASE("two keys with the same hash are stored separately") {
  // The hash of the table; about forty pairs of so many keys have the same one.
  auto hash_of = [](std::size_t index) {
    auto hash = base::TextHash{}(sample_key(index));
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  };
  std::vector<std::pair<std::uint32_t, std::size_t>> hashes;
  for (std::size_t index = 0; index < 6 * kKeys; ++index) hashes.emplace_back(hash_of(index), index);
  std::ranges::sort(hashes);
  auto is_same = [](const auto& left, const auto& right) { return left.first == right.first; };
  auto pair = std::ranges::adjacent_find(hashes, is_same);
  REQUIRE(pair != hashes.end());
  auto one = sample_key(pair->second);
  auto other = sample_key(std::next(pair)->second);
  QueuePolicy policy{{}};

  (void)policy.next_delay(one);

  CHECK(policy.retries(other) == 0);
  (void)policy.next_delay(other);
  (void)policy.next_delay(other);
  CHECK(policy.keys() == 2);
  CHECK(policy.retries(one) == 1);
  CHECK(policy.retries(other) == 2);
  policy.forget(one);
  CHECK(policy.retries(other) == 2);
}

TEST_CASE("reasons beyond the limit of distinct sets are dropped, until keys are picked") {
  QueuePolicy policy{{}};
  auto now = async::TimePoint(1s);
  auto add = [&](std::size_t i) {
    policy.add(sample_key(i), {.priority = 0, .reason = "reason " + std::to_string(i)}, now);
  };
  for (std::size_t i = 0; i <= limits::kReasonSets; ++i) add(i);

  for (std::size_t i = 0; i < limits::kReasonSets; ++i) {
    auto item = policy.pick(now);
    REQUIRE(item->reasons == std::vector{"reason " + std::to_string(i)});
    policy.done(item->key, now);
  }
  CHECK(policy.pick(now)->reasons.empty());
  add(7);
  CHECK(policy.pick(now)->reasons == std::vector<std::string>{"reason 7"});
}
