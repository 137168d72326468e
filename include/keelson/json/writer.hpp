// Writing JSON: appends compact JSON to a string of its own, escaped as Go's encoding/json does without HTML escaping.
//
// Calls chain. Unbalanced use (a value without a key, an object left open, two roots) throws base::Misuse.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::json {

class Writer {
 public:
  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);

  // Invalid UTF-8 becomes U+FFFD, as in Go.
  Writer& string(std::string_view value);
  Writer& integer(std::int64_t value);
  Writer& unsigned_integer(std::uint64_t value);
  // The shortest text that reads back to the same double, in Go's format. Must be finite.
  Writer& number(double value);
  // The same, but recognisably not an integer: 1 is written 1.0.
  Writer& real(double value);
  Writer& boolean(bool value);
  Writer& null();
  // JSON text that is already well-formed, copied as it is.
  Writer& raw(std::string_view json);

  Writer& field(std::string_view name, std::string_view value) { return key(name).string(value); }
  Writer& field(std::string_view name, const std::string& value) { return key(name).string(value); }
  Writer& field(std::string_view name, const char* value) { return key(name).string(value); }
  Writer& field(std::string_view name, std::same_as<bool> auto value) { return key(name).boolean(value); }
  Writer& field(std::string_view name, std::signed_integral auto value) { return key(name).integer(value); }
  Writer& field(std::string_view name, double value) { return key(name).number(value); }
  Writer& field(std::string_view name, View value) {
    key(name);
    value.write(*this);
    return *this;
  }
  Writer& raw_field(std::string_view name, std::string_view json) { return key(name).raw(json); }

  // The finished text: exactly one whole value.
  [[nodiscard]] std::string take() &&;

 private:
  enum class Inside : std::uint8_t { kObject, kArray };
  [[noreturn]] void fail(std::string_view call, std::string_view why) const;
  void before_value();
  void after_value();

  std::string text_;
  std::vector<Inside> open_;
  bool needs_comma_ = false;
  bool has_key_ = false;
  bool is_complete_ = false;
};

// The text as a JSON string, with its quotes.
[[nodiscard]] std::string quoted(std::string_view text);

// The same, appended.
void append_quoted(std::string& out, std::string_view text);

}  // namespace keelson::json
