#include "src/cel/cost.hpp"

#include <algorithm>

#include "src/cel/cost_units.hpp"
#include "src/cel/operators.hpp"
#include "src/cel/text_size.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using NodeKind = Expression::Kind;

std::uint64_t size_of_argument(const Values& values, std::size_t i) {
  if (i >= values.size()) return 0;
  const auto& value = values[i];
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return text_size(value);
    case Kind::kList:
    case Kind::kMap:
      return size_of_value(value);
    case Kind::kOptional:
      return value.items().empty() ? 1 : size_of_argument(value.items(), 0);
    case Kind::kIp:
    case Kind::kCidr:
      return value.text().find(':') == std::string::npos ? 4 : 16;
    default:
      return 1;
  }
}

// The cost of a visit of all parts of a value. The same part may be in many places, so that a short expression makes a
// value of any size: a visit of too many parts ends with a cost above every limit.
class Traversal {
 public:
  [[nodiscard]] std::uint64_t cost_of(const Value& value) {
    visit(value);
    return left_ == 0 ? kMostCost : cost_;
  }
  [[nodiscard]] std::size_t visited() const { return kMostParts - left_; }

 private:
  void visit(const Value& value) {
    if (left_ == 0) return;
    --left_;
    switch (value.kind()) {
      case Kind::kString:
      case Kind::kBytes:
        cost_ += value.text().size() / 10;
        return;
      case Kind::kList:
        for (const auto& item : value.items()) visit(item);
        return;
      case Kind::kMap:
        for (const auto& [key, member] : value.map().entries()) {
          visit(key);
          visit(member);
        }
        return;
      default:
        ++cost_;
    }
  }

  static constexpr std::size_t kMostParts = 1'000'000;  // as many as the cost that a rule may have

  std::size_t left_ = kMostParts;
  std::uint64_t cost_ = 0;
};

// The characters of a long text are not counted if another one is much shorter.
std::uint64_t smaller_size(const Values& values) {
  constexpr std::size_t kMostBytesOfCharacter = 4;
  if (!values[0].is(Kind::kString) || !values[1].is(Kind::kString)) {
    return std::min(size_of_argument(values, 0), size_of_argument(values, 1));
  }
  const bool is_first = values[0].text().size() <= values[1].text().size();
  const auto size = text_size(values[is_first ? 0 : 1]);
  const auto& longer = values[is_first ? 1 : 0];
  return longer.text().size() / kMostBytesOfCharacter >= size ? size : std::min(size, text_size(longer));
}

std::uint64_t format_pattern_size(std::string_view format) {
  static constexpr std::pair<std::string_view, std::uint64_t> kSizes[] = {{"dns1123Subdomain", 60},
                                                                          {"dns1123SubdomainPrefix", 60},
                                                                          {"qualifiedName", 60},
                                                                          {"labelValue", 40},
                                                                          {"uri", 1103},
                                                                          {"uuid", 79},
                                                                          {"byte", 84},
                                                                          {"date", 92},
                                                                          {"datetime", 92}};
  for (const auto& [name, size] : kSizes) {
    if (name == format) return size;
  }
  return 30;
}

}  // namespace

std::uint64_t step_cost(const Expression& macro, bool is_kept) {
  switch (macro.kind) {
    case NodeKind::kAll:
      return 3;
    case NodeKind::kExists:
      return 4;
    case NodeKind::kExistsOne:
      return is_kept ? 2 : 1;
    case NodeKind::kFilter:
      return is_kept ? kListCost + 3 : 1;
    case NodeKind::kTransformMap:
      return is_kept ? 3 : 1;
    case NodeKind::kTransformEntry:
      return is_kept ? 2 : 1;
    default:
      return is_kept ? kListCost + 2 : 1;
  }
}

bool is_literal(const Expression& node) { return node.kind == NodeKind::kLiteral || node.has_only_literals; }

std::uint64_t actual_cost(CallCost cost, const Values& arguments, const Value& result, Budget& budget) {
  const auto size = [&arguments](std::size_t i) { return size_of_argument(arguments, i); };
  // A depth of flatten() may be negative, and a square larger than an integer.
  const auto allocated = [](double count) {
    constexpr double kLargest = 1e18;
    return static_cast<std::uint64_t>(std::clamp(count, 0.0, kLargest)) + 1 + kListCost;
  };
  switch (cost) {
    case CallCost::kNone:
      return 0;
    case CallCost::kElements: {
      constexpr std::size_t kPartsOfStep = 4;
      Traversal traversal;
      const auto elements = traversal.cost_of(arguments[0]);
      return budget.spend(traversal.visited() / kPartsOfStep) ? elements : kMostCost;
    }
    case CallCost::kText:
    case CallCost::kParse:
    case CallCost::kAffix:
    case CallCost::kFormat:
    case CallCost::kQuote:
    case CallCost::kToBytes:
    case CallCost::kFromBytes:
      return scaled(size(0), kTraversal);
    case CallCost::kParseTwice:
    case CallCost::kReplace:
    case CallCost::kSplit:
      return scaled(size(0), 2 * kTraversal);
    case CallCost::kJoin:
      return scaled(size_of_argument({result}, 0), 2 * kTraversal);
    case CallCost::kFind:
    case CallCost::kMatch:
      return pattern_cost(size(0), size(1));
    case CallCost::kContains:
      return scaled(size(0), kTraversal) * scaled(size(1), kTraversal);
    case CallCost::kMembership:
      return size(1);
    case CallCost::kOrder:
    case CallCost::kEquality:
      return scaled(smaller_size(arguments), kTraversal);
    case CallCost::kTexts:
      return scaled(size(0) + size(1), kTraversal);
    case CallCost::kContainsAddress:
      return range_cost(size(0), false, 0);
    case CallCost::kContainsAddressText:
      return range_cost(size(0), false, size(1));
    case CallCost::kContainsRange:
      return range_cost(size(0), true, 0);
    case CallCost::kContainsRangeText:
      return range_cost(size(0), true, size(1));
    case CallCost::kValidate:
      return pattern_cost(size(1), format_pattern_size(arguments[0].text()));
    case CallCost::kSets:
      return size(0) * size(1) + 1;
    case CallCost::kSetsTwice:
      return 2 * size(0) * size(1) + 1;
    case CallCost::kSlice:
    case CallCost::kRange:
    case CallCost::kReverse:
      return allocated(static_cast<double>(size_of_argument({result}, 0)));
    case CallCost::kFlatten:
      return allocated(static_cast<double>(size(0)) *
                       (arguments.size() > 1 ? static_cast<double>(arguments[1].integer()) : 1));
    case CallCost::kSort:
    case CallCost::kSortBy: {
      const auto& keys = arguments[cost == CallCost::kSort ? 0 : 1].items();
      const bool has_texts = !keys.empty() && (keys[0].is(Kind::kString) || keys[0].is(Kind::kBytes));
      const auto count = static_cast<double>(keys.size());
      return allocated(count * count * (has_texts ? 2 + kTraversal : 2));
    }
    default:
      return 1;
  }
}

}  // namespace keelson::cel
