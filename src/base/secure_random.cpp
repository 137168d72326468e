#include "keelson/detail/base/secure_random.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "src/base/kernel_entropy.hpp"

namespace keelson::base {

namespace {

constexpr std::string_view kLettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

// A byte from here on is drawn again: otherwise the first characters of the alphabet would be more likely.
constexpr std::size_t kFair = 256 / kLettersAndDigits.size() * kLettersAndDigits.size();

}  // namespace

std::string secure_random_text(std::size_t length) { return random_text(length, fill_from_kernel); }

std::string random_text(std::size_t length, const Entropy& entropy) {
  std::string text;
  std::array<std::uint8_t, 64> bytes{};
  while (text.size() < length) {
    const auto drawn = std::span(bytes).first(std::min(bytes.size(), length - text.size()));
    entropy(drawn);
    for (const auto byte : drawn) {
      if (byte < kFair) text.push_back(kLettersAndDigits[byte % kLettersAndDigits.size()]);
    }
  }
  // The text is the caller's secret; its source does not stay on the stack.
  ::explicit_bzero(bytes.data(), bytes.size());
  return text;
}

}  // namespace keelson::base
