// An amount of a resource, "250m" of a CPU or "64Mi" of memory, compared by its value and written in one way.
//
// Exact in units of one billionth, below 1e29; what is finer is rounded away from zero, as in apimachinery. Two
// texts of one value are equal ("1000m" and "1"), so that an API server's rewriting of ours is no difference.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/literal.hpp"

namespace keelson::json {
class View;
class Writer;
}  // namespace keelson::json

namespace keelson::kube {

class Quantity {
 public:
  // How it was written, and will be again where that loses nothing: "1k", "1Ki", "1e3".
  enum class Format { kDecimalSi, kBinarySi, kDecimalExponent };

  static constexpr std::string_view kSchema =
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true,)"
      R"("pattern":"^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|)"
      R"(([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"})";
  static constexpr std::string_view kExpected = "a quantity like 100m or 64Mi";

  Quantity() = default;  // 0
  // Of the source code, such as "64Mi": throws base::Misuse if it is no quantity, where "64Mi"_quantity does not
  // compile. Input goes through parse().
  Quantity(const char* text);
  explicit Quantity(std::int64_t whole, Format format = Format::kDecimalSi)
      : nanos_(Nanos{whole} * 1'000'000'000), format_(format) {}

  // Errors are apimachinery's: "quantities must match the regular expression '…'". Binary amounts over 2^63-1 are
  // 2^63-1.
  [[nodiscard]] static Result<Quantity> parse(std::string_view text);

  // Fails on anything but a quantity as a string, or a number.
  [[nodiscard]] static Result<Quantity> read(json::View view);
  void write(json::Writer& writer) const;

  // The canonical text: no fraction, the largest suffix that allows it.
  [[nodiscard]] std::string text() const;

  // Whole units and thousandths, rounded away from zero; within the range of int64.
  [[nodiscard]] std::int64_t value() const { return rounded(1'000'000'000); }
  [[nodiscard]] std::int64_t milli_value() const { return rounded(1'000'000); }
  [[nodiscard]] Format format() const { return format_; }

  std::strong_ordering operator<=>(const Quantity& other) const { return nanos_ <=> other.nanos_; }
  bool operator==(const Quantity& other) const { return nanos_ == other.nanos_; }

 private:
  __extension__ using Nanos = __int128;
  [[nodiscard]] std::int64_t rounded(std::int64_t nanos_per_unit) const;

  Nanos nanos_ = 0;
  Format format_ = Format::kDecimalSi;
};

namespace detail {

constexpr bool is_one_of(std::string_view text, auto... words) { return ((text == words) || ...); }

// Whether the text has the form of a quantity: a number, and a suffix or an exponent.
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

namespace keelson {
using namespace kube::literals;
}  // namespace keelson
