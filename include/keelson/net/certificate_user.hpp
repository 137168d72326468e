// Whoever serves with a certificate; the seam between a server and its source of certificates.
#pragma once

#include "keelson/base/result.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::net {

class CertificateUser {
 public:
  virtual ~CertificateUser() = default;
  // For connections made from now on. On an error the old one stays: kInvalid for a bad pair, kTransport when the
  // address cannot be listened on.
  [[nodiscard]] virtual Result<void> use(ServerTls tls) = 0;
  // Why there is none yet, for whoever asks whether we are ready.
  virtual void wait_because(const Error& reason) = 0;
};

}  // namespace keelson::net
