#include "keelson/detail/profiling/heap_profile.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "keelson/detail/sandbox/loop/virtual_clock.hpp"
#include "src/profiling/heap_sampler.hpp"
#include "test/support/sanitizers.hpp"
#include "test/unit/profiling/decoded_profile.hpp"

namespace keelson::profiling {
namespace {

enum Place : std::size_t { kAllocObjects, kAllocSpace, kInUseObjects, kInUseSpace };

#if KEELSON_SANITIZED

TEST_CASE("a program with a sanitizer has no heap profile") {
  sandbox::loop::VirtualClock clock;

  const auto profile = HeapProfile::start(clock, {});

  REQUIRE(!profile);
  CHECK(profile.error().message() ==
        "heap profiling needs a program that is linked with --wrap=malloc, and no sanitizer");
}

#else

class Profiled {
 public:
  explicit Profiled(std::size_t rate) {
    auto started = HeapProfile::start(clock_, {.rate = rate});
    REQUIRE(started);
    profile_ = std::move(*started);
  }
  [[nodiscard]] DecodedProfile read() const { return decode_profile(profile_->encode(HeapProfile::View::kInUse)); }
  [[nodiscard]] std::string encode(HeapProfile::View view) const { return profile_->encode(view); }

 private:
  sandbox::loop::VirtualClock clock_;
  std::unique_ptr<HeapProfile> profile_;
};

// The address of the call of malloc in a profile is that of the caller.
[[gnu::noinline]] void* allocate(std::size_t bytes) {
  void* volatile block = std::malloc(bytes);
  return block;
}

// What `change` changed, if nothing else is allocated.
template <class Change>
std::vector<std::int64_t> difference(const Profiled& profiled, const Change& change) {
  const auto before = profiled.encode(HeapProfile::View::kInUse);
  change();
  const auto after = profiled.encode(HeapProfile::View::kInUse);
  auto sums = decode_profile(after).totals();
  const auto former = decode_profile(before).totals();
  for (std::size_t place = 0; place < sums.size(); ++place) sums[place] -= former[place];
  return sums;
}

using Counts = std::vector<std::int64_t>;

TEST_CASE("a heap profile counts allocations, and of them those in use") {
  const Profiled profiled(1);
  void* blocks[3] = {};

  CHECK(difference(profiled, [&] {
          for (auto& block : blocks) block = allocate(1000);
        }) == Counts{3, 3000, 3, 3000});
  CHECK(difference(profiled, [&] { std::free(blocks[0]); }) == Counts{0, 0, -1, -1000});
  CHECK(difference(profiled, [&] { blocks[1] = std::realloc(blocks[1], 5000); }) == Counts{1, 5000, 0, 4000});
  CHECK(difference(profiled, [&] {
          std::free(blocks[1]);
          std::free(blocks[2]);
        }) == Counts{0, 0, -2, -6000});
}

TEST_CASE("a heap profile sees each allocation function") {
  const Profiled profiled(1);

  CHECK(difference(profiled, [] { std::free(std::calloc(3, 100)); }) == Counts{1, 300, 0, 0});
  CHECK(difference(profiled, [] { std::free(std::aligned_alloc(64, 128)); }) == Counts{1, 128, 0, 0});
  CHECK(difference(profiled, [] { delete new int(1); }) == Counts{1, 4, 0, 0});
  CHECK(difference(profiled, [] { delete[] new int[25]; }) == Counts{1, 100, 0, 0});
  struct alignas(128) Wide {
    char bytes[128];
  };
  CHECK(difference(profiled, [] { std::make_unique<Wide>(); }) == Counts{1, 128, 0, 0});
  CHECK(difference(profiled, [] {
          void* block = nullptr;
          REQUIRE(::posix_memalign(&block, 64, 640) == 0);
          std::free(block);
        })[kAllocSpace] >= 640);
}

TEST_CASE("the stack of a sample begins at the caller of the allocation function") {
  const Profiled profiled(1);

  void* block = allocate(123'457);
  const auto profile = profiled.read();
  std::free(block);

  const auto begin = reinterpret_cast<std::uintptr_t>(&allocate);
  const DecodedProfile::Sample* found = nullptr;
  for (const auto& sample : profile.samples) {
    if (sample.values[kInUseSpace] == 123'457) found = &sample;
  }
  REQUIRE(found != nullptr);
  CHECK(found->stack.at(0).address > begin);
  CHECK(found->stack.at(0).address < begin + 200);
  CHECK(found->stack.size() > 5);
  CHECK(found->stack.at(0).mapping == 1);
}

TEST_CASE("samples of a heap profile estimate all allocations") {
  constexpr int kBlocks = 20'000;
  constexpr std::size_t kBytes = 1000;
  const Profiled profiled(10'000);
  std::vector<void*> blocks(kBlocks);

  const auto changed = difference(profiled, [&] {
    for (auto& block : blocks) block = allocate(kBytes);
  });
  const auto freed = difference(profiled, [&] {
    for (auto* block : blocks) std::free(block);
  });

  // About 1,900 samples: a deviation of more than 10 % is more than four standard deviations, and the seed is constant.
  CHECK(std::abs(static_cast<double>(changed[kInUseSpace]) / (kBlocks * kBytes) - 1) < 0.1);
  CHECK(std::abs(static_cast<double>(changed[kInUseObjects]) / kBlocks - 1) < 0.1);
  CHECK(std::abs(freed[kInUseSpace] + changed[kInUseSpace]) <= 1);
}

// Allocates with a stack of its own for each path: each bit chooses one of two callers.
[[gnu::noinline]] void* allocate_by_path(unsigned path, int depth);

[[gnu::noinline]] void* allocate_left(unsigned path, int depth) {
  auto* volatile block = allocate_by_path(path >> 1, depth - 1);
  return block;
}

[[gnu::noinline]] void* allocate_right(unsigned path, int depth) {
  auto* volatile block = allocate_by_path(path >> 1, depth - 1);
  return block;
}

void* allocate_by_path(unsigned path, int depth) {
  if (depth == 0) return allocate(10);
  auto* volatile block = path % 2 == 0 ? allocate_left(path, depth) : allocate_right(path, depth);
  return block;
}

// More than there is room for, also by the number of frames.
constexpr int kDepth = 13;
constexpr unsigned kPaths = 1U << kDepth;

std::int64_t in_use_of_lost(const DecodedProfile& profile) {
  std::int64_t bytes = 0;
  for (const auto& sample : profile.samples) {
    if (sample.stack.size() == 1 && sample.stack[0].address == 0) bytes += sample.values[kInUseSpace];
  }
  return bytes;
}

TEST_CASE("stacks whose memory was freed make room, so that a later leak has its stack") {
  const Profiled profiled(1);
  const auto changed = difference(profiled, [] {
    for (unsigned path = 0; path < kPaths; ++path) std::free(allocate_by_path(path, kDepth));
  });
  CHECK(changed == Counts{kPaths, kPaths * 10, 0, 0});

  void* block = allocate(123'457);
  const auto profile = profiled.read();
  std::free(block);

  CHECK(in_use_of_lost(profile) < 1000);
  CHECK(std::ranges::any_of(profile.samples, [](const auto& sample) {
    return sample.values[kInUseSpace] == 123'457 && sample.stack.size() > 5;
  }));
}

TEST_CASE("memory whose stack has no room is in use until it is freed") {
  const Profiled profiled(1);
  std::vector<void*> blocks(limits::kHeapSamples - 1000);

  const auto changed = difference(profiled, [&] {
    for (unsigned path = 0; path < blocks.size(); ++path) blocks[path] = allocate_by_path(path, kDepth);
  });
  CHECK(in_use_of_lost(profiled.read()) > 10'000);
  const auto freed = difference(profiled, [&] {
    for (auto* block : blocks) std::free(block);
  });

  const auto count = static_cast<std::int64_t>(blocks.size());
  CHECK(changed == Counts{count, count * 10, count, count * 10});
  CHECK(freed == Counts{0, 0, -count, -count * 10});
  CHECK(in_use_of_lost(profiled.read()) < 1000);  // what the test itself allocates
}

TEST_CASE("allocations that fail and those of no bytes are samples of nothing") {
  const Profiled profiled(std::size_t{1} << 20);
  constexpr std::size_t kTooMany = std::size_t{1} << 62;

  bool have_failed = true;
  const auto changed = difference(profiled, [&] {
    for (int i = 0; i < 100; ++i) {
      have_failed = allocate(kTooMany) == nullptr && have_failed;
      std::free(allocate(0));
    }
  });

  CHECK(have_failed);
  CHECK(changed == Counts{0, 0, 0, 0});
}

TEST_CASE("more samples in use than there is room for are counted as allocated") {
  constexpr std::size_t kBlocks = limits::kHeapSamples + 100;
  const Profiled profiled(1);
  std::vector<void*> blocks(kBlocks);

  const auto changed = difference(profiled, [&] {
    for (auto& block : blocks) block = allocate(10);
  });
  const auto freed = difference(profiled, [&] {
    for (auto* block : blocks) std::free(block);
  });

  CHECK(changed[kAllocObjects] == kBlocks);
  CHECK(changed[kInUseObjects] <= static_cast<std::int64_t>(limits::kHeapSamples));
  CHECK(freed[kInUseObjects] == -changed[kInUseObjects]);
}

TEST_CASE("a block that another thread frees is no longer in use when its address is allocated again") {
  const Profiled profiled(1);
  // The C library returns the block that was freed last; its cache of this size has at most 7, which are used up.
  void* others[8] = {};
  for (auto& other : others) other = allocate(1000);
  void* block = allocate(1000);
  void* again = nullptr;

  const auto changed = difference(profiled, [&] {
    // Another thread has no sampler.
    auto* const sampler = std::exchange(heap_sampler, nullptr);
    std::free(block);
    heap_sampler = sampler;
    again = allocate(1000);
  });
  const bool is_same = again == block;
  std::free(again);
  for (auto* other : others) std::free(other);

  REQUIRE(is_same);
  CHECK(changed == Counts{1, 1000, 0, 0});
}

TEST_CASE("the views of a heap profile differ in the type that pprof shows") {
  const Profiled profiled(1);

  const auto in_use = decode_profile(profiled.encode(HeapProfile::View::kInUse));
  const auto allocated = decode_profile(profiled.encode(HeapProfile::View::kAllocated));

  CHECK(in_use.types == std::vector<std::string>{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count",
                                                 "inuse_space/bytes"});
  CHECK(in_use.default_type == "inuse_space");
  CHECK(allocated.default_type == "alloc_space");
  CHECK(in_use.dropped_functions == "operator new.*");
}

TEST_CASE("only one heap profile is in progress, and another can begin after its end") {
  sandbox::loop::VirtualClock clock;
  {
    const Profiled profiled(1);
    const auto second = HeapProfile::start(clock, {});
    REQUIRE(!second);
    CHECK(second.error().message() == "heap profiling already in use");
  }
  CHECK(HeapProfile::start(clock, {}));
}

#endif

TEST_CASE("sampled blocks are found by their addresses until they are removed, also if many share a slot") {
  LiveBlocks live;
  constexpr std::uintptr_t kStep = 16;
  for (std::uintptr_t number = 1; number <= 5000; ++number) {
    REQUIRE(live.add({.address = number * kStep, .bytes = number}));
  }

  for (std::uintptr_t number = 1; number <= 5000; number += 2) live.remove(live.find(number * kStep));

  for (std::uintptr_t number = 1; number <= 5000; ++number) {
    auto* found = live.find(number * kStep);
    REQUIRE((found != nullptr) == (number % 2 == 0));
    if (found != nullptr) REQUIRE(found->bytes == number);
  }
}

}  // namespace
}  // namespace keelson::profiling
