#include "keelson/detail/tls/handshake_limit.hpp"

#include <algorithm>

namespace keelson::tls {

namespace {

// Types of records.
constexpr unsigned char kChangeCipherSpec = 20;
constexpr unsigned char kHandshake = 22;

}  // namespace

bool HandshakeLimit::takes(std::span<const char> bytes, bool is_tls13) {
  return std::ranges::all_of(bytes, [&](char byte) { return takes_byte(static_cast<unsigned char>(byte), is_tls13); });
}

bool HandshakeLimit::takes_byte(unsigned char byte, bool is_tls13) {
  if (++taken_ > limit_) return false;
  if (record_at_ < record_.size()) {
    record_.at(record_at_++) = byte;
    if (record_at_ < record_.size()) return true;
    record_left_ = std::size_t{record_[3]} << 8 | record_[4];
    if (record_left_ == 0) record_at_ = 0;
    if (record_[0] == kChangeCipherSpec && !is_tls13) is_encrypted_ = true;
    return true;
  }
  if (--record_left_ == 0) record_at_ = 0;
  return record_[0] != kHandshake || is_encrypted_ || takes_message_byte(byte);
}

bool HandshakeLimit::takes_message_byte(unsigned char byte) {
  if (message_at_ < message_.size()) {
    message_.at(message_at_++) = byte;
    if (message_at_ < message_.size()) return true;
    message_left_ = std::size_t{message_[1]} << 16 | std::size_t{message_[2]} << 8 | message_[3];
    if (message_left_ == 0) message_at_ = 0;
    return message_left_ <= limit_;
  }
  if (--message_left_ == 0) message_at_ = 0;
  return true;
}

}  // namespace keelson::tls
