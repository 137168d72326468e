// The current path of a check in an object, and its findings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

// A step from the enclosing value; the first step is the whole value. It lives as long as the check of its value.
struct Place {
  const Place* outer = nullptr;
  std::string_view name = {};
  std::size_t index = 0;
  bool is_index = false;

  // "spec.ports[0].name"
  [[nodiscard]] std::string text() const;
};

struct Finding {
  FieldError error;
  bool is_plain = false;  // reported for the whole value
};

struct Findings {
  std::vector<Finding> errors;
  std::size_t matches = 0;  // performed checks: if all alternatives fail, the one with the most is reported

  [[nodiscard]] bool is_full() const;
  void merge(Findings other);
  void add(Finding finding);
  void add_plain(const std::string& text);
  void add_required(const Place& place);
  void add_forbidden_property(const Place& place, const std::string& name);
  // `Invalid value: "x": spec.name` and the rest.
  void add_invalid(const Place& place, const Tree& value, const std::string& rest,
                   FieldReason reason = FieldReason::kInvalid);
};

}  // namespace keelson::sandbox
