#include "src/profiling/profile_writer.hpp"

#include <algorithm>

namespace keelson::profiling {

namespace {

// The numbers of the fields in profile.proto.
namespace profile {
constexpr std::uint32_t kSampleType = 1;
constexpr std::uint32_t kSample = 2;
constexpr std::uint32_t kMapping = 3;
constexpr std::uint32_t kLocation = 4;
constexpr std::uint32_t kFunction = 5;
constexpr std::uint32_t kStringTable = 6;
constexpr std::uint32_t kDropFrames = 7;
constexpr std::uint32_t kTimeNanos = 9;
constexpr std::uint32_t kDurationNanos = 10;
constexpr std::uint32_t kPeriodType = 11;
constexpr std::uint32_t kPeriod = 12;
constexpr std::uint32_t kDefaultSampleType = 14;
}  // namespace profile

}  // namespace

void ProtobufWriter::number(std::uint32_t field, std::uint64_t value) {
  varint(std::uint64_t{field} << 3);
  varint(value);
}

void ProtobufWriter::bytes(std::uint32_t field, std::string_view value) {
  varint((std::uint64_t{field} << 3) | 2);
  varint(value.size());
  text_ += value;
}

void ProtobufWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
  text_ += static_cast<char>(value);
}

ProfileWriter::ProfileWriter(std::span<const ValueType> types, ValueType period_type, std::int64_t period) {
  // The string 0 is empty.
  static_cast<void>(string(""));
  for (const auto& type : types) write_type(profile::kSampleType, type);
  write_type(profile::kPeriodType, period_type);
  profile_.number(profile::kPeriod, static_cast<std::uint64_t>(period));
}

void ProfileWriter::add(std::span<const std::uintptr_t> stack, std::span<const std::int64_t> values) {
  std::vector<std::uint64_t> locations;
  locations.reserve(stack.size());
  for (const auto address : stack) locations.push_back(location_of(address));
  write_sample(locations, values);
}

void ProfileWriter::add_named(std::string_view name, std::span<const std::int64_t> values) {
  addresses_.push_back(0);
  const std::uint64_t id = addresses_.size();
  ProtobufWriter function;
  function.number(1, id);
  function.number(2, string(name));
  profile_.bytes(profile::kFunction, function.text());
  ProtobufWriter line;
  line.number(1, id);
  ProtobufWriter location;
  location.number(1, id);
  location.bytes(4, line.text());
  profile_.bytes(profile::kLocation, location.text());
  write_sample(std::span(&id, 1), values);
}

void ProfileWriter::set_default_type(std::string_view type) {
  profile_.number(profile::kDefaultSampleType, string(type));
}

void ProfileWriter::drop_functions(std::string_view pattern) { profile_.number(profile::kDropFrames, string(pattern)); }

void ProfileWriter::set_time(async::WallTime from, async::Duration duration) {
  profile_.number(profile::kTimeNanos, static_cast<std::uint64_t>(from.time_since_epoch().count()));
  profile_.number(profile::kDurationNanos, static_cast<std::uint64_t>(duration.count()));
}

std::string ProfileWriter::finish(std::span<const Mapping> mappings) {
  std::uint64_t id = 0;
  for (const auto& mapping : mappings) {
    ProtobufWriter message;
    message.number(1, ++id);
    message.number(2, mapping.begin);
    message.number(3, mapping.end);
    message.number(4, mapping.offset);
    message.number(5, string(mapping.file));
    message.number(6, string(mapping.build_id));
    profile_.bytes(profile::kMapping, message.text());
  }
  write_locations(mappings);
  for (const auto text : strings_) profile_.bytes(profile::kStringTable, text);
  return profile_.text();
}

void ProfileWriter::write_locations(std::span<const Mapping> mappings) {
  for (std::size_t index = 0; index < addresses_.size(); ++index) {
    const auto address = addresses_[index];
    if (address == 0) continue;
    const auto contains = [address](const Mapping& mapping) { return mapping.contains(address); };
    const auto found = std::ranges::find_if(mappings, contains);
    ProtobufWriter location;
    location.number(1, index + 1);
    if (found != mappings.end()) location.number(2, static_cast<std::uint64_t>(found - mappings.begin()) + 1);
    location.number(3, address);
    profile_.bytes(profile::kLocation, location.text());
  }
}

std::uint64_t ProfileWriter::string(std::string_view text) {
  const auto [place, is_new] = string_ids_.emplace(text, strings_.size());
  if (is_new) strings_.push_back(place->first);
  return place->second;
}

std::uint64_t ProfileWriter::location_of(std::uintptr_t address) {
  const auto [place, is_new] = location_ids_.try_emplace(address, addresses_.size() + 1);
  if (is_new) addresses_.push_back(address);
  return place->second;
}

void ProfileWriter::write_sample(std::span<const std::uint64_t> locations, std::span<const std::int64_t> values) {
  ProtobufWriter sample;
  sample.numbers(1, locations);
  sample.numbers(2, values);
  profile_.bytes(profile::kSample, sample.text());
}

void ProfileWriter::write_type(std::uint32_t field, const ValueType& type) {
  ProtobufWriter message;
  message.number(1, string(type.type));
  message.number(2, string(type.unit));
  profile_.bytes(field, message.text());
}

}  // namespace keelson::profiling
