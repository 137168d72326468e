#include "keelson/detail/json/projection.hpp"

#include <algorithm>

#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/scan.hpp"
#include "src/json/cursor.hpp"

namespace keelson::json {
namespace {

using Node = Projection::Node;
using Path = std::vector<std::string>;

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

const Node* child_of(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.children, name, &Node::name);
  return found == node.children.end() ? nullptr : &*found;
}

Node annotations_node() { return {"annotations", true, {Node{std::string(kLastApplied), false, {}}}}; }
Node metadata_node() { return {"metadata", true, {Node{"managedFields", false, {}}, annotations_node()}}; }

void keep(Node& root, const Path& path);
Node merged_nodes(const Node& left, const Node& right);
template <class Path>
bool covers_path(const Node& root, const Path& path);
template <class Code>
Result<void> project(const Node& root, std::string_view object, std::string& out);

}  // namespace

Projection Projection::everything() { return Projection(Node{"", true, {metadata_node()}}); }

Projection Projection::metadata() { return Projection(Node{"", false, {metadata_node()}}); }

Projection Projection::annotations() {
  return Projection(Node{"", false, {Node{"metadata", false, {annotations_node()}}}});
}

Projection Projection::of(const std::vector<Path>& paths) {
  Node root;
  for (const std::string name : {"apiVersion", "kind"}) keep(root, {name});
  for (const std::string name : {"name", "namespace", "uid", "resourceVersion", "generation", "labels",
                                 "ownerReferences", "deletionTimestamp", "creationTimestamp", "finalizers"}) {
    keep(root, {"metadata", name});
  }
  for (const Path& path : paths) keep(root, path);
  return Projection(std::move(root));
}

bool Projection::covers(std::initializer_list<std::string_view> path) const { return covers_path(root_, path); }

bool Projection::covers(const std::vector<std::string_view>& path) const { return covers_path(root_, path); }

Projection Projection::merged(const Projection& other) const { return Projection(merged_nodes(root_, other.root_)); }

Result<void> Projection::apply(std::string_view object, std::string& out) const {
  return apply(object, out, ScanCode::kFastest);
}

Result<void> Projection::apply(std::string_view object, std::string& out, ScanCode code) const {
  if (code == ScanCode::kScalar) return project<Plain>(root_, object, out);
  return project<Fastest>(root_, object, out);
}

namespace {

void keep(Node& root, const Path& path) {
  Node* node = &root;
  for (const std::string& name : path) {
    if (node->keeps) return;
    auto found = std::ranges::find(node->children, name, &Node::name);
    if (found == node->children.end()) found = node->children.insert(found, Node{name, false, {}});
    node = &*found;
  }
  node->keeps = true;
  node->children.clear();
}

// The node of a member: the child with its name, or a leaf that is treated like the node's other members.
Node answer(const Node& node, const std::string& name) {
  const Node* const child = child_of(node, name);
  return child != nullptr ? *child : Node{name, node.keeps, {}};
}

Node merged_nodes(const Node& left, const Node& right) {
  Node both{left.name, left.keeps || right.keeps, {}};
  const auto add = [&](const std::string& name) {
    if (child_of(both, name) != nullptr) return;
    Node child = merged_nodes(answer(left, name), answer(right, name));
    const bool says_nothing_new = child.children.empty() && child.keeps == both.keeps;
    if (!says_nothing_new) both.children.push_back(std::move(child));
  };
  for (const Node& child : left.children) add(child.name);
  for (const Node& child : right.children) add(child.name);
  return both;
}

template <class Path>
bool covers_path(const Node& root, const Path& path) {
  const Node* node = &root;
  for (const std::string_view name : path) {
    const Node* const child = child_of(*node, name);
    if (child == nullptr) return node->keeps;
    node = child;
  }
  return node->keeps;
}

template <class Code>
class Projector {
 public:
  Projector(std::string_view object, std::string& out) : cursor_(object), out_(out) {}

  Result<void> run(const Node& root) {
    const std::size_t before = out_.size();
    const std::size_t start = cursor_.space(0);
    std::size_t end = kNone;
    if (cursor_.peek(start) != '{') {
      cursor_.fail(start, "expected an object");
    } else {
      end = value(root, start, limits::kJsonDepth);
    }
    if (end != kNone && cursor_.ends_after(end)) return {};
    out_.resize(before);
    return cursor_.error();
  }

 private:
  // Appends the part of the value that the node retains; returns the end of the value.
  std::size_t value(const Node& node, std::size_t at, std::size_t depth_left) {
    const char first = cursor_.peek(at);
    const bool is_container = first == '{' || first == '[';
    if (node.children.empty() || !is_container) return whole(at, depth_left);
    if (depth_left == 0) return cursor_.fail(at, "nested too deep");
    return first == '{' ? members(node, at, depth_left - 1) : items(node, at, depth_left - 1);
  }

  std::size_t whole(std::size_t at, std::size_t depth_left) {
    const std::size_t end = cursor_.check(at, depth_left);
    if (end != kNone) out_ += cursor_.slice(at, end);
    return end;
  }

  std::size_t members(const Node& node, std::size_t at, std::size_t depth_left) {
    out_ += '{';
    const std::size_t first = out_.size();
    const std::size_t end = cursor_.members(at, [&](std::size_t from, std::size_t to, std::size_t value_at) {
      return member(node, {from, to}, value_at, depth_left, out_.size() != first);
    });
    out_ += '}';
    return end;
  }

  struct Name {
    std::size_t from;
    std::size_t to;
  };

  std::size_t member(const Node& node, Name name, std::size_t value_at, std::size_t depth_left, bool needs_comma) {
    const std::string_view body = cursor_.slice(name.from, name.to);
    const Node* const child = find_child(node, body);
    const bool is_dropped = child != nullptr ? is_drop(*child) : !node.keeps;
    if (is_dropped) return cursor_.skip(value_at);
    // Names that are found in the tree are well-formed; others must be validated.
    if (child == nullptr && !is_string_body(body)) return cursor_.fail(name.from, "invalid member name");
    if (needs_comma) out_ += ',';
    out_ += cursor_.slice(name.from - 1, name.to + 1);
    out_ += ':';
    return child != nullptr ? value(*child, value_at, depth_left) : whole(value_at, depth_left);
  }

  std::size_t items(const Node& node, std::size_t at, std::size_t depth_left) {
    out_ += '[';
    const std::size_t first = out_.size();
    const std::size_t end = cursor_.items(at, [&](std::size_t item_at) {
      if (out_.size() != first) out_ += ',';
      return value(node, item_at, depth_left);
    });
    out_ += ']';
    return end;
  }

  static bool is_drop(const Node& node) { return !node.keeps && node.children.empty(); }

  const Node* find_child(const Node& node, std::string_view body) {
    const Node* const child = child_of(node, body);
    if (child != nullptr || body.find('\\') == kNone) return child;
    std::string decoded;
    return decode_string(body, decoded) ? child_of(node, decoded) : nullptr;
  }

  Cursor<Code> cursor_;
  std::string& out_;
};

template <class Code>
Result<void> project(const Node& root, std::string_view object, std::string& out) {
  return Projector<Code>(object, out).run(root);
}

}  // namespace
}  // namespace keelson::json
