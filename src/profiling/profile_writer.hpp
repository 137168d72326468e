// Writes a profile in pprof's format: the message Profile of github.com/google/pprof/proto/profile.proto as protobuf,
// without compression, which pprof accepts next to gzip.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "keelson/async/clock.hpp"
#include "src/profiling/process_image.hpp"

namespace keelson::profiling {

struct ValueType {
  std::string_view type;  // "cpu"
  std::string_view unit;  // "nanoseconds"
};

// Appends fields of a protobuf message.
class ProtobufWriter {
 public:
  void number(std::uint32_t field, std::uint64_t value);
  void bytes(std::uint32_t field, std::string_view value);
  // Repeated numbers in one field ("packed").
  template <class Number>
  void numbers(std::uint32_t field, std::span<const Number> values) {
    ProtobufWriter packed;
    for (const auto value : values) packed.varint(static_cast<std::uint64_t>(value));
    bytes(field, packed.text());
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value);
  std::string text_;
};

class ProfileWriter {
 public:
  // The types of each sample's values, and the interval of samples in units of `period_type`.
  ProfileWriter(std::span<const ValueType> types, ValueType period_type, std::int64_t period);

  // `stack` has addresses of code, the innermost first.
  void add(std::span<const std::uintptr_t> stack, std::span<const std::int64_t> values);
  // A sample of something that has no stack: it is shown as a function with that name.
  void add_named(std::string_view name, std::span<const std::int64_t> values);
  // The type that pprof shows if its user chooses none.
  void set_default_type(std::string_view type);
  // A regular expression of functions that are not shown, nor are the functions that they call.
  void drop_functions(std::string_view pattern);
  void set_time(async::WallTime from, async::Duration duration);

  // The profile. The mappings say in which file pprof finds the names of the addresses. Call it once.
  [[nodiscard]] std::string finish(std::span<const Mapping> mappings);

 private:
  [[nodiscard]] std::uint64_t string(std::string_view text);
  [[nodiscard]] std::uint64_t location_of(std::uintptr_t address);
  void write_sample(std::span<const std::uint64_t> locations, std::span<const std::int64_t> values);
  void write_type(std::uint32_t field, const ValueType& type);
  void write_locations(std::span<const Mapping> mappings);

  ProtobufWriter profile_;
  std::map<std::string, std::uint64_t, std::less<>> string_ids_;
  std::vector<std::string_view> strings_;  // refers to the keys of string_ids_
  std::unordered_map<std::uintptr_t, std::uint64_t> location_ids_;
  std::vector<std::uintptr_t> addresses_;  // of the locations; 0: a function without an address
};

}  // namespace keelson::profiling
