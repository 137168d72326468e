// The name of an operator, and the names in a cluster that follow from it.
//
// The name is the field manager of everything that the operator writes, so it identifies the operator for the API
// server. Two operators with different names can apply fields of one object without removing each other's fields.
// Renaming an operator is a migration: the former name still owns its fields, until release_fields() releases them.
#pragma once

#include <string>
#include <string_view>

namespace keelson::kube {

class OperatorName {
 public:
  // "keelson", the operator with the built-in controllers.
  OperatorName();
  // A DNS label of at most limits::kOperatorNameBytes (40) characters that begins with a letter, so that it can be the
  // name of a Service. Throws base::Misuse for any other text.
  explicit OperatorName(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Whether it is the default name.
  [[nodiscard]] bool is_keelson() const;
  // "greeter" and "manager" make "greeter-manager".
  [[nodiscard]] std::string with(std::string_view suffix) const;
  // The name of an annotation: "keelson.dev/applied-hash" for keelson, "greeter.keelson.dev/applied-hash" for greeter.
  [[nodiscard]] std::string annotation(std::string_view key) const;

 private:
  std::string text_;
};

}  // namespace keelson::kube
