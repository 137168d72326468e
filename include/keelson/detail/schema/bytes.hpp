// Binary data, which is base64 in JSON: the values of a Secret, the caBundle of a webhook.
//
// A field type for described structs. The struct has the raw bytes; base64 exists only in JSON, as for Go's []byte.
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

// Converts from texts, so that `secret.data["password"] = "s3cret"` works. May contain zero bytes.
struct Bytes {
  static constexpr std::string_view kSchema = R"({"type":"string","format":"byte"})";
  static constexpr std::string_view kExpected = "a string in base64";

  Bytes() = default;
  Bytes(std::string raw) : bytes(std::move(raw)) {}
  Bytes(const char* raw) : bytes(raw) {}  // ends at the first zero byte

  // kMalformed for anything except a string, and for a string that is not base64.
  [[nodiscard]] static Result<Bytes> read(json::View view);
  void write(json::Writer& writer) const;  // a string in base64 with padding
  [[nodiscard]] bool empty() const { return bytes.empty(); }
  bool operator==(const Bytes&) const = default;

  std::string bytes;  // decoded
};

}  // namespace keelson::kube
