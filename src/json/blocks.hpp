// Blocks of 64 bytes: masks of the bytes that are relevant in JSON, a bit per byte, and masks of strings.
//
// `Sse2` and `Plain` classify alike; everything after classification is shared, so both give the same results.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace keelson::json {

inline constexpr std::size_t kBlock = 64;

// The masks that find the end of a value.
struct BracketMasks {
  std::uint64_t quote = 0;
  std::uint64_t backslash = 0;
  std::uint64_t open = 0;   // { and [
  std::uint64_t close = 0;  // } and ]
};

// The further masks that validate a value.
struct GrammarMasks {
  std::uint64_t comma = 0;
  std::uint64_t colon = 0;
  std::uint64_t space = 0;
  std::uint64_t unusual = 0;  // below 0x20, or not ASCII
};

// Eight bytes at a time in a plain register.
class Plain {
 public:
  static BracketMasks brackets(const char* block) {
    BracketMasks masks;
    for (unsigned i = 0; i < kBlock; i += 8) {
      const std::uint64_t word = load(block + i);
      const std::uint64_t folded = word | all(0x20);  // { and [ differ only in this bit, and so do } and ]
      masks.quote |= equal(word, '"') << i;
      masks.backslash |= equal(word, '\\') << i;
      masks.open |= equal(folded, '{') << i;
      masks.close |= equal(folded, '}') << i;
    }
    return masks;
  }

  static GrammarMasks grammar(const char* block) {
    GrammarMasks masks;
    for (unsigned i = 0; i < kBlock; i += 8) {
      const std::uint64_t word = load(block + i);
      masks.comma |= equal(word, ',') << i;
      masks.colon |= equal(word, ':') << i;
      masks.space |= equal(word, ' ') << i;
      masks.unusual |= unusual(word) << i;
    }
    return masks;
  }

 private:
  static constexpr std::uint64_t all(std::uint64_t byte) { return byte * 0x0101010101010101; }

  // The first byte is the lowest one on every machine.
  static std::uint64_t load(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return word;
  }

  // The top bit of each byte, gathered: the multiplication moves bit 8i to bit 56 + i.
  static std::uint64_t gather(std::uint64_t top_bits) { return ((top_bits >> 7) * 0x0102040810204080) >> 56; }

  static std::uint64_t equal(std::uint64_t word, char wanted) {
    const std::uint64_t zero_where_equal = word ^ all(static_cast<unsigned char>(wanted));
    return gather(~(((zero_where_equal & all(0x7F)) + all(0x7F)) | zero_where_equal) & all(0x80));
  }

  static std::uint64_t unusual(std::uint64_t word) {
    const std::uint64_t at_least_space = (word & all(0x7F)) + all(0x60);
    return gather((~at_least_space | word) & all(0x80));
  }
};

#if defined(__SSE2__)
class Sse2 {
 public:
  static BracketMasks brackets(const char* block) {
    const Sse2 bytes(block);
    const __m128i case_bit = _mm_set1_epi8(0x20);  // { and [ differ only in this bit, and so do } and ]
    BracketMasks masks;
    masks.quote = bytes.equal('"');
    masks.backslash = bytes.equal('\\');
    masks.open = bytes.gather([&](__m128i v) { return _mm_cmpeq_epi8(_mm_or_si128(v, case_bit), _mm_set1_epi8('{')); });
    masks.close =
        bytes.gather([&](__m128i v) { return _mm_cmpeq_epi8(_mm_or_si128(v, case_bit), _mm_set1_epi8('}')); });
    return masks;
  }

  static GrammarMasks grammar(const char* block) {
    const Sse2 bytes(block);
    GrammarMasks masks;
    masks.comma = bytes.equal(',');
    masks.colon = bytes.equal(':');
    masks.space = bytes.equal(' ');
    // Compared as signed numbers, bytes that are not ASCII are below a space as well.
    masks.unusual = bytes.gather([](__m128i v) { return _mm_cmplt_epi8(v, _mm_set1_epi8(' ')); });
    return masks;
  }

 private:
  explicit Sse2(const char* block) {
    for (std::size_t i = 0; i < quarters_.size(); ++i) {
      quarters_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
    }
  }

  std::uint64_t equal(char wanted) const {
    const __m128i all = _mm_set1_epi8(wanted);
    return gather([&](__m128i v) { return _mm_cmpeq_epi8(v, all); });
  }

  template <class Compare>
  std::uint64_t gather(Compare compare) const {
    const auto bits = [&](std::size_t i) {
      return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(compare(quarters_[i])))};
    };
    return bits(0) | bits(1) << 16 | bits(2) << 32 | bits(3) << 48;
  }

  struct Quarters {
    __m128i values[4];
    static constexpr std::size_t size() { return 4; }
    __m128i& operator[](std::size_t i) { return values[i]; }
    const __m128i& operator[](std::size_t i) const { return values[i]; }
  };
  Quarters quarters_;
};
using Fastest = Sse2;
#else
using Fastest = Plain;
#endif

// Bit i becomes the xor of bits 0 to i: ones between each pair of quotes.
inline std::uint64_t prefix_xor(std::uint64_t bits) {
  for (const int shift : {1, 2, 4, 8, 16, 32}) bits ^= bits << shift;
  return bits;
}

// The masks of strings; their state is carried from block to block.
class StringState {
 public:
  StringState() = default;
  StringState(bool in_string, bool is_escaped)
      : inside_(std::uint64_t{0} - std::uint64_t{in_string}), escapes_next_(is_escaped) {}

  struct Masks {
    std::uint64_t escaped;  // the byte after a backslash that is not escaped itself
    std::uint64_t quote;    // quotes that open or close a string
    std::uint64_t inside;   // string bytes, with the opening quote and without the closing one
  };

  // `length` bytes of the block count; those after it must be spaces.
  Masks next(std::uint64_t backslash, std::uint64_t quote, std::size_t length = kBlock) {
    Masks masks{};
    masks.escaped = escaped_by(backslash, length);
    masks.quote = quote & ~masks.escaped;
    masks.inside = prefix_xor(masks.quote) ^ inside_;
    inside_ = std::uint64_t{0} - (masks.inside >> 63);
    return masks;
  }

  [[nodiscard]] bool in_string() const { return inside_ != 0; }
  [[nodiscard]] bool is_escaped() const { return escapes_next_ != 0; }

 private:
  // A byte is escaped if a run with an odd number of backslashes ends right before it. All runs are processed at once,
  // by the parity of their starts: adding the first bit of a run to the run carries to the bit behind its end.
  std::uint64_t escaped_by(std::uint64_t backslash, std::size_t length) {
    if (backslash == 0) {
      const std::uint64_t first = escapes_next_;
      if (length > 0) escapes_next_ = 0;
      return first;
    }
    constexpr std::uint64_t kEven = 0x5555555555555555;
    backslash &= ~escapes_next_;
    const std::uint64_t follows = backslash << 1 | escapes_next_;
    const std::uint64_t odd_starts = backslash & ~kEven & ~follows;
    const std::uint64_t even_ends = odd_starts + backslash;
    const bool overflows = even_ends < backslash;
    const std::uint64_t escaped = (kEven ^ (even_ends << 1)) & follows;
    escapes_next_ = length == kBlock ? std::uint64_t{overflows} : (escaped >> length) & 1;
    return escaped;
  }

  std::uint64_t inside_ = 0;        // all ones within a string
  std::uint64_t escapes_next_ = 0;  // 1 when the next block's first byte is escaped
};

// The bytes of a block. The last one of a text is copied into `tail` and padded with spaces.
inline const char* padded(const char* bytes, std::size_t length, std::array<char, kBlock>& tail) {
  if (length == kBlock) return bytes;
  tail.fill(' ');
  std::memcpy(tail.data(), bytes, length);
  return tail.data();
}

// The end of the container within a block with these brackets outside of strings, or npos; `depth` is the number of
// its open brackets.
inline std::size_t container_end(std::uint64_t open, std::uint64_t close, std::size_t& depth) {
  const auto closes = static_cast<std::size_t>(std::popcount(close));
  // Most blocks cannot contain the end: then it suffices to count their brackets.
  if (depth > closes) {
    depth += static_cast<std::size_t>(std::popcount(open)) - closes;
    return std::string_view::npos;
  }
  for (std::uint64_t rest = open | close; rest != 0; rest &= rest - 1) {
    const std::uint64_t bit = rest & (~rest + 1);
    if ((open & bit) != 0) {
      ++depth;
    } else if (--depth == 0) {
      return static_cast<std::size_t>(std::countr_zero(bit)) + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace keelson::json
