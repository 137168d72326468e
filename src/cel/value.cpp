#include "keelson/detail/cel/value.hpp"

#include <bit>

#include "src/cel/time_values.hpp"

namespace keelson::cel {

namespace {

// Equal numbers are the same key, regardless of their type.
std::string key_text(const Value& key) {
  switch (key.kind()) {
    case Value::Kind::kInt:
      return "n" + std::to_string(key.integer());
    case Value::Kind::kUint:
      return "n" + std::to_string(key.unsigned_integer());
    case Value::Kind::kDouble:
      if (auto whole = static_cast<std::int64_t>(key.real()); static_cast<double>(whole) == key.real()) {
        return "n" + std::to_string(whole);
      }
      return "d" + std::to_string(std::bit_cast<std::uint64_t>(key.real()));
    case Value::Kind::kBool:
      return key.is_true() ? "t" : "f";
    default:
      return "s" + key.text();
  }
}

}  // namespace

void MapValue::add(Value key, Value value) {
  index_[key_text(key)] = entries_.size();
  entries_.emplace_back(std::move(key), std::move(value));
}

void MapValue::put(Value key, Value value) {
  const auto found = index_.find(key_text(key));
  if (found == index_.end()) return add(std::move(key), std::move(value));
  entries_[found->second].second = std::move(value);
}

const Value* MapValue::find(const Value& key) const {
  auto found = index_.find(key_text(key));
  return found == index_.end() ? nullptr : &entries_[found->second].second;
}

const Value* MapValue::find(std::string_view key) const {
  auto found = index_.find("s" + std::string(key));
  return found == index_.end() ? nullptr : &entries_[found->second].second;
}

Value Value::of_bool(bool value) { return Value(Kind::kBool, value ? 1 : 0); }
Value Value::of_int(std::int64_t value) { return Value(Kind::kInt, value); }
Value Value::of_uint(std::uint64_t value) { return Value(Kind::kUint, static_cast<std::int64_t>(value)); }
Value Value::of_duration(std::int64_t nanoseconds) { return Value(Kind::kDuration, nanoseconds); }

Value Value::of_double(double value) {
  Value made(Kind::kDouble);
  made.real_ = value;
  return made;
}

Value Value::of_text(Kind kind, std::string text) {
  Value made(kind);
  made.text_ = std::make_shared<const std::string>(std::move(text));
  return made;
}

Value Value::of_string(std::string value) { return of_text(Kind::kString, std::move(value)); }
Value Value::of_bytes(std::string value) { return of_text(Kind::kBytes, std::move(value)); }
Value Value::of_type(std::string name) { return of_text(Kind::kType, std::move(name)); }
Value Value::error(std::string text) { return of_text(Kind::kError, std::move(text)); }

Value Value::of_list(Values items) {
  Value made(Kind::kList);
  made.items_ = std::make_shared<const Values>(std::move(items));
  return made;
}

Value Value::of_set(Values items) {
  auto made = of_list(std::move(items));
  made.is_set_ = true;
  return made;
}

Value Value::of_map_list(Values items, std::string keys) {
  auto made = of_set(std::move(items));
  made.text_ = std::make_shared<const std::string>(std::move(keys));
  return made;
}

Value Value::of_map(MapValue map) {
  Value made(Kind::kMap);
  made.map_ = std::make_shared<const MapValue>(std::move(map));
  return made;
}

Value Value::of_timestamp(std::int64_t seconds, std::int32_t nanoseconds) {
  Value made(Kind::kTimestamp, seconds);
  made.nanoseconds_ = nanoseconds;
  return made;
}

Value Value::duration_of(std::string_view text) { return parse_duration_value(text); }
Value Value::timestamp_of(std::string_view text) { return parse_timestamp_value(text); }

Value Value::none() { return Value(Kind::kOptional); }

Value Value::some(Value value) {
  auto made = none();
  made.items_ = std::make_shared<const Values>(Values{std::move(value)});
  return made;
}

const std::string& Value::text() const {
  static const std::string kNone;
  return text_ ? *text_ : kNone;
}

const Values& Value::items() const {
  static const Values kNone;
  return items_ ? *items_ : kNone;
}

const MapValue& Value::map() const {
  static const MapValue kNone;
  return map_ ? *map_ : kNone;
}

const char* Value::name_of(Kind kind) {
  static constexpr const char* kNames[] = {"null_type",
                                           "bool",
                                           "int",
                                           "uint",
                                           "double",
                                           "string",
                                           "bytes",
                                           "list",
                                           "map",
                                           "google.protobuf.Duration",
                                           "google.protobuf.Timestamp",
                                           "type",
                                           "optional_type",
                                           "kubernetes.Quantity",
                                           "kubernetes.URL",
                                           "net.IP",
                                           "net.CIDR",
                                           "kubernetes.Semver",
                                           "kubernetes.NamedFormat",
                                           "error"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace keelson::cel
