#include "keelson/detail/tls/sha256.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace keelson;

namespace {

std::string hex(const tls::Sha256& digest) {
  std::string out;
  for (auto byte : digest) {
    out += "0123456789abcdef"[byte >> 4U];
    out += "0123456789abcdef"[byte & 0xFU];
  }
  return out;
}

}  // namespace

TEST_CASE("SHA-256 returns the digests of the standard's examples") {
  CHECK(hex(tls::sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(tls::sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
