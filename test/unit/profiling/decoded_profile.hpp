// A profile in pprof's format, as a test reads it: only what our profiles contain.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::profiling {

// The fields of a protobuf message, in order: a number, or the bytes of a nested message, text or packed numbers.
struct Field {
  std::uint32_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes;
};

inline std::uint64_t read_varint(std::string_view& text) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (text.empty()) throw std::runtime_error("the profile ends in a number");
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a number in the profile has more than ten bytes");
}

inline std::vector<Field> fields_of(std::string_view text) {
  std::vector<Field> fields;
  while (!text.empty()) {
    const auto tag = read_varint(text);
    Field field{.number = static_cast<std::uint32_t>(tag >> 3)};
    if ((tag & 7) == 0) {
      field.value = read_varint(text);
    } else if ((tag & 7) == 2) {
      const auto size = read_varint(text);
      if (size > text.size()) throw std::runtime_error("the profile ends in a message");
      field.bytes = text.substr(0, size);
      text.remove_prefix(size);
    } else {
      throw std::runtime_error("the profile has a field of an unexpected type");
    }
    fields.push_back(field);
  }
  return fields;
}

inline std::vector<std::uint64_t> numbers_of(std::string_view packed) {
  std::vector<std::uint64_t> numbers;
  while (!packed.empty()) numbers.push_back(read_varint(packed));
  return numbers;
}

struct DecodedProfile {
  struct Location {
    std::uint64_t mapping = 0;  // 1 is the first; 0: none
    std::uint64_t address = 0;
    std::string name;  // of a function without an address
  };
  struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    std::string file;
    std::string build_id;
  };
  struct Sample {
    std::vector<Location> stack;
    std::vector<std::int64_t> values;

    [[nodiscard]] bool has(std::uintptr_t address) const {
      for (const auto& location : stack) {
        if (location.address == address) return true;
      }
      return false;
    }
  };

  std::vector<std::string> types;  // "cpu/nanoseconds"
  std::vector<Sample> samples;
  std::vector<Mapping> mappings;
  std::string period_type;
  std::string default_type;
  std::string dropped_functions;
  std::uint64_t period = 0;
  std::uint64_t time_nanos = 0;
  std::uint64_t duration_nanos = 0;

  // The sums of all samples, one for each type.
  [[nodiscard]] std::vector<std::int64_t> totals() const {
    std::vector<std::int64_t> sums(types.size());
    for (const auto& sample : samples) {
      for (std::size_t place = 0; place < sums.size(); ++place) sums[place] += sample.values.at(place);
    }
    return sums;
  }
};

class ProfileDecoder {
 public:
  explicit ProfileDecoder(std::string_view text) : fields_(fields_of(text)) {}

  [[nodiscard]] DecodedProfile decode() {
    for (const auto& field : fields_) {
      if (field.number == 6) strings_.emplace_back(field.bytes);
    }
    if (strings_.empty() || !strings_.front().empty()) throw std::runtime_error("the first string is not empty");
    for (const auto& field : fields_) {
      if (field.number == 5) add_function(field.bytes);
    }
    for (const auto& field : fields_) {
      if (field.number == 4) add_location(field.bytes);
    }
    for (const auto& field : fields_) add(field);
    return std::move(profile_);
  }

 private:
  void add_function(std::string_view message) {
    std::uint64_t id = 0;
    std::string name;
    for (const auto& field : fields_of(message)) {
      if (field.number == 1) id = field.value;
      if (field.number == 2) name = strings_.at(field.value);
    }
    functions_[id] = name;
  }
  void add_location(std::string_view message) {
    std::uint64_t id = 0;
    DecodedProfile::Location location;
    for (const auto& field : fields_of(message)) {
      if (field.number == 1) id = field.value;
      if (field.number == 2) location.mapping = field.value;
      if (field.number == 3) location.address = field.value;
      if (field.number == 4) location.name = functions_.at(fields_of(field.bytes).at(0).value);
    }
    locations_[id] = location;
  }
  void add(const Field& field) {
    if (field.number == 1) profile_.types.push_back(type_of(field.bytes));
    if (field.number == 2) profile_.samples.push_back(sample_of(field.bytes));
    if (field.number == 3) profile_.mappings.push_back(mapping_of(field.bytes));
    if (field.number == 7) profile_.dropped_functions = strings_.at(field.value);
    if (field.number == 9) profile_.time_nanos = field.value;
    if (field.number == 10) profile_.duration_nanos = field.value;
    if (field.number == 11) profile_.period_type = type_of(field.bytes);
    if (field.number == 12) profile_.period = field.value;
    if (field.number == 14) profile_.default_type = strings_.at(field.value);
  }
  std::string type_of(std::string_view message) {
    const auto fields = fields_of(message);
    return strings_.at(fields.at(0).value) + "/" + strings_.at(fields.at(1).value);
  }
  DecodedProfile::Sample sample_of(std::string_view message) {
    DecodedProfile::Sample sample;
    for (const auto& field : fields_of(message)) {
      for (const auto number : numbers_of(field.bytes)) {
        if (field.number == 1) sample.stack.push_back(locations_.at(number));
        if (field.number == 2) sample.values.push_back(static_cast<std::int64_t>(number));
      }
    }
    return sample;
  }
  DecodedProfile::Mapping mapping_of(std::string_view message) {
    const auto fields = fields_of(message);
    return {fields.at(1).value, fields.at(2).value, fields.at(3).value, strings_.at(fields.at(4).value),
            strings_.at(fields.at(5).value)};
  }

  std::vector<Field> fields_;
  std::vector<std::string> strings_;
  std::map<std::uint64_t, std::string> functions_;
  std::map<std::uint64_t, DecodedProfile::Location> locations_;
  DecodedProfile profile_;
};

inline DecodedProfile decode_profile(std::string_view text) { return ProfileDecoder(text).decode(); }

}  // namespace keelson::profiling
