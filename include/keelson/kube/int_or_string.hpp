// A number or a text where the API takes either: ports by number or name, "25%" or 3 replicas.
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

class IntOrString {
 public:
  IntOrString() = default;  // 0
  IntOrString(std::int32_t number) : value_(number) {}
  IntOrString(std::string text) : value_(std::move(text)) {}
  IntOrString(const char* text) : value_(std::string(text)) {}

  static constexpr std::string_view kSchema =
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true})";
  static constexpr std::string_view kExpected = "a string or a whole number of 32 bits";

  // Fails on anything but a string and a whole number of 32 bits.
  [[nodiscard]] static Result<IntOrString> read(json::View view);
  void write(json::Writer& writer) const;

  [[nodiscard]] bool is_number() const { return value_.index() == 0; }
  // The number, also one that is written as a text ("8080"); 0 for other texts, as IntValue of apimachinery.
  [[nodiscard]] std::int32_t number() const;
  // The text, or the number as one.
  [[nodiscard]] std::string text() const;

  // 80 and "80" are different.
  bool operator==(const IntOrString&) const = default;

 private:
  std::variant<std::int32_t, std::string> value_;
};

}  // namespace keelson::kube
