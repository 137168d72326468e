// The TLS settings of a client and of a server, as PEM texts.
//
// Overview of room tls, which has certificates, keys and TLS contexts, without HTTP; rooms tls and net are the only
// ones that use OpenSSL:
// - options.hpp: the settings as values. context.hpp: OpenSSL's contexts from them, for net.
// - certificate_files.hpp, memory_certificate.hpp: sources of certificates. Each is a runnable that passes its
//   certificate, and every later one, to a certificate_user.hpp, which is a server.
// - certificate_authority.hpp: creating certificates. client_authority.hpp: signing and verifying those of clients.
//   signing_key.hpp: signing tokens. sha256.hpp: hashing secrets.
// - handshake_limit.hpp: bounds the memory of a handshake.
//
// Ownership: settings, certificates and hashes are values. A source must not outlive its user and its clock.
// Cancellation: only the sources wait; stop() ends them. Everything else is computed at once.
// Errors: kInvalid for PEM that cannot be used; the texts name the file or the setting, and never contain a key.
//
// Example (test/examples/tls.cpp#identity):
//   // A server certificate for a day, with a CA of its own, which clients must trust.
//   Result<tls::ServerTls> certificate_for(const std::string& host, async::WallTime now) {
//     auto identity = tls::make_serving_certificate({"example CA", {host}, now, now + std::chrono::hours(24)});
//     if (!identity) return std::move(identity).error();
//     return tls::ServerTls{identity->certificate_pem, identity->key_pem, {}};
//   }
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
  bool operator==(const TlsOptions&) const = default;
};

// Whether a server verifies the certificates of its clients, if it has CAs for them. kOptional: a client may have none,
// or any; the handshake only proves that it has the key. The handler verifies the certificate of each request
// (client_authority.hpp), as kube-apiserver does.
enum class ClientCertificates { kRequired, kOptional };

// The certificate of a server, as PEM.
struct ServerTls {
  std::string certificate_pem;  // leaf first, then the chain
  std::string key_pem;
  std::string client_ca_pem;  // not empty: clients are asked for a certificate of these CAs
  ClientCertificates client_certificates = ClientCertificates::kRequired;
};

}  // namespace keelson::tls
