// Decides whether a TLS handshake may continue, from the bytes that the peer has sent.
//
// OpenSSL allocates the size that a message announces: 131 KB for a ClientHello of which only the size has arrived.
// Therefore this class reads the announced sizes of unencrypted messages first.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace keelson::tls {

// The number of bytes that a client may send until its handshake is complete. Go's ClientHello is 0.3 KB, or 1.7 KB
// with a post-quantum key share; a client certificate (--webhook-client-ca) with its chain has some KiB, four of RSA
// 4096 bits 8 KB.
inline constexpr std::size_t kClientHandshakeBytes = std::size_t{16} << 10;

class HandshakeLimit {
 public:
  explicit HandshakeLimit(std::size_t bytes) : limit_(bytes) {}

  // The next bytes, at most one record at a time. False if there are too many, or if a message announces too many.
  // `is_tls13` is the negotiated version: in TLS 1.2 everything after a ChangeCipherSpec is encrypted, in TLS 1.3 that
  // record has no meaning.
  [[nodiscard]] bool takes(std::span<const char> bytes, bool is_tls13);

 private:
  [[nodiscard]] bool takes_byte(unsigned char byte, bool is_tls13);
  [[nodiscard]] bool takes_message_byte(unsigned char byte);

  std::size_t limit_;
  std::size_t taken_ = 0;
  bool is_encrypted_ = false;
  std::array<unsigned char, 5> record_{};  // type, version, length
  std::size_t record_at_ = 0;
  std::size_t record_left_ = 0;
  std::array<unsigned char, 4> message_{};  // type, length
  std::size_t message_at_ = 0;
  std::size_t message_left_ = 0;
};

}  // namespace keelson::tls
