// Writes the fields of a protobuf message.
#pragma once

#include <bit>
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
  ProtobufWriter& bytes(std::uint32_t number, std::string_view value) {
    varint(std::uint64_t{number} << 3U | 2U);
    varint(value.size());
    written_ += value;
    return *this;
  }
  // A negative number as its two's complement.
  ProtobufWriter& number(std::uint32_t number, std::uint64_t value) {
    varint(std::uint64_t{number} << 3U);
    varint(value);
    return *this;
  }
  ProtobufWriter& floating(std::uint32_t number, double value) {
    varint(std::uint64_t{number} << 3U | 1U);
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8U) written_ += static_cast<char>(bits & 0xFFU);
    return *this;
  }
  [[nodiscard]] const std::string& written() const { return written_; }
  [[nodiscard]] std::string take() && { return std::move(written_); }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) written_ += static_cast<char>((value & 0x7FU) | 0x80U);
    written_ += static_cast<char>(value);
  }

  std::string written_;
};

}  // namespace keelson::sandbox
