// Random: a seeded generator that is a constructor parameter, so that the same seed gives the same run.
//
// Only `main` takes a seed from the operating system. A test chooses its seed and prints it on failure. Not for
// secrets.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>

namespace keelson::base {

// Owned by `main` or by a test, and passed by reference; it is not copied, or two users would repeat each other.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  // Uniform in [0, 1).
  [[nodiscard]] double unit();
  // Uniform in [low, high], both included.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high);
  // A version 4 UUID in lower case, for reconcileID and lease identities.
  [[nodiscard]] std::string uuid();

 private:
  std::mt19937_64 engine_;
};

// A source of secrets, in contrast to Random: fills the bytes with independent, uniformly distributed values.
using Entropy = std::function<void(std::span<std::uint8_t>)>;

// A seed from the operating system, for `main` only.
[[nodiscard]] std::uint64_t seed_from_os();

}  // namespace keelson::base
