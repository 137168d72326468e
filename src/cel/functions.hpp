// The functions that expressions may call: their signatures and implementations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/cel/pattern.hpp"
#include "keelson/detail/cel/value.hpp"

namespace keelson::cel {

// What is left of the limits of an evaluation, and the patterns that it has compiled.
//
// Steps bound the time: values and characters that are read. The cost is that of the API server, which has no cost for
// some operations.
class Budget {
 public:
  Budget(std::size_t steps, std::size_t cost) : left_(steps), cost_left_(cost) {}
  // False when the budget is exhausted.
  bool spend(std::size_t steps);
  bool charge(std::uint64_t cost);
  [[nodiscard]] std::size_t& left() { return left_; }
  [[nodiscard]] std::size_t cost_left() const { return cost_left_; }
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  void exhaust() { is_exhausted_ = true; }
  // Compiles a pattern once, however often the expression matches it. Null when the budget is exhausted.
  const Result<Pattern>* pattern(const std::string& text);

 private:
  std::size_t left_;
  std::size_t cost_left_;
  bool is_exhausted_ = false;
  std::map<std::string, Result<Pattern>> patterns_;
};

// How the API server computes the cost of a call (cost.hpp), by the sizes of its arguments.
enum class CallCost : std::uint8_t {
  kOne,
  kNone,      // only that of its arguments: ?:
  kElements,  // of a list
  kText,      // a traversal, whose result is as long
  kParse,     // a traversal
  kParseTwice,
  kReplace,
  kSplit,
  kJoin,
  kFind,
  kMatch,
  kContains,
  kAffix,  // startsWith, endsWith
  kFormat,
  kQuote,
  kToBytes,
  kFromBytes,
  kMembership,  // in a list
  kOrder,
  kEquality,
  kTexts,  // of two texts: their concatenation
  kLists,  // of two lists
  kIndex,
  kDyn,
  kContainsAddress,
  kContainsAddressText,
  kContainsRange,
  kContainsRangeText,
  kValidate,
  kSets,
  kSetsTwice,
  kSlice,
  kRange,
  kReverse,
  kFlatten,
  kSort,
  kSortBy,
};

// Types are letters: s string, i int, u uint, d double, b bool, y bytes, z null, t timestamp, D duration, T type,
// q quantity, U URL, I IP address, C CIDR, F named format, V version; l list, m map and o optional, which are followed
// by the types of their parts; * any. A and B are parameters, which have one type in all places; c is A with an order,
// n is A with a sum, # is any number.
struct Signature {
  const char* name;
  bool has_target;
  const char* arguments;  // the target first
  const char* result;
  Value (*call)(const Values& arguments, Budget& budget);  // null: an operator
  CallCost cost = CallCost::kOne;
};

[[nodiscard]] const std::vector<const Signature*>& signatures_of(std::string_view name);

// The kind of a letter; nullopt for those that are no single type.
[[nodiscard]] std::optional<Value::Kind> kind_of_letter(char letter);

// The number of letters of the first type.
[[nodiscard]] std::size_t length_of_type(std::string_view letters);

[[nodiscard]] Value no_such_overload();

[[nodiscard]] std::vector<Signature> text_signatures();
[[nodiscard]] std::vector<Signature> list_signatures();
[[nodiscard]] std::vector<Signature> conversion_signatures();
[[nodiscard]] std::vector<Signature> time_signatures();
[[nodiscard]] std::vector<Signature> resource_signatures();
[[nodiscard]] std::vector<Signature> address_signatures();
[[nodiscard]] std::vector<Signature> url_signatures();
[[nodiscard]] std::vector<Signature> version_signatures();
[[nodiscard]] std::vector<Signature> format_signatures();

}  // namespace keelson::cel
