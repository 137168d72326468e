// Label selectors: what the API server filters by, and the same decision in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

class Selector {
 public:
  struct Requirement {
    enum class Operator { kEquals, kNotEquals, kIn, kNotIn, kExists, kNotExists };
    std::string label;
    Operator op = Operator::kEquals;
    std::vector<std::string> values;
    bool operator==(const Requirement&) const = default;
  };

  Selector() = default;  // matches everything
  [[nodiscard]] static Selector equals(std::vector<std::pair<std::string, std::string>> labels);
  [[nodiscard]] static Selector exists(std::vector<std::string> labels);
  // "app=web,tier in (a,b),!old": kubectl's syntax.
  [[nodiscard]] static Result<Selector> parse(std::string_view text);

  [[nodiscard]] bool matches(const Object& object) const;
  [[nodiscard]] std::string text() const;  // for labelSelector=
  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
  bool operator==(const Selector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace keelson::kube
