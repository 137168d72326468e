// The seeds of a simulated test, which scripts/sim sets in the environment.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace keelson::testing {

[[nodiscard]] inline std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace keelson::testing
