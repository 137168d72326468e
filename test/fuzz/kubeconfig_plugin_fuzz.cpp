// Any bytes as the output of an exec plugin: an error that does not quote them, or a credential that fits a header.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/kubeconfig/exec_credential.hpp"

namespace {
using namespace keelson;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view output(reinterpret_cast<const char*>(data), size);
  auto credential = kube::parse_exec_credential(output, "client.authentication.k8s.io/v1");
  if (!credential) {
    KEELSON_ASSERT(!credential.error().text.empty());
    return 0;
  }
  KEELSON_ASSERT(net::is_header_value(credential->token));
  KEELSON_ASSERT(credential->certificate_pem.empty() == credential->key_pem.empty());
  KEELSON_ASSERT(!credential->token.empty() || !credential->key_pem.empty());
  return 0;
}
