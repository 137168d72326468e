// A TLS 1.3 client that encrypts its own records once the handshake is complete: of any type and with any content, also
// such that OpenSSL would not send. OpenSSL does the handshake and reads the server's records.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/detail/base/assert.hpp"

namespace keelson::fuzz {

constexpr unsigned char kAlert = 21;
constexpr unsigned char kHandshake = 22;
constexpr unsigned char kData = 23;

class TlsPeer {
 public:
  // The context of all peers; they do not verify the server's certificate.
  static SSL_CTX* context() {
    static SSL_CTX* const made = [] {
      auto* context = ::SSL_CTX_new(::TLS_client_method());
      ::SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
      KEELSON_ASSERT(::SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") == 1);
      KEELSON_ASSERT(SSL_CTX_set1_groups_list(context, "X25519") == 1);
      ::SSL_CTX_set_keylog_callback(context, note_secret);
      return context;
    }();
    return made;
  }

  TlsPeer() : ssl_(::SSL_new(context())) {
    SSL_set_app_data(ssl_.get(), this);
    ::SSL_set_connect_state(ssl_.get());
    ::SSL_set_bio(ssl_.get(), ::BIO_new(::BIO_s_mem()), ::BIO_new(::BIO_s_mem()));
  }
  TlsPeer(const TlsPeer&) = delete;
  TlsPeer& operator=(const TlsPeer&) = delete;
  ~TlsPeer() = default;

  // Continues the handshake with the data of take(); true when it is complete. give() returns the data to send.
  [[nodiscard]] bool shake() { return ::SSL_do_handshake(ssl_.get()) == 1; }
  [[nodiscard]] bool is_open() const { return ::SSL_is_init_finished(ssl_.get()) == 1; }
  void take(std::string_view bytes) {
    if (bytes.empty()) return;
    ::BIO_write(::SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
  }
  [[nodiscard]] std::string give() {
    std::string text(static_cast<std::size_t>(BIO_pending(::SSL_get_wbio(ssl_.get()))), '\0');
    if (!text.empty()) ::BIO_read(::SSL_get_wbio(ssl_.get()), text.data(), static_cast<int>(text.size()));
    return text;
  }

  // The data that the server has sent.
  [[nodiscard]] std::string read() {
    std::string text;
    std::array<char, 4096> buffer{};
    std::size_t got = 0;
    while (::SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &got) == 1) text.append(buffer.data(), got);
    return text;
  }

  // A record. After a KeyUpdate message the next record needs the next keys.
  [[nodiscard]] std::string seal(unsigned char type, std::string_view content) {
    std::string inner(content);
    inner += static_cast<char>(type);
    const auto length = inner.size() + kTagBytes;
    std::string record = {kData, 3, 3, static_cast<char>(length >> 8), static_cast<char>(length)};
    auto nonce = iv_;
    for (std::size_t i = 0; i < 8; ++i) nonce.at(11 - i) ^= static_cast<char>(sequence_ >> (8 * i));
    ++sequence_;
    encrypt(nonce, record, inner);
    return record;
  }
  void use_next_keys() { use_secret(expand(secret_, "traffic upd", secret_.size())); }

 private:
  static constexpr std::size_t kTagBytes = 16;
  template <auto free>
  struct Free {
    template <class T>
    void operator()(T* p) const {
      free(p);
    }
  };

  static void note_secret(const SSL* ssl, const char* text) {
    constexpr std::string_view kLabel = "CLIENT_TRAFFIC_SECRET_0 ";
    std::string_view line(text);
    if (!line.starts_with(kLabel)) return;
    line.remove_prefix(line.rfind(' ') + 1);
    std::string secret;
    for (; line.size() >= 2; line.remove_prefix(2)) {
      secret += static_cast<char>(::OPENSSL_hexchar2int(static_cast<unsigned char>(line[0])) << 4 |
                                  ::OPENSSL_hexchar2int(static_cast<unsigned char>(line[1])));
    }
    static_cast<TlsPeer*>(SSL_get_app_data(ssl))->use_secret(secret);
  }

  void use_secret(std::string secret) {
    secret_ = std::move(secret);
    key_ = expand(secret_, "key", 16);
    iv_ = expand(secret_, "iv", 12);
    sequence_ = 0;
  }

  // HKDF-Expand-Label of RFC 8446, section 7.1, for what fits in one hash.
  static std::string expand(const std::string& secret, std::string_view label, std::size_t bytes) {
    std::string info = {0, static_cast<char>(bytes), static_cast<char>(label.size() + 6)};
    info.append("tls13 ").append(label).append(1, '\0').append(1, '\1');
    std::string out(EVP_MAX_MD_SIZE, '\0');
    unsigned int size = 0;
    ::HMAC(::EVP_sha256(), secret.data(), static_cast<int>(secret.size()), as_bytes(info), info.size(),
           reinterpret_cast<unsigned char*>(out.data()), &size);
    return out.substr(0, bytes);
  }

  void encrypt(const std::string& nonce, std::string& record, const std::string& inner) const {
    const std::unique_ptr<EVP_CIPHER_CTX, Free<::EVP_CIPHER_CTX_free>> cipher(::EVP_CIPHER_CTX_new());
    ::EVP_EncryptInit_ex(cipher.get(), ::EVP_aes_128_gcm(), nullptr, as_bytes(key_), as_bytes(nonce));
    int written = 0;
    ::EVP_EncryptUpdate(cipher.get(), nullptr, &written, as_bytes(record), static_cast<int>(record.size()));
    std::string sealed(inner.size() + kTagBytes, '\0');
    auto* out = reinterpret_cast<unsigned char*>(sealed.data());
    ::EVP_EncryptUpdate(cipher.get(), out, &written, as_bytes(inner), static_cast<int>(inner.size()));
    ::EVP_EncryptFinal_ex(cipher.get(), out + written, &written);
    ::EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagBytes), out + inner.size());
    record += sealed;
  }

  static const unsigned char* as_bytes(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  }

  std::unique_ptr<SSL, Free<::SSL_free>> ssl_;
  std::string secret_;
  std::string key_;
  std::string iv_;
  std::uint64_t sequence_ = 0;
};

}  // namespace keelson::fuzz
