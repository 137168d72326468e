// Chance as a constructor parameter: a seeded generator, so that one seed gives one run.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace keelson::base {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  // Uniform in [0, 1).
  [[nodiscard]] double unit();
  // Uniform in [low, high], both included.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high);
  // A version 4 UUID, as reconcileID and lease identities use.
  [[nodiscard]] std::string uuid();

 private:
  std::mt19937_64 engine_;
};

// A seed from the operating system, for `main` only.
[[nodiscard]] std::uint64_t seed_from_os();

}  // namespace keelson::base
