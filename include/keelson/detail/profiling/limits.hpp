// Limits of room `profiling`, each with the reason for its number.
#pragma once

#include <chrono>
#include <cstddef>

namespace keelson::limits {

// Frames of a stack; the frames next to `main` are left out of a deeper one. Go stores 64 (runtime.maxCPUProfStack),
// but a coroutine of Asio has about 10 frames of Asio below each of its own.
inline constexpr std::size_t kStackFrames = 128;

// Distinct stacks of a profile, and frames of all of them together: 800 KiB, and 5 ms to write the largest profile.
// Samples of further stacks are counted as lost; a heap profile first removes stacks whose memory was freed.
inline constexpr std::size_t kProfileStacks = 4096;
inline constexpr std::size_t kProfileFrames = 65536;

// Sampled blocks that are in use: 4 GiB of memory at a sample per 512 KiB. Further ones count as allocated, but not as
// in use.
inline constexpr std::size_t kHeapSamples = 8192;

// The longest CPU profile: longer ones only repeat the same stacks.
inline constexpr std::chrono::seconds kProfileTime{300};

}  // namespace keelson::limits
