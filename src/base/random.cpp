#include "keelson/detail/base/random.hpp"

#include <array>

#include "keelson/detail/base/hex.hpp"

namespace keelson::base {

double Random::unit() { return std::generate_canonical<double, 53>(engine_); }

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
}

std::string Random::uuid() {
  std::array<std::uint64_t, 2> bits{engine_(), engine_()};
  std::string text;
  text.reserve(36);
  for (std::size_t nibble = 0; nibble < 32; ++nibble) {
    if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) text.push_back('-');
    auto value = static_cast<std::size_t>(bits[nibble / 16] >> (4 * (nibble % 16))) & 0xf;
    if (nibble == 12) value = 4;                // version
    if (nibble == 16) value = 8 | (value & 3);  // variant
    append_hex(text, value, 1);
  }
  return text;
}

std::uint64_t seed_from_os() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace keelson::base
