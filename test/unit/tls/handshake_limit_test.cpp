#include "keelson/detail/tls/handshake_limit.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using keelson::tls::HandshakeLimit;

namespace {

constexpr std::size_t kLimit = 1000;
constexpr char kHandshake = 22;
constexpr char kChangeCipherSpec = 20;
constexpr char kEncrypted = 23;

std::string record(char type, const std::string& payload) {
  return std::string{type, 3, 3, static_cast<char>(payload.size() >> 8), static_cast<char>(payload.size())} + payload;
}

// A ClientHello that announces `announced` bytes and has `brought`.
std::string hello(std::size_t announced, std::size_t brought) {
  return std::string{1, static_cast<char>(announced >> 16), static_cast<char>(announced >> 8),
                     static_cast<char>(announced)} +
         std::string(brought, 'x');
}

std::string by_the_byte(const std::string& message) {
  std::string records;
  for (char byte : message) records += record(kHandshake, std::string(1, byte));
  return records;
}

// The number of bytes that are accepted, one at a time, before the limit rejects one.
std::size_t taken(const std::string& bytes, bool is_tls13 = true) {
  HandshakeLimit limit(kLimit);
  std::size_t count = 0;
  for (const char& byte : bytes) {
    if (!limit.takes({&byte, 1}, is_tls13)) break;
    ++count;
  }
  return count;
}

bool all_taken(const std::string& bytes, bool is_tls13 = true) { return taken(bytes, is_tls13) == bytes.size(); }

}  // namespace

TEST_CASE("a handshake may have as many bytes as the limit") {
  CHECK(all_taken(record(kHandshake, hello(kLimit - 9, kLimit - 9))));
  CHECK(all_taken(record(kHandshake, hello(200, 200)) + record(kHandshake, hello(300, 300))));
  CHECK(taken(std::string(2 * kLimit, '\0')) == kLimit);
  CHECK(taken(record(kEncrypted, std::string(2 * kLimit, 'x'))) == kLimit);
}

TEST_CASE("a message that announces more than the limit is rejected with the last byte of its size") {
  CHECK(taken(record(kHandshake, hello(kLimit + 1, 0))) == 8);
  CHECK(taken(record(kHandshake, hello(0xffffff, 0))) == 8);
  CHECK(taken(by_the_byte(hello(131'000, 100))) == 3 * 6 + 5);
  CHECK(taken(record(kHandshake, hello(100, 100) + hello(131'000, 0))) == 5 + 104 + 3);
  CHECK(taken(record(kHandshake, "") + record(kHandshake, hello(0, 0) + hello(131'000, 0))) == 5 + 5 + 4 + 3);
}

TEST_CASE("a second ClientHello of TLS 1.3 is read behind a ChangeCipherSpec, encrypted bytes are not") {
  auto first = record(kHandshake, hello(100, 100)) + record(kChangeCipherSpec, "\x01");
  auto second = record(kHandshake, hello(131'000, 0));

  CHECK(taken(first + second, true) == first.size() + 8);
  CHECK(all_taken(first + second, false));
  CHECK(all_taken(first + record(kEncrypted, hello(131'000, 0)), true));
}
