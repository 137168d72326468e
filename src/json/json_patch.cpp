#include <algorithm>

#include "keelson/detail/json/json_pointer.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/patch.hpp"
#include "src/json/tree_size.hpp"

namespace keelson::json {
namespace {

// Applies operations one after another to a tree of its own.
class Patcher {
 public:
  explicit Patcher(Tree tree) : tree_(std::move(tree)) {}

  // The problem, or an empty text on success.
  std::string apply(View operation);
  [[nodiscard]] std::string text() const { return tree_.text(); }

 private:
  std::string add(const Pointer& path, Tree value);
  std::string remove(const Pointer& path);
  std::string replace(const Pointer& path, Tree value);
  std::string move(const Pointer& from, const Pointer& path);
  std::string copy(const Pointer& from, const Pointer& path);
  std::string test(const Pointer& path, View value);

  // The node at the first `steps` steps of the pointer, or null.
  Tree* find(const Pointer& path, std::size_t steps);
  Tree* find(const Pointer& path) { return find(path, path.size()); }

  Tree tree_;
  std::size_t copied_memory_ = 0;
};

constexpr const char* kNoPath = "the path does not exist";
constexpr const char* kDiffers = "the value differs";

bool is_too_deep(const Pointer& path, const Tree& value) { return path.size() + depth_of(value) > limits::kJsonDepth; }

}  // namespace

Result<std::string> json_patch(std::string_view target, std::string_view operations) {
  auto document = Document::parse(target);
  if (!document) return std::move(document).error().with_context("JSON patch: the target");
  auto patch = Document::parse(operations);
  if (!patch) return std::move(patch).error().with_context("JSON patch");
  if (!patch->root().is_array()) return malformed_error("JSON patch: not an array of operations");
  if (patch->root().size() > limits::kJsonPatchOperations) return invalid_error("JSON patch: too many operations");

  Patcher patcher(Tree::from(document->root()));
  std::size_t number = 0;
  for (const View operation : patch->root().items()) {
    const std::string problem = patcher.apply(operation);
    if (!problem.empty()) {
      auto error = invalid_error("JSON patch: operation " + std::to_string(number) + " (" +
                                 std::string(operation.find("op").string().value_or("?")) + " " +
                                 std::string(operation.find("path").string().value_or("?")) + "): " + problem);
      if (problem == kDiffers) error.kind = Error::Kind::kSuperseded;
      return error;
    }
    ++number;
  }
  std::string patched = patcher.text();
  if (patched.size() > limits::kObjectBytes) return invalid_error("JSON patch: the result is too large");
  return patched;
}

namespace {

std::string Patcher::apply(View operation) {
  const auto op = operation.find("op").string();
  const auto path_text = operation.find("path").string();
  if (!op || !path_text) return "\"op\" and \"path\" are required";
  const auto path = parse_pointer(*path_text);
  if (!path) return "\"path\" is not a JSON pointer";
  if (*op == "remove") return remove(*path);

  if (*op == "move" || *op == "copy") {
    const auto from_text = operation.find("from").string();
    if (!from_text) return "\"from\" is required";
    const auto from = parse_pointer(*from_text);
    if (!from) return "\"from\" is not a JSON pointer";
    return *op == "move" ? move(*from, *path) : copy(*from, *path);
  }
  const View value = operation.find("value");
  if (*op != "add" && *op != "replace" && *op != "test") return "unknown operation";
  if (value.is_absent()) return "\"value\" is required";
  if (*op == "test") return test(*path, value);
  return *op == "add" ? add(*path, Tree::from(value)) : replace(*path, Tree::from(value));
}

std::string Patcher::add(const Pointer& path, Tree value) {
  if (is_too_deep(path, value)) return "the result is nested too deep";
  if (path.empty()) {
    tree_ = std::move(value);
    return {};
  }
  Tree* const parent = find(path, path.size() - 1);
  const std::string& last = path.back();
  if (parent != nullptr && parent->is_object()) {
    (*parent)[last] = std::move(value);
    return {};
  }
  if (parent == nullptr || !parent->is_array()) return kNoPath;
  auto& items = parent->items();
  const auto index = last == "-" ? items.size() : parse_index(last).value_or(items.size() + 1);
  if (index > items.size()) return kNoPath;
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(index), std::move(value));
  return {};
}

std::string Patcher::remove(const Pointer& path) {
  if (path.empty()) return "the whole value cannot be removed";
  if (find(path) == nullptr) return kNoPath;
  Tree* const parent = find(path, path.size() - 1);
  if (parent->is_object()) {
    parent->erase(path.back());
  } else {
    parent->items().erase(parent->items().begin() + static_cast<std::ptrdiff_t>(*parse_index(path.back())));
  }
  return {};
}

std::string Patcher::replace(const Pointer& path, Tree value) {
  if (is_too_deep(path, value)) return "the result is nested too deep";
  Tree* const node = find(path);
  if (node == nullptr) return kNoPath;
  *node = std::move(value);
  return {};
}

std::string Patcher::move(const Pointer& from, const Pointer& path) {
  Tree* const node = find(from);
  if (node == nullptr) return "\"from\" does not exist";
  if (from == path) return {};
  const bool is_into_itself = path.size() > from.size() && std::equal(from.begin(), from.end(), path.begin());
  if (is_into_itself) return "a value cannot be moved into itself";
  Tree value = *node;
  std::string problem = remove(from);
  return problem.empty() ? add(path, std::move(value)) : problem;
}

std::string Patcher::copy(const Pointer& from, const Pointer& path) {
  const Tree* const node = find(from);
  if (node == nullptr) return "\"from\" does not exist";
  // Each copy of a copy doubles the size, so memory is counted before it is allocated.
  copied_memory_ += memory_of(*node);
  if (copied_memory_ > kTreeMemory) return "the copies are too large";
  return add(path, *node);
}

std::string Patcher::test(const Pointer& path, View value) {
  const Tree* const node = find(path);
  if (node == nullptr) return kNoPath;
  const auto found = Document::parse(node->text());
  return found && equal(found->root(), value) ? std::string() : kDiffers;
}

Tree* Patcher::find(const Pointer& path, std::size_t steps) {
  Tree* node = &tree_;
  for (std::size_t i = 0; i < steps && node != nullptr; ++i) {
    if (node->is_object()) {
      node = node->find(path[i]);
    } else {
      const auto index = node->is_array() ? parse_index(path[i]) : std::nullopt;
      node = index && *index < node->items().size() ? &node->items()[*index] : nullptr;
    }
  }
  return node;
}

}  // namespace
}  // namespace keelson::json
