// The path of a value in an object, as a linked list on the stack: it becomes a text only for an error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::kube {

class FieldPath {
 public:
  explicit FieldPath(std::string_view root) : name_(root), step_(Step::kMember) {}

  [[nodiscard]] FieldPath member(std::string_view name) const { return {this, name, 0, Step::kMember}; }
  [[nodiscard]] FieldPath index(std::size_t index) const { return {this, {}, index, Step::kIndex}; }
  [[nodiscard]] FieldPath key(std::string_view key) const { return {this, key, 0, Step::kKey}; }

  // "spec.ports[2].name", "metadata.labels[app]": as the API server writes it; "<root>" for the whole object.
  [[nodiscard]] std::string text() const;

 private:
  enum class Step { kMember, kIndex, kKey };
  FieldPath(const FieldPath* parent, std::string_view name, std::size_t index, Step step)
      : parent_(parent), name_(name), index_(index), step_(step) {}
  void append_to(std::string& out) const;

  const FieldPath* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = 0;
  Step step_;
};

}  // namespace keelson::kube
