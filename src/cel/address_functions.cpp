#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using Bytes = std::array<std::uint8_t, 16>;

// An IP address: 4 or 16 bytes.
struct Address {
  Bytes bytes{};
  std::size_t size = 4;
};

struct Range {
  Address address;
  unsigned bits = 0;
};

// Go's error for a part of an address.
Error address_error(std::string_view whole, std::string_view why, std::string_view at = "") {
  return invalid_error("ParseAddr(" + base::quote_go(whole) + "): " + std::string(why) +
                       (at.empty() ? "" : " (at " + base::quote_go(at) + ")"));
}

Result<void> parse_ipv4(std::string_view whole, std::string_view text, std::uint8_t* bytes) {
  unsigned number = 0;
  std::size_t fields = 0;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (base::is_digit(c)) {
      if (digits == 1 && number == 0) return address_error(whole, "IPv4 field has octet with leading zero");
      number = number * 10 + static_cast<unsigned>(c - '0');
      ++digits;
      if (number > 255) return address_error(whole, "IPv4 field has value >255");
    } else if (c == '.') {
      const bool is_empty = i == 0 || i + 1 == text.size() || text[i - 1] == '.';
      if (is_empty) return address_error(whole, "IPv4 field must have at least one digit", text.substr(i));
      if (fields == 3) return address_error(whole, "IPv4 address too long");
      bytes[fields++] = static_cast<std::uint8_t>(number);
      number = 0;
      digits = 0;
    } else {
      return address_error(whole, "unexpected character", text.substr(i));
    }
  }
  if (fields < 3) return address_error(whole, "IPv4 address too short");
  bytes[3] = static_cast<std::uint8_t>(number);
  return {};
}

// A group of hexadecimal digits.
Result<unsigned> parse_group(std::string_view whole, std::string_view text, std::size_t& digits) {
  unsigned number = 0;
  for (digits = 0; digits < text.size() && base::hex_value(text[digits]) >= 0; ++digits) {
    if (digits > 3) return address_error(whole, "each group must have 4 or less digits", text);
    number = number * 16 + static_cast<unsigned>(base::hex_value(text[digits]));
  }
  if (digits == 0) return address_error(whole, "each colon-separated field must have at least one digit", text);
  return number;
}

Result<Address> parse_ipv6(std::string_view whole) {
  Address made{.size = 16};
  auto rest = whole;
  std::optional<std::size_t> gap;  // the bytes before "::"
  std::size_t at = 0;
  if (rest.starts_with("::")) {
    gap = 0;
    rest.remove_prefix(2);
  }
  while (at < 16 && !rest.empty()) {
    std::size_t digits = 0;
    KEELSON_LET(const auto number, parse_group(whole, rest, digits));
    if (digits < rest.size() && rest[digits] == '.') {
      if (!gap && at != 12) {
        return address_error(whole, "embedded IPv4 address must replace the final 2 fields of the address", rest);
      }
      if (at + 4 > 16) {
        return address_error(whole, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      }
      KEELSON_TRY(parse_ipv4(whole, rest, made.bytes.data() + at));
      rest = {};
      at += 4;
      break;
    }
    made.bytes[at++] = static_cast<std::uint8_t>(number >> 8U);
    made.bytes[at++] = static_cast<std::uint8_t>(number & 255U);
    rest.remove_prefix(digits);
    if (rest.empty()) break;
    if (rest[0] != ':') return address_error(whole, "unexpected character, want colon", rest);
    if (rest.size() == 1) return address_error(whole, "colon must be followed by more characters", rest);
    rest.remove_prefix(1);
    if (rest[0] != ':') continue;
    if (gap) return address_error(whole, "multiple :: in address", rest);
    gap = at;
    rest.remove_prefix(1);
  }
  if (!rest.empty()) return address_error(whole, "trailing garbage after address", rest);
  if (at == 16 && gap) return address_error(whole, "the :: must expand to at least one field of zeros");
  if (at < 16 && !gap) return address_error(whole, "address string too short");
  if (at < 16) {
    std::rotate(made.bytes.begin() + static_cast<std::ptrdiff_t>(*gap),
                made.bytes.begin() + static_cast<std::ptrdiff_t>(at), made.bytes.end());
  }
  return made;
}

Result<Address> parse_address(std::string_view text) {
  const auto first = text.find_first_of(".:%");
  if (first == std::string_view::npos) return address_error(text, "unable to parse IP");
  if (text[first] == '%') return address_error(text, "missing IPv6 address");
  if (text[first] == ':') return parse_ipv6(text);
  Address made;
  KEELSON_TRY(parse_ipv4(text, text, made.bytes.data()));
  return made;
}

// ::ffff:1.2.3.4
bool is_mapped(const Address& address) {
  return address.size == 16 &&
         std::all_of(address.bytes.begin(), address.bytes.begin() + 10, [](auto b) { return b == 0; }) &&
         address.bytes[10] == 255 && address.bytes[11] == 255;
}

std::string group_text(const Address& address, std::size_t group) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  const unsigned number = address.bytes[2 * group] * 256U + address.bytes[2 * group + 1];
  std::string text;
  for (unsigned shift = 16; shift > 0;) {
    shift -= 4;
    const auto digit = number >> shift & 15U;
    if (digit != 0 || !text.empty() || shift == 0) text += kDigits[digit];
  }
  return text;
}

// As Go prints it: the longest run of at least two zero groups is "::".
std::string address_text(const Address& address) {
  std::string text;
  if (address.size == 4) {
    for (std::size_t i = 0; i < 4; ++i) text += (i == 0 ? "" : ".") + std::to_string(address.bytes[i]);
    return text;
  }
  std::size_t begin = 8;
  std::size_t length = 1;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t end = i;
    while (end < 8 && address.bytes[2 * end] == 0 && address.bytes[2 * end + 1] == 0) ++end;
    if (end - i > length) {
      begin = i;
      length = end - i;
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == begin) {
      text += "::";
      i += length - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with("::")) text += ':';
    text += group_text(address, i);
  }
  return text;
}

Result<Address> parse_plain_address(std::string_view text) {
  const auto percent = text.find('%');
  const bool has_zone = text.find(':') < percent && percent != std::string_view::npos;
  const auto failed = "IP Address " + base::quote_go(text) + " parse error during conversion from string: ";
  if (has_zone && percent + 1 == text.size()) {
    return invalid_error(failed + address_error(text, "zone must be a non-empty string").text);
  }
  const auto address = parse_address(has_zone ? text.substr(0, percent) : text);
  if (!address) return invalid_error(failed + address.error().text);
  if (has_zone) return invalid_error("IP address " + base::quote_go(text) + " with zone value is not allowed");
  if (is_mapped(*address)) {
    return invalid_error("IPv4-mapped IPv6 address " + base::quote_go(text) + " is not allowed");
  }
  return *address;
}

Result<Range> parse_range(std::string_view text) {
  const auto failed = [text](const std::string& why) {
    return invalid_error("network address parse error during conversion from string: netip.ParsePrefix(" +
                         base::quote_go(text) + "): " + why);
  };
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return failed("no '/'");
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return failed(address.error().text);
  const auto digits = text.substr(slash + 1);
  const auto bits = base::parse_number<unsigned>(digits);
  const bool is_number = bits && (digits.size() == 1 || digits[0] != '0');
  if (!is_number) return failed("bad bits after slash: " + base::quote_go(digits));
  if (*bits > address->size * 8) return failed("prefix length out of range");
  if (is_mapped(*address)) {
    return invalid_error("IPv4-mapped IPv6 address " + base::quote_go(text) + " is not allowed");
  }
  return Range{*address, *bits};
}

// With zeros after the prefix.
Address masked_address(const Address& address, unsigned bits) {
  auto made = address;
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned kept = bits > 8 * i ? std::min(bits - 8 * i, 8U) : 0;
    made.bytes[i] = static_cast<std::uint8_t>(made.bytes[i] & (0xFF00U >> kept));
  }
  return made;
}

Address address_in(const Value& value) {
  const auto parsed = parse_address(value.text());
  return parsed ? *parsed : Address();
}
Range range_in(const Value& value) {
  const auto parsed = parse_range(value.text());
  return parsed ? *parsed : Range();
}

Value address_value(const Address& address) { return Value::of_text(Kind::kIp, address_text(address)); }
Value range_value(const Range& range) {
  return Value::of_text(Kind::kCidr, address_text(range.address) + "/" + std::to_string(range.bits));
}

Value to_address(const Values& a, Budget&) {
  const auto parsed = parse_plain_address(a[0].text());
  return parsed ? address_value(*parsed) : Value::error(parsed.error().text);
}
Value is_address(const Values& a, Budget&) { return Value::of_bool(parse_plain_address(a[0].text()).has_value()); }
Value is_canonical(const Values& a, Budget& budget) {
  const auto address = to_address(a, budget);
  return address.is_error() ? address : Value::of_bool(address.text() == a[0].text());
}
Value to_range(const Values& a, Budget&) {
  const auto parsed = parse_range(a[0].text());
  if (parsed) return range_value(*parsed);
  return Value::error("network address parse error during conversion from string: " + parsed.error().text);
}
Value is_range(const Values& a, Budget&) { return Value::of_bool(parse_range(a[0].text()).has_value()); }

Value family(const Values& a, Budget&) { return Value::of_int(address_in(a[0]).size == 4 ? 4 : 6); }

bool is_zero(const Address& address, std::size_t from, std::size_t to) {
  return std::all_of(address.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                     address.bytes.begin() + static_cast<std::ptrdiff_t>(to), [](auto b) { return b == 0; });
}
bool is_unspecified(const Address& one) { return is_zero(one, 0, one.size); }
bool is_loopback(const Address& one) {
  return one.size == 4 ? one.bytes[0] == 127 : is_zero(one, 0, 15) && one.bytes[15] == 1;
}
bool is_multicast(const Address& one) {
  return one.size == 4 ? (one.bytes[0] & 0xF0U) == 0xE0U : one.bytes[0] == 0xFFU;
}
bool is_link_local_multicast(const Address& one) {
  if (one.size == 4) return one.bytes[0] == 224 && one.bytes[1] == 0 && one.bytes[2] == 0;
  return one.bytes[0] == 0xFFU && (one.bytes[1] & 0x0FU) == 2;
}
bool is_link_local_unicast(const Address& one) {
  if (one.size == 4) return one.bytes[0] == 169 && one.bytes[1] == 254;
  return one.bytes[0] == 0xFEU && (one.bytes[1] & 0xC0U) == 0x80U;
}
bool is_global_unicast(const Address& one) {
  const bool is_broadcast =
      one.size == 4 && std::all_of(one.bytes.begin(), one.bytes.begin() + 4, [](auto b) { return b == 255; });
  return !is_broadcast && !is_unspecified(one) && !is_loopback(one) && !is_multicast(one) &&
         !is_link_local_unicast(one);
}

template <bool (*kHolds)(const Address&)>
Value holds(const Values& a, Budget&) {
  return Value::of_bool(kHolds(address_in(a[0])));
}

bool is_within(const Range& range, const Address& address) {
  return range.address.size == address.size &&
         masked_address(range.address, range.bits).bytes == masked_address(address, range.bits).bytes;
}

Value contains_address(const Values& a, Budget& budget) {
  const auto address = a[1].is(Kind::kString) ? to_address({a[1]}, budget) : a[1];
  if (address.is_error()) return no_such_overload();
  return Value::of_bool(is_within(range_in(a[0]), address_in(address)));
}

Value contains_range(const Values& a, Budget& budget) {
  const auto range = a[1].is(Kind::kString) ? to_range({a[1]}, budget) : a[1];
  if (range.is_error()) return no_such_overload();
  const auto outer = range_in(a[0]);
  const auto inner = range_in(range);
  return Value::of_bool(outer.bits <= inner.bits && is_within(outer, inner.address));
}

Value address_of_range(const Values& a, Budget&) { return address_value(range_in(a[0]).address); }
Value prefix_length(const Values& a, Budget&) { return Value::of_int(range_in(a[0]).bits); }
Value masked(const Values& a, Budget&) {
  const auto range = range_in(a[0]);
  return range_value({masked_address(range.address, range.bits), range.bits});
}

}  // namespace

std::vector<Signature> address_signatures() {
  return {
      {"ip", false, "s", "I", to_address, CallCost::kParse},
      {"isIP", false, "s", "b", is_address, CallCost::kParse},
      {"ip.isCanonical", false, "s", "b", is_canonical, CallCost::kParseTwice},
      {"family", true, "I", "i", family},
      {"isUnspecified", true, "I", "b", holds<is_unspecified>},
      {"isLoopback", true, "I", "b", holds<is_loopback>},
      {"isLinkLocalMulticast", true, "I", "b", holds<is_link_local_multicast>},
      {"isLinkLocalUnicast", true, "I", "b", holds<is_link_local_unicast>},
      {"isGlobalUnicast", true, "I", "b", holds<is_global_unicast>},
      {"cidr", false, "s", "C", to_range, CallCost::kParse},
      {"isCIDR", false, "s", "b", is_range, CallCost::kParse},
      {"containsIP", true, "Cs", "b", contains_address, CallCost::kContainsAddressText},
      {"containsIP", true, "CI", "b", contains_address, CallCost::kContainsAddress},
      {"containsCIDR", true, "Cs", "b", contains_range, CallCost::kContainsRangeText},
      {"containsCIDR", true, "CC", "b", contains_range, CallCost::kContainsRange},
      {"ip", true, "C", "I", address_of_range},
      {"prefixLength", true, "C", "i", prefix_length},
      {"masked", true, "C", "C", masked},
  };
}

}  // namespace keelson::cel
