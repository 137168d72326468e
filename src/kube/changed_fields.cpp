#include "keelson/detail/kube/object_changes.hpp"
#include "keelson/json/value.hpp"
#include "src/kube/field_path.hpp"

namespace keelson::kube {

namespace {

class Comparison {
 public:
  explicit Comparison(std::size_t limit) : limit_(limit) {}

  void compare(json::View before, json::View after) {
    if (changed_.size() >= limit_ || json::equal(before, after)) return;
    if (before.is_object() && after.is_object() && !is_condition()) return compare_members(before, after);
    if (before.is_array() && after.is_array() && before.size() == after.size()) return compare_items(before, after);
    changed_.push_back(path_);
  }

  [[nodiscard]] std::vector<std::string> take() && { return std::move(changed_); }

 private:
  // Its times and message change along with its status.
  [[nodiscard]] bool is_condition() const { return path_.ends_with(']') && path_.starts_with("status.conditions["); }

  void compare_members(json::View before, json::View after) {
    for (const auto& [name, value] : after.members()) step(name, before.find(name), value);
    for (const auto& [name, value] : before.members()) {
      if (after.find(name).is_absent()) step(name, value, json::View());
    }
  }

  void step(std::string_view name, json::View before, json::View after) {
    if (path_ == "metadata" && is_set_by_server(name)) return;
    // Objects of lists lack them.
    if (path_.empty() && (name == "apiVersion" || name == "kind")) return;
    const auto length = path_.size();
    append_member(path_, name);
    compare(before, after);
    path_.resize(length);
  }

  void compare_items(json::View before, json::View after) {
    for (std::size_t index = 0; index < after.size(); ++index) {
      const auto name = name_of_item(after.item(index));
      const auto length = path_.size();
      path_.append("[").append(name ? std::string(*name) : std::to_string(index)).append("]");
      compare(before.item(index), after.item(index));
      path_.resize(length);
    }
  }

  std::size_t limit_;
  std::string path_;
  std::vector<std::string> changed_;
};

}  // namespace

std::vector<std::string> changed_fields(const Object& before, const Object& after, std::size_t limit) {
  const auto old = json::Document::parse(before.json());
  const auto next = json::Document::parse(after.json());
  if (!old || !next) return {};
  Comparison comparison(limit);
  comparison.compare(old->root(), next->root());
  return std::move(comparison).take();
}

}  // namespace keelson::kube
