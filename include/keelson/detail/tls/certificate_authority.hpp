// Self-signed certificates: creates a certificate authority (CA) and a server certificate that it has signed.
//
// The CA's private key signs a single certificate and is then discarded, so that it cannot be stolen to sign another
// one. A new certificate therefore comes with a new CA: clients must trust the new CA before a server uses the new
// certificate. Keys are EC P-256, and all texts are PEM. The functions have no state and do no I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::tls {

// A server certificate, its private key, and the CA that signed it.
struct ServingCertificate {
  std::string certificate_pem;  // the leaf alone: the CA signs it directly
  std::string key_pem;          // PKCS 8, not encrypted; never log it
  std::string authority_pem;    // the CA that clients must trust, for example as caBundle of a webhook configuration
  bool operator==(const ServingCertificate&) const = default;
};

struct ServingCertificateRequest {
  std::string authority_name;      // the common name of the CA; informative only
  std::vector<std::string> names;  // host names and IP addresses that the certificate is valid for; not empty
  async::WallTime from;            // in whole seconds; clocks of clients may be behind, so choose a time in the past
  async::WallTime until;
};

// Creates new keys and certificates, with random serial numbers. Fails with kInvalid, and only if OpenSSL fails (no
// randomness).
[[nodiscard]] Result<ServingCertificate> make_serving_certificate(const ServingCertificateRequest& request);

// The contents of a certificate that decide whether it must be replaced.
struct ServingCertificateFacts {
  std::vector<std::string> names;  // the host names of the certificate, without its IP addresses
  async::WallTime from;
  async::WallTime until;
};

// Parses an identity, for example from a Secret. Fails with kInvalid if a part cannot be parsed, if the key does not
// match the certificate, or if the CA did not sign it. Expiry is not checked: compare `from` and `until`.
[[nodiscard]] Result<ServingCertificateFacts> examine_serving_certificate(const ServingCertificate& identity);

// When the first certificate of the text expires; nullopt if it cannot be read.
[[nodiscard]] std::optional<async::WallTime> expiry_of(const std::string& certificate_pem);

}  // namespace keelson::tls
