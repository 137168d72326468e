// The example of include/keelson/tls.
#include <chrono>
#include <string>

#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/detail/tls/options.hpp"

namespace keelson::examples {

// [identity]
// A server certificate for a day, with a CA of its own, which clients must trust.
Result<tls::ServerTls> certificate_for(const std::string& host, async::WallTime now) {
  auto identity = tls::make_serving_certificate({"example CA", {host}, now, now + std::chrono::hours(24)});
  if (!identity) return std::move(identity).error();
  return tls::ServerTls{identity->certificate_pem, identity->key_pem, {}};
}
// [end]

}  // namespace keelson::examples
