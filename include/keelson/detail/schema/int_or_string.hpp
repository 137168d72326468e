// A number or a text where the API accepts both (intstr.IntOrString): a port by number or name, "25%" or 3 replicas.
//
// A field type for described structs. It retains the form that it was read in, so that an apply does not change 80 to
// "80".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

// Converts from numbers and texts, so that `service_port.target_port = "http"` works.
class IntOrString {
 public:
  IntOrString() = default;  // 0
  IntOrString(std::int32_t number) : value_(number) {}
  IntOrString(std::string text) : value_(std::move(text)) {}
  IntOrString(const char* text) : value_(std::string(text)) {}

  // The schema of Kubernetes' own fields of this type.
  static constexpr std::string_view kSchema =
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true})";
  static constexpr std::string_view kExpected = "a string or a whole number of 32 bits";

  // kMalformed for anything except a string and a whole number of 32 bits.
  [[nodiscard]] static Result<IntOrString> read(json::View view);
  // As a JSON number or string.
  void write(json::Writer& writer) const;

  [[nodiscard]] bool is_number() const { return value_.index() == 0; }
  // The number, even if it is a text ("8080"); 0 for any other text, as apimachinery's IntValue. A percentage is 0: use
  // text().
  [[nodiscard]] std::int32_t number() const;
  // The text, or the number in decimal.
  [[nodiscard]] std::string text() const;

  // 80 and "80" differ, as they do for the API server.
  bool operator==(const IntOrString&) const = default;

 private:
  std::variant<std::int32_t, std::string> value_;
};

}  // namespace keelson::kube
