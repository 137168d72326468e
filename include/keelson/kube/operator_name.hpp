// The name of an operator, and the names in a cluster that follow from it.
//
// It is the field manager of everything that the operator writes, so it identifies the operator for the cluster: two
// operators with different names that apply fields of one object do not remove each other's.
#pragma once

#include <string>
#include <string_view>

namespace keelson::kube {

class OperatorName {
 public:
  // "keelson", the operator with the built-in controllers.
  OperatorName();
  // A DNS label of at most limits::kOperatorNameBytes characters that begins with a letter, so that it can be the name
  // of a Service. Throws base::Misuse.
  explicit OperatorName(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool is_keelson() const;
  // "greeter" and "manager" make "greeter-manager".
  [[nodiscard]] std::string with(std::string_view suffix) const;
  // The name of an annotation: "keelson.dev/applied-hash" of keelson, "greeter.keelson.dev/applied-hash" of another.
  [[nodiscard]] std::string annotation(std::string_view key) const;

 private:
  std::string text_;
};

}  // namespace keelson::kube
