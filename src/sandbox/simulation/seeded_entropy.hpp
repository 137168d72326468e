// Passwords and tokens of a simulated operator, which follow from the seed of the simulation.
#pragma once

#include "keelson/detail/base/random.hpp"
#include "keelson/detail/base/secure_random.hpp"

namespace keelson::sandbox {

// `random` must outlive the result.
[[nodiscard]] inline base::Entropy seeded_entropy(base::Random& random) {
  return [&random](std::span<std::uint8_t> bytes) {
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.between(0, 255));
  };
}

}  // namespace keelson::sandbox
