// A list of field errors about values of a tree, with a limit.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

class FieldErrors {
 public:
  explicit FieldErrors(std::vector<FieldError>& errors, std::size_t most = limits::kFieldErrors)
      : errors_(errors), most_(most) {}

  void required(const std::string& field, const std::string& why = "");
  void forbidden(const std::string& field, const std::string& why);
  void invalid(const std::string& field, const Tree& value, const std::string& why);
  void unsupported(const std::string& field, const Tree& value, const std::string& supported);
  void duplicate(const std::string& field, const Tree& value);

  void add(FieldError error);

  // There are as many errors as are reported, or they take 4 MiB: an error may have the text of a large list.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::vector<FieldError>& list() { return errors_; }

 private:
  std::vector<FieldError>& errors_;
  std::size_t most_;
  std::size_t bytes_ = 0;
};

}  // namespace keelson::sandbox
