// An amount of a resource (resource.Quantity), such as "250m" of a CPU or "64Mi" of memory.
//
// Example (test/examples/schema.cpp#quantity):
//   void limit(core::v1::Container& container) {
//     container.resources.limits = {{"memory", "64Mi"_quantity}, {"cpu", "250m"_quantity}};
//   }
//
// The value is exact in units of one billionth, below 1e29. Smaller fractions are rounded away from zero, as in
// apimachinery. Quantities are compared by value: "1000m" equals "1", so the canonical text that the API server returns
// is not drift. A small value type; nothing is allocated.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/schema/literal.hpp"

namespace keelson::json {
class View;
class Writer;
}  // namespace keelson::json

namespace keelson::kube {

class Quantity {
 public:
  // The notation of the text, which text() uses again if that loses nothing: "1k", "1Ki", "1e3".
  enum class Format { kDecimalSi, kBinarySi, kDecimalExponent };

  // controller-gen's schema of a resource.Quantity, with apimachinery's pattern.
  static constexpr std::string_view kSchema =
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true,)"
      R"("pattern":"^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|)"
      R"(([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"})";
  static constexpr std::string_view kExpected = "a quantity like 100m or 64Mi";

  Quantity() = default;  // 0
  // For literals of the source code, such as "64Mi". Throws base::Misuse if the text is not a quantity; "64Mi"_quantity
  // does not compile in this case. Use parse() for input.
  Quantity(const char* text);
  // Whole units: Quantity(3) is "3". Explicit, so that a number is not taken for a text.
  explicit Quantity(std::int64_t whole, Format format = Format::kDecimalSi)
      : nanos_(Nanos{whole} * 1'000'000'000), format_(format) {}

  // kInvalid with apimachinery's text, "quantities must match the regular expression '…'". Binary amounts above 2^63-1
  // become 2^63-1, as in apimachinery; decimal amounts of 1e29 or more are rejected.
  [[nodiscard]] static Result<Quantity> parse(std::string_view text);

  // A string or a number. kMalformed for other values, kInvalid for other texts. Writing always makes a string.
  [[nodiscard]] static Result<Quantity> read(json::View view);
  // text(), which may differ from the text that was read ("1000m" becomes "1") without being drift.
  void write(json::Writer& writer) const;

  // The canonical text of apimachinery: no fraction, with the largest suffix that allows it ("1.5Gi" is "1536Mi").
  [[nodiscard]] std::string text() const;

  // The amount in whole units (bytes, CPUs) and in thousandths (millicores), rounded away from zero and limited to the
  // range of int64, as apimachinery's Value() and MilliValue().
  [[nodiscard]] std::int64_t value() const { return rounded(1'000'000'000); }
  [[nodiscard]] std::int64_t milli_value() const { return rounded(1'000'000); }
  [[nodiscard]] Format format() const { return format_; }

  // By value, in any notation.
  std::strong_ordering operator<=>(const Quantity& other) const { return nanos_ <=> other.nanos_; }
  bool operator==(const Quantity& other) const { return nanos_ == other.nanos_; }

 private:
  // Billionths: 2^63 units of the largest binary amount need 93 bits.
  __extension__ using Nanos = __int128;
  [[nodiscard]] std::int64_t rounded(std::int64_t nanos_per_unit) const;

  Nanos nanos_ = 0;
  Format format_ = Format::kDecimalSi;
};

// The check of the literal.
namespace detail {

// Whether the text equals one of the words.
constexpr bool is_one_of(std::string_view text, auto... words) { return ((text == words) || ...); }

// Whether the text has the form of a quantity: a number, and a suffix or an exponent. For the literal; parse() decides
// at run time.
constexpr bool is_quantity(std::string_view text) {
  const auto digits = [&text] {
    std::size_t count = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; ++count) text.remove_prefix(1);
    return count;
  };
  const auto sign = [&text] {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  };
  sign();
  auto count = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    count += digits();
  }
  if (count == 0) return false;
  if (is_one_of(text, "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")) return true;
  if (!text.starts_with('e') && !text.starts_with('E')) return false;
  text.remove_prefix(1);
  sign();
  return digits() > 0 && text.empty();
}

}  // namespace detail

inline namespace literals {

// "64Mi"_quantity: a quantity that is checked by the compiler.
template <detail::FixedText kText>
[[nodiscard]] Quantity operator""_quantity() {
  static_assert(
      detail::is_quantity(kText.text),
      "this is not a quantity: write a number and one of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, such "
      "as \"250m\" or \"64Mi\"");
  return Quantity(kText.text);
}

}  // namespace literals

}  // namespace keelson::kube

// So that `using namespace keelson` makes the suffix available.
namespace keelson {
using namespace kube::literals;
}  // namespace keelson
