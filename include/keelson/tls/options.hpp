// The TLS settings of a client and of a server, as PEM texts.
#pragma once

#include <optional>
#include <string>

namespace keelson::tls {

// The TLS settings of a client; all certificates and keys are PEM texts, not paths. TLS 1.2 is the minimum, with the
// cipher suites that Go enables by default.
struct TlsOptions {
  // The trusted CAs. Absent: those of the system, from SSL_CERT_FILE and SSL_CERT_DIR or the paths that Go's
  // crypto/x509 tries. An empty text trusts no server.
  std::optional<std::string> ca_pem;
  // The client certificate with its chain, and its key: both or neither, else kInvalid.
  std::string certificate_pem;
  std::string key_pem;
  std::string server_name;            // for SNI and verification; empty: the host of the URL
  bool insecure_skip_verify = false;  // accepts every certificate; anyone on the network path can then read the token
};

// The certificate of a server, as PEM.
struct ServerTls {
  std::string certificate_pem;  // leaf first, then the chain
  std::string key_pem;
  std::string client_ca_pem;  // not empty: a client certificate is required and verified
};

}  // namespace keelson::tls
