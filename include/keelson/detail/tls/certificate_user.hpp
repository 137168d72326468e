// The interface between a server and the source of its certificate: CertifiedServer implements it, and
// certificate_files.hpp, memory_certificate.hpp and room webhook call it.
#pragma once

#include "keelson/base/result.hpp"
#include "keelson/detail/tls/options.hpp"

namespace keelson::tls {

class CertificateUser {
 public:
  virtual ~CertificateUser() = default;
  // Uses the certificate for new connections; existing connections continue with theirs. Fails with kInvalid if the
  // certificate or key is invalid, and with kTransport if the server cannot listen on its address. After a failure the
  // former certificate stays in use, and the source should try again.
  [[nodiscard]] virtual Result<void> use(ServerTls tls) = 0;
  // Reports why there is no certificate yet. The readiness check shows the reason.
  virtual void wait_because(const Error& reason) = 0;
  // Reports the end of each attempt to read, renew or publish the certificate, also while one is in use: null if it
  // succeeded. For pages; by default it has no effect.
  virtual void note_attempt(const Error* problem) { static_cast<void>(problem); }
};

}  // namespace keelson::tls
