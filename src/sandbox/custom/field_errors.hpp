// A list of field errors about values of a tree, at most limits::kFieldErrors.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

class FieldErrors {
 public:
  explicit FieldErrors(std::vector<FieldError>& errors) : errors_(errors) {}

  void required(const std::string& field, const std::string& why = "");
  void forbidden(const std::string& field, const std::string& why);
  void invalid(const std::string& field, const Tree& value, const std::string& why);
  void unsupported(const std::string& field, const Tree& value, const std::string& supported);
  void duplicate(const std::string& field, const Tree& value);

  void add(FieldError error);

  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::vector<FieldError>& list() { return errors_; }

 private:
  std::vector<FieldError>& errors_;
};

}  // namespace keelson::sandbox
