#include "keelson/detail/base/text_hash.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "src/base/kernel_entropy.hpp"

namespace keelson::base {

namespace {

// The four words of SipHash.
struct SipState {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
  std::uint64_t d;

  void mix() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) {
    d ^= word;
    mix();
    a ^= word;
  }
};

// Up to eight bytes in little-endian order, as SipHash defines it.
std::uint64_t word_of(const char* bytes, std::size_t size) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  return word;
}

SipKey key_from_kernel() {
  std::array<std::uint8_t, sizeof(SipKey)> bytes{};
  fill_from_kernel(bytes);
  return std::bit_cast<SipKey>(bytes);
}

}  // namespace

std::uint64_t siphash_1_3(std::string_view text, SipKey key) {
  SipState state{key.first ^ 0x736f6d6570736575ULL, key.second ^ 0x646f72616e646f6dULL,
                 key.first ^ 0x6c7967656e657261ULL, key.second ^ 0x7465646279746573ULL};
  const auto length = std::uint64_t{text.size()} << 56;
  for (; text.size() >= 8; text.remove_prefix(8)) state.take(word_of(text.data(), 8));
  state.take(length | (text.empty() ? 0 : word_of(text.data(), text.size())));
  state.c ^= 0xff;
  for (int i = 0; i < 3; ++i) state.mix();
  return state.a ^ state.b ^ state.c ^ state.d;
}

std::size_t TextHash::operator()(std::string_view text) const {
  static const SipKey kKey = key_from_kernel();
  return siphash_1_3(text, kKey);
}

}  // namespace keelson::base
