// HeapProfile: the functions that allocate memory, and those whose memory is still in use.
//
// While it exists, about one allocation for each `rate` bytes is sampled with its stack, and observed until it is
// freed. Large allocations are sampled more likely, so every sample has a weight, as in Go: the sums are unbiased
// estimates of all objects and bytes. Without a profile an allocation costs one comparison more than usual.
//
// What is seen: malloc, calloc, realloc, aligned_alloc, posix_memalign, free, and therefore operator new. In a static
// program this includes the memory of OpenSSL and of the C library. In a program that links a shared C++ library, what
// the library itself takes by malloc is not seen. Programs that link the target keelson::keelson have the linker
// options that are needed (`--wrap=malloc`). Under a sanitizer, which has its own allocator, there are no profiles.
// Not seen: mmap, stacks, and memory that is allocated by threads other than the one that started the profile.
//
// Ownership: the caller owns the profile. start(), encode() and the destructor must be called by the same thread.
// Errors of start(): kInvalid "heap profiling already in use", or that the program was linked without the options.
//
// Example (test/examples/profiling.cpp#heap_profile):
//   Result<std::string> profile_of_a_list(async::Clock& clock) {
//     KEELSON_LET(auto profile, profiling::HeapProfile::start(clock, {.rate = 1}));
//     const std::vector<std::string> words(1000, "a text that does not fit into the string itself");
//     return profile->encode(profiling::HeapProfile::View::kInUse);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::profiling {

struct HeapOptions {
  // Bytes between samples on average, 512 KiB as Go's runtime.MemProfileRate; 1: every allocation.
  std::size_t rate = std::size_t{512} << 10;
  std::uint64_t seed = 1;  // of the choice of samples
};

class HeapProfile {
 public:
  // The clock must outlive the profile.
  [[nodiscard]] static Result<std::unique_ptr<HeapProfile>> start(async::Clock& clock, HeapOptions options);
  HeapProfile(const HeapProfile&) = delete;
  HeapProfile& operator=(const HeapProfile&) = delete;
  ~HeapProfile();

  // The values that pprof shows if its user chooses none.
  enum class View { kInUse, kAllocated };
  // The profile so far in pprof's format, as protobuf without compression: for each stack the objects and bytes that
  // were allocated since the start, and those of them that are in use. Allocations whose stack has no room are a
  // function "[lost samples]". When there is no room, stacks without memory in use are removed; their allocations
  // belong to that function from then on.
  [[nodiscard]] std::string encode(View view) const;

 private:
  struct State;
  explicit HeapProfile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace keelson::profiling
