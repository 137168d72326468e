// Any bytes as a kubeconfig: an error or a connection, and no credentials for a server without TLS.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "src/kubeconfig/kubeconfig.hpp"

namespace {

using namespace keelson;

// Files exist if their name is short, and are empty.
Result<std::optional<std::string>> read_file(const std::string& path) {
  if (path.size() > 16) return std::optional<std::string>();
  return std::optional<std::string>("content of " + path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto config = kube::parse_kubeconfig(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!config) return 0;

  kube::resolve_paths(*config, "/etc/kubernetes");
  kube::Kubeconfig merged;
  kube::merge_under(merged, kube::Kubeconfig(*config));
  KEELSON_ASSERT(merged.users.size() == config->users.size());
  auto connection = kube::resolve_connection(*config, read_file);
  if (!connection) {
    KEELSON_ASSERT(!connection.error().text.empty());
    return 0;
  }
  KEELSON_ASSERT(!connection->server.empty());
  KEELSON_ASSERT(connection->url.origin.tls || connection->token.empty());
  return 0;
}
