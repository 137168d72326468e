// Writer: compact JSON, escaped as Go's encoding/json without HTML escaping.
//
// Example (test/examples/json.cpp#writer):
//   std::string ports_of_a() {
//     json::Writer writer;
//     writer.begin_object().field("name", "a").key("ports").begin_array().integer(80).end_array().end_object();
//     return std::move(writer).take();  // {"name":"a","ports":[80]}
//   }
//
// Incorrect use (a value without a key, a key without a value, an object left open, two roots) throws base::Misuse.
// Names are not checked for duplicates.
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
  // Each begin needs its end; inside of an object each value needs a key() before it.
  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  // The name of the next value.
  Writer& key(std::string_view name);

  // Invalid UTF-8 becomes U+FFFD, as in Go.
  Writer& string(std::string_view value);
  Writer& integer(std::int64_t value);
  Writer& unsigned_integer(std::uint64_t value);
  // The shortest text that parses to the same double, in Go's format: 1e+21, 0.1. Infinities and NaN are a Misuse.
  Writer& number(double value);
  // The same, but never in the form of an integer: 1 is written as 1.0.
  Writer& real(double value);
  Writer& boolean(bool value);
  Writer& null();
  // A value that is JSON text already. It is copied without a check, so it must be well-formed; empty is a Misuse.
  Writer& raw(std::string_view json);

  // A key and its value.
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
  // A key and a value that is JSON text already.
  Writer& raw_field(std::string_view name, std::string_view json) { return key(name).raw(json); }

  // The text, which must be exactly one complete value.
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

// `text` as a JSON string with its quotes. Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string quoted(std::string_view text);

// The same, appended to `out`.
void append_quoted(std::string& out, std::string_view text);

}  // namespace keelson::json
