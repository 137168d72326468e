// Writes protobuf messages that consist of strings and other messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace keelson::sandbox {

class ProtobufWriter {
 public:
  // Omits empty values.
  ProtobufWriter& text(std::uint32_t number, std::string_view value) {
    return value.empty() ? *this : bytes(number, value);
  }
  ProtobufWriter& message(std::uint32_t number, const ProtobufWriter& value) { return bytes(number, value.written_); }
  [[nodiscard]] std::string take() && { return std::move(written_); }

 private:
  ProtobufWriter& bytes(std::uint32_t number, std::string_view value) {
    varint(std::uint64_t{number} << 3U | 2U);
    varint(value.size());
    written_ += value;
    return *this;
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) written_ += static_cast<char>((value & 0x7FU) | 0x80U);
    written_ += static_cast<char>(value);
  }

  std::string written_;
};

}  // namespace keelson::sandbox
