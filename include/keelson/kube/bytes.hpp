// Bytes that are base64 in JSON: the values of a Secret, a CA bundle.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "keelson/base/result.hpp"

namespace keelson::json {
class View;
class Writer;
}  // namespace keelson::json

namespace keelson::kube {

struct Bytes {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"byte"})";
  static constexpr std::string_view kExpected = "a string in base64";

  Bytes() = default;
  Bytes(std::string raw) : bytes(std::move(raw)) {}
  Bytes(const char* raw) : bytes(raw) {}

  [[nodiscard]] static Result<Bytes> read(json::View view);
  void write(json::Writer& writer) const;
  [[nodiscard]] bool empty() const { return bytes.empty(); }
  bool operator==(const Bytes&) const = default;

  std::string bytes;  // not in base64
};

}  // namespace keelson::kube
