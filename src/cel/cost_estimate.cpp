#include <algorithm>
#include <optional>

#include "src/cel/cost.hpp"
#include "src/cel/cost_units.hpp"
#include "src/cel/operators.hpp"
#include "src/cel/text_size.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using Node = Expression;
using NodeKind = Expression::Kind;

struct Size {
  std::uint64_t least = 0;
  std::uint64_t most = kMostCost;
};

Size joined(Size a, Size b) { return {std::min(a.least, b.least), std::max(a.most, b.most)}; }
Size total(Size a, Size b) { return {plus(a.least, b.least), plus(a.most, b.most)}; }
Size product(Size a, Size b) { return {times(a.least, b.least), times(a.most, b.most)}; }

// The sizes of the keys and values of a list or a map.
struct Entries {
  bool is_list = true;
  Size key{1, 1};
  Size value{0, 0};
};

std::optional<Entries> joined(const std::optional<Entries>& a, const std::optional<Entries>& b) {
  if (!a || !b) return std::nullopt;
  return Entries{a->is_list, joined(a->key, b->key), joined(a->value, b->value)};
}

// The place of a value within a variable. The type is null if the place is unknown.
struct Path {
  bool is_set = false;
  const Type* type = nullptr;
};

struct Estimate {
  std::uint64_t cost = 0;
  std::optional<Size> size = {};
  std::optional<Entries> entries = {};
  Path path = {};

  [[nodiscard]] Size known_size() const { return size.value_or(Size()); }
};

bool is_scalar(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
    case Kind::kDouble:
    case Kind::kDuration:
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kUint:
      return true;
    case Kind::kOptional:
      return type.element && is_scalar(*type.element);
    default:
      return false;
  }
}

bool is_text(const Type& type) { return type.kind == Kind::kString || type.kind == Kind::kBytes; }

class Estimator {
 public:
  explicit Estimator(const std::vector<Variable>& variables) : variables_(variables) {}

  Estimate visit(const Node& node);

 private:
  struct Local {
    std::string name;
    Path path;
    std::optional<Size> size;
    std::optional<Entries> entries;
  };

  Estimate name(const Node& node) const;
  Estimate container(const Node& node);
  Estimate call(const Node& node);
  Estimate macro(const Node& node);
  Estimate sort_by(const Node& node);
  Estimate optional_map(const Node& node);
  Estimate call_of(const Signature& overload, const Node& node, const std::vector<Estimate>& a) const;
  Estimate loop(const Node& node, const Estimate& range);
  std::uint64_t parts_in_scope(const Node& node, const Estimate& range, Estimate& last);
  void push_single(const Node& node, const Estimate& range, const Type& type);

  [[nodiscard]] const Type* root() const {
    if (variables_.empty()) return nullptr;
    const auto& type = variables_[0].type;
    return type->kind == Kind::kOptional ? type->element.get() : type.get();
  }
  [[nodiscard]] Path step(const Path& path, std::string_view name) const;
  [[nodiscard]] static std::optional<Size> size_at(const Path& path) {
    if (path.type == nullptr) return std::nullopt;
    return Size{0, path.type->most_elements};
  }
  [[nodiscard]] Size item_size(const Estimate& list) const {
    return list.path.is_set ? size_at(step(list.path, "@items")).value_or(Size()) : Size();
  }

  const std::vector<Variable>& variables_;
  std::vector<Local> locals_;
};

Path Estimator::step(const Path& path, std::string_view name) const {
  if (!path.is_set) return {true, root()};
  if (path.type == nullptr) return path;
  const auto& type = *path.type;
  if (name == "@items" || name == "@values") return {true, type.element.get()};
  if (name == "@keys") return {true, type.key.get()};
  const auto found = type.fields.find(name);
  return {true, found == type.fields.end() ? nullptr : found->second.get()};
}

Estimate Estimator::visit(const Node& node) {
  Estimate made;
  switch (node.kind) {
    case NodeKind::kLiteral:
      made.size = node.value.is(Kind::kString) || node.value.is(Kind::kBytes)
                      ? Size{text_size(node.value), text_size(node.value)}
                      : Size{1, 1};
      break;
    case NodeKind::kName:
      made = name(node);
      break;
    case NodeKind::kHas:
      made.cost = visit(node.parts[0]).cost;
      break;
    case NodeKind::kSelect: {
      const auto target = visit(node.parts[0]);
      made.cost = plus(target.cost, node.parts[0].type->kind == Kind::kMap ? 1 : 0);
      made.path = step(target.path, node.name);
      break;
    }
    case NodeKind::kOptionalSelect:
      made.cost = plus(visit(node.parts[0]).cost, 1);
      break;
    case NodeKind::kAnd:
    case NodeKind::kOr:
      for (const auto& part : node.parts) made.cost = plus(made.cost, visit(part).cost);
      break;
    case NodeKind::kList:
    case NodeKind::kMap:
      made = container(node);
      break;
    case NodeKind::kCall:
    case NodeKind::kChoice:
      made = call(node);
      break;
    case NodeKind::kOptionalMap:
    case NodeKind::kOptionalFlatMap:
      made = optional_map(node);
      break;
    case NodeKind::kSortBy:
      made = sort_by(node);
      break;
    default:
      made = macro(node);
  }
  if (!made.size && made.path.is_set) made.size = size_at(made.path);
  if (!made.size && is_scalar(*node.type)) made.size = Size{1, 1};
  if (!made.size && node.kind == NodeKind::kName) {
    const auto local =
        std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& one) { return one.name == node.name; });
    if (local != locals_.rend()) made.size = local->size;
  }
  return made;
}

Estimate Estimator::name(const Node& node) const {
  Estimate made{.cost = 1};
  const auto local =
      std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& one) { return one.name == node.name; });
  if (local != locals_.rend()) {
    made.path = local->path;
    made.entries = local->entries;
    return made;
  }
  const auto found = std::ranges::find(variables_, node.name, &Variable::name);
  made.path = {true, root()};
  if (found != variables_.end()) {
    made.path.type = found->type->kind == Kind::kOptional ? found->type->element.get() : found->type.get();
  }
  return made;
}

Estimate Estimator::container(const Node& node) {
  const bool is_list = node.kind == NodeKind::kList;
  Estimate made{.cost = is_list ? kListCost : kMapCost};
  Entries entries{.is_list = is_list};
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const auto part = visit(node.parts[i]);
    made.cost = plus(made.cost, part.cost);
    const bool is_key = !is_list && i % 2 == 0;
    auto& size = is_key ? entries.key : entries.value;
    size = i < (is_list ? 1U : 2U) ? part.known_size() : joined(size, part.known_size());
  }
  const std::uint64_t count = is_list ? node.parts.size() : node.parts.size() / 2;
  made.size = Size{count, count};
  if (!is_list && node.parts.empty()) entries.key = {0, 0};
  made.entries = entries;
  return made;
}

std::uint64_t literal_number(const Node& node, std::uint64_t otherwise) {
  if (node.kind != NodeKind::kLiteral || !node.value.is(Kind::kInt)) return otherwise;
  return node.value.integer() < 0 ? 0 : node.value.unsigned_integer();
}

// A function that makes a list.
Estimate list_call(double factor, Size size) {
  return {.cost = plus(scaled(size.most, factor), 1 + kListCost), .size = size};
}

Size replaced_size(Size text, Size what, Size with) {
  Size count{0, 0};
  Size retained{0, 0};
  if (what.least == 0) {
    count.most = plus(text.most, 1);
    retained.most = text.most;
  } else if (with.most <= what.least) {
    retained.most = text.most;
  } else {
    count.most = scaled(text.most, 1.0 / static_cast<double>(what.least));
  }
  if (what.most == 0) {
    count.least = plus(text.least, 1);
    retained.least = text.least;
  } else if (what.most <= with.least) {
    retained.least = text.least;
  } else {
    count.least = scaled(text.least, 1.0 / static_cast<double>(what.most));
  }
  return total(product(count, with), retained);
}

std::uint64_t equality_cost(const Node& node, Size one, Size other) {
  const auto& left = *node.parts[0].type;
  if (node.name == "_==_" && left.kind == node.parts[1].type->kind) {
    switch (left.kind) {
      case Kind::kIp:
      case Kind::kCidr:
      case Kind::kQuantity:
      case Kind::kVersion:
        return 1;
      case Kind::kFormat:
        return scaled(64, kTraversal);
      default:
        break;
    }
  }
  return scaled(std::min(one.most, other.most), kTraversal);
}

bool is_text_or_dyn(const Node& node) { return node.type->is_dyn() || is_text(*node.type); }

// The cost of a call without that of its arguments.
Estimate Estimator::call_of(const Signature& overload, const Node& node, const std::vector<Estimate>& a) const {
  const auto size = [&a](std::size_t i) { return i < a.size() ? a[i].known_size() : Size{0, 0}; };
  const auto traversed = [&](std::size_t i, double factor) { return scaled(size(i).most, factor * kTraversal); };
  switch (overload.cost) {
    case CallCost::kNone:
      return {};
    case CallCost::kElements: {
      const auto& type = *node.parts[0].type;
      if (type.kind != Kind::kList) return {.cost = traversed(0, 1)};
      const bool has_texts = type.element && is_text(*type.element);
      const auto each = has_texts ? plus(1, scaled(item_size(a[0]).most, kTraversal)) : 1;
      return {.cost = times(size(0).most, each)};
    }
    case CallCost::kText:
      return {.cost = traversed(0, 1), .size = size(0)};
    case CallCost::kParse:
    case CallCost::kFormat:
      return {.cost = traversed(0, 1)};
    case CallCost::kParseTwice:
      return {.cost = traversed(0, 2)};
    case CallCost::kReplace:
      return {.cost = traversed(0, 2), .size = replaced_size(size(0), size(1), size(2))};
    case CallCost::kSplit:
      return {.cost = traversed(0, 2),
              .size = Size{0, a.size() > 2 ? literal_number(node.parts[2], size(0).most) : size(0).most}};
    case CallCost::kJoin: {
      const auto count = size(0);
      Size text{0, 0};
      if (node.parts[0].type->kind == Kind::kList) text = product(count, item_size(a[0]));
      const Size separators{count.least > 0 ? count.least - 1 : 0, count.most > 0 ? count.most - 1 : 0};
      if (a.size() > 1) text = total(text, product(size(1), separators));
      return {.cost = scaled(text.most, kTraversal), .size = text};
    }
    case CallCost::kFind:
      return {.cost = pattern_cost(size(0).most, size(1).most), .size = Size{0, size(0).most}};
    case CallCost::kMatch:
      return {.cost = pattern_cost(size(0).most, size(1).most)};
    case CallCost::kContains:
      return {.cost = times(traversed(0, 1), traversed(1, 1))};
    case CallCost::kAffix:
      return {.cost = traversed(1, 1)};
    case CallCost::kQuote:
      return {.cost = traversed(0, 1), .size = Size{size(0).least + 2, plus(times(size(0).most, 2), 2)}};
    case CallCost::kToBytes:
      return {.cost = traversed(0, 1), .size = Size{size(0).least, times(size(0).most, 4)}};
    case CallCost::kFromBytes:
      return {.cost = traversed(0, 1), .size = Size{size(0).least / 4, size(0).most}};
    case CallCost::kMembership:
      return {.cost = size(1).most};
    case CallCost::kOrder:
      if (!is_text_or_dyn(node.parts[0]) || !is_text_or_dyn(node.parts[1])) return {.cost = 1};
      return {.cost = scaled(std::min(size(0).most, size(1).most), kTraversal)};
    case CallCost::kEquality:
      return {.cost = equality_cost(node, size(0), size(1))};
    case CallCost::kTexts:
      return {.cost = scaled(total(size(0), size(1)).most, kTraversal), .size = total(size(0), size(1))};
    case CallCost::kLists:
      return {.cost = 1, .size = total(size(0), size(1)), .entries = joined(a[0].entries, a[1].entries)};
    case CallCost::kIndex:
      return {.cost = 1,
              .size = a[0].entries ? std::optional(a[0].entries->value) : std::nullopt,
              .path = step(a[0].path, "@items")};
    case CallCost::kDyn:
      return {.cost = 1, .size = a[0].size, .entries = a[0].entries};
    case CallCost::kContainsAddress:
    case CallCost::kContainsAddressText:
      return {.cost = range_cost(16, false, overload.cost == CallCost::kContainsAddress ? 0 : size(1).most)};
    case CallCost::kContainsRange:
    case CallCost::kContainsRangeText:
      return {.cost = range_cost(16, true, overload.cost == CallCost::kContainsRange ? 0 : size(1).most)};
    case CallCost::kValidate:
      return {.cost = scaled(traversed(1, 1), kNamePattern)};
    case CallCost::kSets:
      return {.cost = plus(product(size(0), size(1)).most, 1)};
    case CallCost::kSetsTwice:
      return {.cost = plus(scaled(product(size(0), size(1)).most, 2), 1)};
    case CallCost::kSlice: {
      const auto end = literal_number(node.parts[2], size(0).most);
      const auto count = end - literal_number(node.parts[1], 0);
      return list_call(1, {count, count});
    }
    case CallCost::kRange: {
      const auto count = literal_number(node.parts[0], kMostCost);
      return list_call(1, {count, count});
    }
    case CallCost::kReverse:
      return list_call(1, size(0));
    case CallCost::kFlatten:
      return list_call(a.size() > 1 ? static_cast<double>(literal_number(node.parts[1], kMostCost)) : 1, size(0));
    case CallCost::kSort:
    case CallCost::kSortBy: {
      const auto& list = overload.cost == CallCost::kSort ? node.parts[0].type : node.parts[1].type;
      const bool has_texts = overload.name != std::string_view("distinct") && list->element && is_text(*list->element);
      const auto count = size(overload.cost == CallCost::kSort ? 0 : 1);
      return list_call(has_texts ? 2 + kTraversal : 2, product(count, count));
    }
    default:
      return {.cost = 1};
  }
}

Estimate Estimator::call(const Node& node) {
  std::vector<Estimate> arguments;
  for (const auto& part : node.parts) arguments.push_back(visit(part));
  if (node.kind == NodeKind::kChoice) {
    return {.cost = plus(arguments[0].cost, std::max(arguments[1].cost, arguments[2].cost)),
            .size = joined(arguments[1].known_size(), arguments[2].known_size()),
            .entries = joined(arguments[1].entries, arguments[2].entries)};
  }
  Estimate made;
  for (const auto* overload : node.overloads) {
    auto one = call_of(*overload, node, arguments);
    made.cost = std::max(made.cost, one.cost);
    if (one.size) made.size = made.size ? joined(*made.size, *one.size) : *one.size;
    if (one.entries) made.entries = one.entries;
    if (one.path.is_set) made.path = one.path;
  }
  for (const auto& argument : arguments) made.cost = plus(made.cost, argument.cost);
  return made;
}

void Estimator::push_single(const Node& node, const Estimate& range, const Type& type) {
  const bool is_list = range.entries ? range.entries->is_list : type.kind == Kind::kList;
  std::optional<Size> size;
  if (range.entries) size = is_list ? range.entries->value : range.entries->key;
  locals_.push_back({node.variable, step(range.path, is_list ? "@items" : "@keys"), size, std::nullopt});
}

// The costs of the expressions of a turn; `last` is the estimate of its result.
std::uint64_t Estimator::parts_in_scope(const Node& node, const Estimate& range, Estimate& last) {
  const auto outer = locals_.size();
  const auto& type = *node.parts[0].type;
  if (node.second_variable.empty()) {
    push_single(node, range, type);
  } else {
    const bool is_list = range.entries ? range.entries->is_list : type.kind == Kind::kList;
    const auto key = range.entries ? std::optional(range.entries->key) : std::nullopt;
    const auto value = range.entries ? std::optional(range.entries->value) : std::nullopt;
    locals_.push_back({node.variable, step(range.path, is_list ? "@indices" : "@keys"), key, std::nullopt});
    locals_.push_back({node.second_variable, step(range.path, "@items"), value, std::nullopt});
  }
  std::uint64_t cost = 0;
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    last = visit(node.parts[i]);
    cost = plus(cost, last.cost);
  }
  if (node.kind == NodeKind::kFilter) {
    last = visit({.kind = NodeKind::kName, .name = node.variable, .type = dyn_type()});
  }
  locals_.resize(outer);
  return cost;
}

// The turns of a macro over a range whose cost is not included.
Estimate Estimator::loop(const Node& node, const Estimate& range) {
  Estimate last;
  const auto each = plus(parts_in_scope(node, range, last), step_cost(node, true));
  Estimate made{.cost = times(range.known_size().most, each)};
  switch (node.kind) {
    case NodeKind::kAll:
    case NodeKind::kExists:
      made.cost = plus(made.cost, 1);
      break;
    case NodeKind::kExistsOne:
      made.cost = plus(made.cost, 2);
      break;
    case NodeKind::kTransformMap:
    case NodeKind::kTransformEntry:
      made.cost = plus(made.cost, kMapCost + 1);
      made.size = range.known_size();
      break;
    default:
      made.cost = plus(made.cost, kListCost + 1);
      made.size = range.known_size();
      made.entries = Entries{.value = joined({0, 0}, last.known_size())};
  }
  return made;
}

Estimate Estimator::macro(const Node& node) {
  const auto range = visit(node.parts[0]);
  auto made = loop(node, range);
  made.cost = plus(made.cost, range.cost);
  return made;
}

// list.sortBy(x, key) is bind(l, list, l.@sortByAssociatedKeys(l.map(x, key))).
Estimate Estimator::sort_by(const Node& node) {
  const auto range = visit(node.parts[0]);
  const auto keys = loop(node, range);
  const bool has_texts = is_text_or_dyn(node.parts[1]);
  auto made = list_call(has_texts ? 2 + kTraversal : 2, product(keys.known_size(), keys.known_size()));
  made.cost = plus(plus(made.cost, kListCost + 2), plus(range.cost, keys.cost));
  return made;
}

// x.optMap(v, e) is x.hasValue() ? optional.of(bind(v, x.value(), e)) : optional.none().
Estimate Estimator::optional_map(const Node& node) {
  const auto target = visit(node.parts[0]);
  const auto& type = node.parts[0].type;
  const bool is_number = type->element && is_scalar(*type->element);
  locals_.push_back({node.variable, {}, is_number ? std::optional(Size{1, 1}) : std::nullopt, std::nullopt});
  const auto inner = visit(node.parts[1]);
  locals_.pop_back();
  const auto bound = plus(plus(kListCost + 1, target.cost), inner.cost);
  const bool is_flat = node.kind == NodeKind::kOptionalFlatMap;
  return {.cost = plus(plus(target.cost, 1), plus(bound, is_flat ? 0 : 1))};
}

}  // namespace

std::uint64_t estimated_cost(const Expression& checked, const std::vector<Variable>& variables) {
  return Estimator(variables).visit(checked).cost;
}

}  // namespace keelson::cel
