// A value of CEL. A copy is cheap: texts, lists and maps are shared and immutable.
//
// A host converts its objects to values, and a Program computes with them. An error is a value, too, as in cel-go: an
// operation on an error returns it, but &&, ||, all() and exists() ignore it if another operand decides.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"

namespace keelson::cel {

class Value;
using Values = std::vector<Value>;

// The members of a map, by their keys and in the order in which they were added. Objects are maps with string keys.
class MapValue {
 public:
  // The key must not exist yet. An int, a uint and a double of the same value are the same key.
  void add(Value key, Value value);
  // Also of a key that exists: its value is replaced.
  void put(Value key, Value value);
  // Null if the key does not exist. The pointer is valid until the next add().
  [[nodiscard]] const Value* find(const Value& key) const;
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<Value, Value>> entries_;
  base::TextMap<std::string, std::size_t> index_;  // from the kind and text of a key to its place in entries_
};

class Value {
 public:
  enum class Kind : std::uint8_t {
    kNull,
    kBool,
    kInt,
    kUint,
    kDouble,
    kString,
    kBytes,
    kList,
    kMap,
    kDuration,   // nanoseconds
    kTimestamp,  // seconds since 1970 and nanoseconds
    kType,       // the value of type(x)
    kOptional,   // with a value or without: optional.of(x), optional.none()
    kQuantity,   // a Kubernetes quantity, as its text
    kUrl,        // as its text
    kIp,         // an IP address, as its canonical text
    kCidr,       // an IP address and the length of its prefix: "10.0.0.0/8"
    kVersion,    // a semantic version, as its text
    kFormat,     // a named format of Kubernetes, as its name: "dns1123Label"
    kError,      // text() is cel-go's message
  };

  // Null.
  Value() = default;
  [[nodiscard]] static Value of_bool(bool value);
  [[nodiscard]] static Value of_int(std::int64_t value);
  [[nodiscard]] static Value of_uint(std::uint64_t value);
  [[nodiscard]] static Value of_double(double value);
  [[nodiscard]] static Value of_string(std::string value);
  [[nodiscard]] static Value of_bytes(std::string value);
  [[nodiscard]] static Value of_list(Values items);
  // A list with x-kubernetes-list-type: set, which is equal to lists with the same items in any order.
  [[nodiscard]] static Value of_set(Values items);
  // A list with x-kubernetes-list-type: map: items with the same keys are the same item. `keys` has a name on each
  // line.
  [[nodiscard]] static Value of_map_list(Values items, std::string keys);
  [[nodiscard]] static Value of_map(MapValue map);
  [[nodiscard]] static Value of_duration(std::int64_t nanoseconds);
  // Parse a duration in Go's syntax ("1h30m") and a time in RFC 3339; an error value for other texts.
  [[nodiscard]] static Value duration_of(std::string_view text);
  [[nodiscard]] static Value timestamp_of(std::string_view text);
  // Seconds since 1970, and the nanoseconds of the second.
  [[nodiscard]] static Value of_timestamp(std::int64_t seconds, std::int32_t nanoseconds);
  // The value of type(x), by its type_name().
  [[nodiscard]] static Value of_type(std::string name);
  // Optionals: without a value, and with this one.
  [[nodiscard]] static Value none();
  [[nodiscard]] static Value some(Value value);
  // For the kinds that are stored as their text. It is not validated.
  [[nodiscard]] static Value of_text(Kind kind, std::string text);
  [[nodiscard]] static Value error(std::string text);

  // Nothing is thrown: is_true() and is_false() are both false for a value that is not a bool, and the getters below
  // return 0 or an empty value for other kinds.
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
  [[nodiscard]] bool is_error() const { return kind_ == Kind::kError; }
  [[nodiscard]] bool is_true() const { return kind_ == Kind::kBool && number_ != 0; }
  [[nodiscard]] bool is_false() const { return kind_ == Kind::kBool && number_ == 0; }
  [[nodiscard]] bool is_number() const { return is(Kind::kInt) || is(Kind::kUint) || is(Kind::kDouble); }

  [[nodiscard]] std::int64_t integer() const { return number_; }  // kInt; kDuration: nanoseconds; kTimestamp: seconds
  [[nodiscard]] std::uint64_t unsigned_integer() const { return static_cast<std::uint64_t>(number_); }  // kUint
  [[nodiscard]] double real() const { return real_; }                                                   // kDouble
  [[nodiscard]] std::int32_t nanoseconds() const { return nanoseconds_; }                               // kTimestamp
  [[nodiscard]] const std::string& text() const;         // all kinds that are stored as their text, and kError
  [[nodiscard]] const Values& items() const;             // kList; kOptional: its value, if there is one
  [[nodiscard]] const MapValue& map() const;             // kMap
  [[nodiscard]] bool is_set() const { return is_set_; }  // made by of_set() or of_map_list(), whose keys are text()

  // CEL's name: "int", "string", "google.protobuf.Timestamp", "kubernetes.Quantity".
  [[nodiscard]] std::string type_name() const { return name_of(kind_); }
  // The same for all values of a kind.
  [[nodiscard]] static const char* name_of(Kind kind);

 private:
  explicit Value(Kind kind, std::int64_t number = 0) : kind_(kind), number_(number) {}

  Kind kind_ = Kind::kNull;
  bool is_set_ = false;
  std::int32_t nanoseconds_ = 0;
  std::int64_t number_ = 0;  // also bools (0, 1) and the bits of a uint
  double real_ = 0;
  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const Values> items_;
  std::shared_ptr<const MapValue> map_;
};

}  // namespace keelson::cel
