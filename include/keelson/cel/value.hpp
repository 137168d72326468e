// A value of the Common Expression Language. Cheap to copy: what is large is shared and never changes.
//
// A host makes values of its objects, and a Program computes with them. An error is a value, too, as in cel-go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace keelson::cel {

class Value;
using Values = std::vector<Value>;

// Members by their keys, in the order in which they were added.
class MapValue {
 public:
  void add(Value key, Value value);
  [[nodiscard]] const Value* find(const Value& key) const;
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<Value, Value>> entries_;
  std::unordered_map<std::string, std::size_t> index_;  // by the text of a key and its kind
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
    kType,
    kOptional,
    kQuantity,
    kUrl,
    kError,
  };

  Value() = default;
  [[nodiscard]] static Value of_bool(bool value);
  [[nodiscard]] static Value of_int(std::int64_t value);
  [[nodiscard]] static Value of_uint(std::uint64_t value);
  [[nodiscard]] static Value of_double(double value);
  [[nodiscard]] static Value of_string(std::string value);
  [[nodiscard]] static Value of_bytes(std::string value);
  [[nodiscard]] static Value of_list(Values items);
  // x-kubernetes-list-type: set. Equal to others in any order.
  [[nodiscard]] static Value of_set(Values items);
  [[nodiscard]] static Value of_map(MapValue map);
  [[nodiscard]] static Value of_duration(std::int64_t nanoseconds);
  // Of texts as Go writes durations and RFC 3339 times; an error for others.
  [[nodiscard]] static Value duration_of(std::string_view text);
  [[nodiscard]] static Value timestamp_of(std::string_view text);
  [[nodiscard]] static Value of_timestamp(std::int64_t seconds, std::int32_t nanoseconds);
  [[nodiscard]] static Value of_type(std::string name);
  [[nodiscard]] static Value none();
  [[nodiscard]] static Value some(Value value);
  // A text of its own kind: kQuantity, kUrl.
  [[nodiscard]] static Value of_text(Kind kind, std::string text);
  [[nodiscard]] static Value error(std::string text);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
  [[nodiscard]] bool is_error() const { return kind_ == Kind::kError; }
  [[nodiscard]] bool is_true() const { return kind_ == Kind::kBool && number_ != 0; }
  [[nodiscard]] bool is_false() const { return kind_ == Kind::kBool && number_ == 0; }
  [[nodiscard]] bool is_number() const { return is(Kind::kInt) || is(Kind::kUint) || is(Kind::kDouble); }

  [[nodiscard]] std::int64_t integer() const { return number_; }  // of ints, durations, timestamps
  [[nodiscard]] std::uint64_t unsigned_integer() const { return static_cast<std::uint64_t>(number_); }
  [[nodiscard]] double real() const { return real_; }
  [[nodiscard]] std::int32_t nanoseconds() const { return nanoseconds_; }
  [[nodiscard]] const std::string& text() const;  // of strings, bytes, types, errors
  [[nodiscard]] const Values& items() const;      // of lists; of an optional with a value that value
  [[nodiscard]] const MapValue& map() const;
  [[nodiscard]] bool is_set() const { return is_set_; }

  // "int", "google.protobuf.Timestamp"
  [[nodiscard]] std::string type_name() const;

 private:
  Kind kind_ = Kind::kNull;
  bool is_set_ = false;
  std::int32_t nanoseconds_ = 0;
  std::int64_t number_ = 0;
  double real_ = 0;
  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const Values> items_;
  std::shared_ptr<const MapValue> map_;
};

}  // namespace keelson::cel
