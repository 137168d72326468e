#include "keelson/schema/quantity.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

__extension__ using Wide = __int128;

constexpr const char* kFormatWrong =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr const char* kSuffixWrong = "unable to parse quantity's suffix";

constexpr int kNanoDigits = 9;
// This number of digits and the nine of the fraction fit into 128 bits.
constexpr int kMaxDigits = 29;

struct Suffix {
  std::string_view text;
  int exponent;  // of ten, or of two
};
constexpr std::array<Suffix, 10> kDecimalSuffixes = {
    {{"n", -9}, {"u", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
constexpr std::array<Suffix, 7> kBinarySuffixes = {
    {{"", 0}, {"Ki", 10}, {"Mi", 20}, {"Gi", 30}, {"Ti", 40}, {"Pi", 50}, {"Ei", 60}}};

// The parts of "-1.5Gi": the digits without leading zeros, the number of those after the point, and the suffix.
struct Pieces {
  bool is_negative = false;
  bool has_number = false;
  std::string digits;
  int fraction_digits = 0;
  std::string_view suffix;
};

std::string_view take_digits(std::string_view& text) {
  auto end = std::ranges::find_if_not(text, base::is_digit);
  auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

Pieces take_apart(std::string_view text) {
  Pieces pieces;
  pieces.is_negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  pieces.digits = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    auto fraction = take_digits(text);
    pieces.digits += fraction;
    pieces.fraction_digits = static_cast<int>(fraction.size());
  }
  pieces.has_number = !pieces.digits.empty();
  pieces.digits.erase(0, pieces.digits.find_first_not_of('0'));
  pieces.suffix = text;
  return pieces;
}

// Whether the text is letters, a sign and digits, each optional.
bool has_form_of_suffix(std::string_view text) {
  constexpr std::string_view kLetters = "eEinumkKMGTP";
  text.remove_prefix(std::min(text.find_first_not_of(kLetters), text.size()));
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return std::ranges::all_of(text, base::is_digit);
}

struct Scale {
  Quantity::Format format;
  int exponent;
};

// "e-3" and "E3". The exponent is limited, because no quantity can have a larger one.
std::optional<Scale> exponent_scale(std::string_view suffix) {
  if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return std::nullopt;
  suffix.remove_prefix(1);
  bool is_negative = suffix.starts_with('-');
  if (is_negative || suffix.starts_with('+')) suffix.remove_prefix(1);
  if (suffix.empty() || !std::ranges::all_of(suffix, base::is_digit)) return std::nullopt;
  int exponent = 0;
  for (char c : suffix) exponent = std::min(exponent * 10 + (c - '0'), 100'000);
  return Scale{Quantity::Format::kDecimalExponent, is_negative ? -exponent : exponent};
}

std::optional<Scale> scale_of(std::string_view suffix) {
  for (const auto& [text, exponent] : kDecimalSuffixes) {
    if (text == suffix) return Scale{Quantity::Format::kDecimalSi, exponent};
  }
  for (const auto& [text, exponent] : kBinarySuffixes) {
    if (text == suffix) return Scale{Quantity::Format::kBinarySi, exponent};
  }
  return exponent_scale(suffix);
}

// The digits times a power of ten, rounded up; nullopt if the result is too large.
std::optional<Wide> scaled_by_ten(const std::string& digits, long exponent) {
  if (digits.empty()) return Wide{0};
  auto length = static_cast<long>(digits.size());
  if (length + exponent > kMaxDigits + kNanoDigits) return std::nullopt;
  Wide value = 0;
  bool has_rest = false;
  for (long i = 0; i < length; ++i) {
    auto digit = digits[static_cast<std::size_t>(i)] - '0';
    if (i < length + exponent) {
      value = value * 10 + digit;
    } else {
      has_rest = has_rest || digit != 0;
    }
  }
  for (long i = 0; i < exponent; ++i) value *= 10;
  return has_rest ? value + 1 : value;
}

constexpr Wide kNanosPerUnit = 1'000'000'000;
constexpr Wide kLargestBinary = Wide{std::numeric_limits<std::int64_t>::max()} * kNanosPerUnit;

// digits / 10^fraction_digits * 2^exponent in nanos, rounded up and capped.
Wide scaled_by_two(const std::string& digits, int fraction_digits, int exponent) {
  auto point = digits.size() - std::min(digits.size(), static_cast<std::size_t>(fraction_digits));
  auto units = scaled_by_ten(digits.substr(0, point), 0);
  if (!units || *units > (kLargestBinary / kNanosPerUnit) >> exponent) return kLargestBinary;
  // Whole part and fraction are multiplied separately, because their product would not fit.
  Wide whole = *units << exponent;
  // Long division of the fraction: its digits one by one, from the last to the first.
  Wide fraction = 0;
  bool has_rest = false;
  const Wide factor = (Wide{1} << exponent) * kNanosPerUnit;
  for (auto i = digits.size(); i > point; --i) {
    Wide sum = (digits[i - 1] - '0') * factor + fraction;
    has_rest = has_rest || sum % 10 != 0;
    fraction = sum / 10;
  }
  // Zeros between the point and the first digit were removed with the leading zeros.
  for (auto i = digits.size() - point; i < static_cast<std::size_t>(fraction_digits); ++i) {
    has_rest = has_rest || fraction % 10 != 0;
    fraction /= 10;
  }
  return std::min(whole * kNanosPerUnit + fraction + (has_rest ? 1 : 0), kLargestBinary);
}

std::string digits_of(Wide value) {
  bool is_negative = value < 0;
  std::string out;
  do {
    auto digit = static_cast<int>(value % 10);
    out.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  if (is_negative) out.push_back('-');
  std::ranges::reverse(out);
  return out;
}

std::string decimal_text(Wide nanos, Quantity::Format format) {
  bool is_exponent = format == Quantity::Format::kDecimalExponent;
  int exponent = -kNanoDigits;
  for (; nanos % 1000 == 0 && (is_exponent || exponent < kDecimalSuffixes.back().exponent); exponent += 3) {
    nanos /= 1000;
  }
  if (is_exponent) return digits_of(nanos) + (exponent == 0 ? "" : "e" + std::to_string(exponent));
  auto suffix = static_cast<std::size_t>((exponent + kNanoDigits) / 3);
  return digits_of(nanos) + std::string(kDecimalSuffixes[suffix].text);
}

std::string binary_text(Wide units) {
  std::size_t suffix = 0;
  for (; suffix + 1 < kBinarySuffixes.size() && units % 1024 == 0; ++suffix) units /= 1024;
  return digits_of(units) + std::string(kBinarySuffixes[suffix].text);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return invalid_error(kFormatWrong);
  const auto pieces = take_apart(text);
  if (!has_form_of_suffix(pieces.suffix)) return invalid_error(kFormatWrong);
  const auto scale = scale_of(pieces.suffix);
  if (!scale) return invalid_error(kSuffixWrong);
  if (!pieces.has_number) return invalid_error("unable to parse numeric part of quantity");

  Quantity quantity;
  quantity.format_ = scale->format;
  if (scale->format == Format::kBinarySi) {
    quantity.nanos_ = scaled_by_two(pieces.digits, pieces.fraction_digits, scale->exponent);
  } else {
    auto nanos = scaled_by_ten(pieces.digits, long{scale->exponent} + kNanoDigits - pieces.fraction_digits);
    if (!nanos) return invalid_error("quantities must be below 1e" + std::to_string(kMaxDigits));
    quantity.nanos_ = *nanos;
  }
  if (pieces.is_negative) quantity.nanos_ = -quantity.nanos_;
  return quantity;
}

Quantity::Quantity(const char* text) {
  auto parsed = parse(text);
  if (!parsed) throw base::Misuse("\"" + std::string(text) + "\": " + parsed.error().text);
  *this = *parsed;
}

Result<Quantity> Quantity::read(json::View view) {
  if (const auto text = view.string()) return parse(*text);
  if (!view.is_number()) return malformed_error("expected " + std::string(kExpected));
  return parse(view.text());
}

void Quantity::write(json::Writer& writer) const { writer.string(text()); }

std::string Quantity::text() const {
  if (nanos_ == 0) return "0";
  const auto size = nanos_ < 0 ? -nanos_ : nanos_;
  // Small amounts and fractions are clearer and exact in decimal notation.
  bool is_binary = format_ == Format::kBinarySi && size >= 1024 * kNanosPerUnit && nanos_ % kNanosPerUnit == 0;
  if (is_binary) return binary_text(nanos_ / kNanosPerUnit);
  return decimal_text(nanos_, format_ == Format::kBinarySi ? Format::kDecimalSi : format_);
}

std::int64_t Quantity::rounded(std::int64_t nanos_per_unit) const {
  auto units = nanos_ / nanos_per_unit;
  if (nanos_ % nanos_per_unit != 0) units += nanos_ < 0 ? -1 : 1;
  constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(units, kLeast, kMost));
}

}  // namespace keelson::kube
