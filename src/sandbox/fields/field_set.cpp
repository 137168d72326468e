#include "src/sandbox/fields/field_set.hpp"

#include <algorithm>
#include <iterator>

#include "keelson/json/writer.hpp"

namespace keelson::sandbox {

namespace {

bool steps_before(const FieldNode& one, const FieldNode& other) { return one.step < other.step; }

void merge_node(FieldNode& into, FieldNode from) {
  into.is_member = into.is_member || from.is_member;
  if (from.below.empty()) return;
  for (auto& node : from.below) into.below.push_back(std::move(node));
  into.settle();
}

// Calls `visit` with each pair of children with the same step, until it returns true.
template <class Visit>
bool any_pair(const FieldNode& one, const FieldNode& other, Visit visit) {
  auto left = one.below.begin();
  auto right = other.below.begin();
  while (left != one.below.end() && right != other.below.end()) {
    if (int order = left->step.compare(right->step); order != 0) {
      order < 0 ? ++left : ++right;
    } else if (visit(*left++, *right++)) {
      return true;
    }
  }
  return false;
}

bool have_common_node(const FieldNode& one, const FieldNode& other) {
  if (one.is_member && other.is_member) return true;
  return any_pair(one, other, have_common_node);
}

FieldNode difference_of_nodes(const FieldNode& one, const FieldNode& other) {
  FieldNode left{one.step, one.is_member && !other.is_member};
  for (const auto& node : one.below) {
    const auto* same = other.find(node.step);
    left.add(same == nullptr ? node : difference_of_nodes(node, *same));
  }
  return left;
}

FieldNode intersection_of_nodes(const FieldNode& one, const FieldNode& other) {
  FieldNode common{one.step, one.is_member && other.is_member};
  any_pair(one, other, [&common](const FieldNode& left, const FieldNode& right) {
    common.add(intersection_of_nodes(left, right));
    return false;
  });
  return common;
}

// The members of a level come before the fields below them, as in the API server's conflicts.
bool visit_below(const FieldNode& at, FieldPath& path, const std::function<bool(const FieldPath&)>& visit) {
  for (const auto& node : at.below) {
    if (!node.is_member) continue;
    path.push_back(node.step);
    const bool goes_on = visit(path);
    path.pop_back();
    if (!goes_on) return false;
  }
  for (const auto& node : at.below) {
    path.push_back(node.step);
    const bool goes_on = visit_below(node, path, visit);
    path.pop_back();
    if (!goes_on) return false;
  }
  return true;
}

void add_named_fields(FieldNode& at, const MergeType& type) {
  for (auto& node : at.below) {
    if (node.below.empty()) continue;
    if (node.step[0] == 'f' && type.find(std::string_view(node.step).substr(2)) != nullptr) node.is_member = true;
    add_named_fields(node, type.below(node.step));
  }
}

void insert(FieldNode& at, FieldPath::const_iterator step, FieldPath::const_iterator end) {
  if (step == end) {
    at.is_member = true;
    return;
  }
  FieldNode node{*step};
  insert(node, step + 1, end);
  at.add(std::move(node));
  at.settle();
}

// A key must be valid JSON, because later lookups parse it again.
bool is_step(const std::string& step) {
  if (step.size() < 3 || step[1] != ':') return false;
  if (step[0] == 'f' || step[0] == 'v') return true;
  if (step[0] != 'k') return false;
  auto keys = Tree::parse(step.substr(2));
  return keys && keys->is_object();
}

// A member without members is a leaf; "." means the enclosing entry itself.
void read_v1(const Tree& v1, FieldNode& at) {
  for (const auto& [step, below] : v1.members()) {
    if (step == ".") at.is_member = at.is_member || !at.step.empty();
    if (!is_step(step)) continue;
    FieldNode node{step, below.members().empty()};
    read_v1(below, node);
    at.add(std::move(node));
  }
  at.settle();
}

void write_v1(const FieldNode& at, std::string& text) {
  text += '{';
  const char* separator = "";
  if (at.is_member && !at.below.empty()) {
    text += "\".\":{}";
    separator = ",";
  }
  for (const auto& node : at.below) {
    text += std::exchange(separator, ",");
    json::append_quoted(text, node.step);
    text += ':';
    write_v1(node, text);
  }
  text += '}';
}

}  // namespace

const FieldNode* FieldNode::find(std::string_view name) const {
  auto found = std::ranges::lower_bound(below, name, {}, &FieldNode::step);
  return found != below.end() && found->step == name ? &*found : nullptr;
}

void FieldNode::add(FieldNode node) {
  if (!node.is_empty()) below.push_back(std::move(node));
}

void FieldNode::settle() {
  if (!std::ranges::is_sorted(below, steps_before)) {
    std::ranges::stable_sort(below, steps_before);
  }
  auto same_step = [](const FieldNode& one, const FieldNode& other) { return one.step == other.step; };
  if (std::ranges::adjacent_find(below, same_step) == below.end()) return;
  std::vector<FieldNode> settled;
  for (auto& node : below) {
    if (!settled.empty() && settled.back().step == node.step) {
      merge_node(settled.back(), std::move(node));
    } else {
      settled.push_back(std::move(node));
    }
  }
  below = std::move(settled);
}

FieldSet::FieldSet(std::initializer_list<FieldPath> paths) {
  for (const auto& path : paths) insert(root_, path.begin(), path.end());
}

bool have_common(const FieldSet& one, const FieldSet& other) { return have_common_node(one.root(), other.root()); }

namespace {

FieldNode union_of_nodes(const std::vector<const FieldNode*>& nodes) {
  FieldNode all{nodes.front()->step};
  std::vector<const FieldNode*> below;
  for (const auto* node : nodes) {
    all.is_member = all.is_member || node->is_member;
    for (const auto& part : node->below) below.push_back(&part);
  }
  std::ranges::stable_sort(below, {}, &FieldNode::step);
  for (auto first = below.begin(); first != below.end();) {
    const auto last = std::find_if(first, below.end(), [&](const auto* part) { return part->step != (*first)->step; });
    all.below.push_back(union_of_nodes({first, last}));
    first = last;
  }
  return all;
}

}  // namespace

FieldSet union_of(const std::vector<const FieldSet*>& sets) {
  if (sets.empty()) return {};
  std::vector<const FieldNode*> roots;
  for (const auto* fields : sets) roots.push_back(&fields->root());
  return FieldSet(union_of_nodes(roots));
}

FieldSet union_of(const FieldSet& one, const FieldSet& other) {
  auto root = one.root();
  merge_node(root, other.root());
  return FieldSet(std::move(root));
}

FieldSet difference_of(const FieldSet& one, const FieldSet& other) {
  return FieldSet(difference_of_nodes(one.root(), other.root()));
}

FieldSet intersection_of(const FieldSet& one, const FieldSet& other) {
  return FieldSet(intersection_of_nodes(one.root(), other.root()));
}

bool contains_all(const FieldSet& one, const FieldSet& other) { return difference_of(other, one).empty(); }

void visit_paths(const FieldSet& fields, const std::function<bool(const FieldPath&)>& visit) {
  FieldPath path;
  static_cast<void>(visit_below(fields.root(), path, visit));
}

FieldSet with_named_fields(const FieldSet& fields, const MergeType& type) {
  auto root = fields.root();
  add_named_fields(root, type);
  return FieldSet(std::move(root));
}

std::string fields_v1(const FieldSet& fields) {
  std::string text;
  write_v1(fields.root(), text);
  return text;
}

FieldSet fields_from_v1(const Tree& v1) {
  FieldNode root;
  read_v1(v1, root);
  return FieldSet(std::move(root));
}

const Tree& OwnedFields::v1() const {
  if (kept_->v1.is_null()) kept_->v1 = Tree::raw(fields_v1(kept_->set));
  return kept_->v1;
}

}  // namespace keelson::sandbox
