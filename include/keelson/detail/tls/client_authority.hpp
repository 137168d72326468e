// Certificates of clients: an authority that signs their requests, and the verification that a server does.
//
// The certificates are those of Kubernetes: the common name is the user, and the organizations are its groups. An
// authority is a value; copies share its key. Nothing here does I/O. All texts are PEM.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"

namespace keelson::tls {

// The subject of a certificate or of a request for one.
struct ClientSubject {
  std::string common_name;
  std::vector<std::string> organizations;
  bool operator==(const ClientSubject&) const = default;
};

// A request for a certificate (PKCS 10).
struct CertificateRequestFacts {
  ClientSubject subject;
  // How many subject alternative names of each kind it has.
  std::size_t dns_names = 0;
  std::size_t addresses = 0;
  std::size_t emails = 0;
  std::size_t uris = 0;
};
// Reads the first block of the text. Fails with kInvalid and the text of Go's crypto/x509 if it is not a request, or if
// its signature is wrong.
[[nodiscard]] Result<CertificateRequestFacts> read_certificate_request(const std::string& pem);

// A verified certificate of a client.
struct ClientIdentity {
  ClientSubject subject;
  std::string digest;  // the SHA-256 of the certificate, in hexadecimal digits
};
// Verifies the first certificate of `chain_pem` with the others as intermediates: it must lead to one of the
// authorities, be valid now, and be meant for clients. Fails with kInvalid and a text as that of Go's crypto/x509.
[[nodiscard]] Result<ClientIdentity> verify_client_certificate(const std::string& chain_pem,
                                                               const std::string& authorities_pem, async::WallTime now);

class ClientAuthority {
 public:
  // Creates a new key. Fails with kInvalid, and only if OpenSSL fails (no randomness).
  [[nodiscard]] static Result<ClientAuthority> make(const std::string& name, const CertificateValidity& validity);
  // Fails with kInvalid if a part cannot be parsed or the key does not match.
  [[nodiscard]] static Result<ClientAuthority> from_pem(const std::string& certificate_pem, const std::string& key_pem);

  [[nodiscard]] const std::string& certificate_pem() const { return certificate_pem_; }
  [[nodiscard]] std::string key_pem() const;  // PKCS 8, not encrypted: a secret
  [[nodiscard]] CertificateValidity validity() const;

  // The purposes of a signed certificate, as spec.usages of a CertificateSigningRequest names them.
  struct Usages {
    bool digital_signature = false;
    bool key_encipherment = false;
    bool client_auth = false;
    bool server_auth = false;
  };
  // A certificate with the key, the subject and the alternative names of the request. It does not outlive the
  // authority's own certificate. Fails as read_certificate_request().
  [[nodiscard]] Result<std::string> sign(const std::string& request_pem, const CertificateValidity& validity,
                                         const Usages& usages) const;

  // A certificate for clients with a new key.
  struct Issued {
    std::string certificate_pem;
    std::string key_pem;  // PKCS 8, not encrypted; never log it
  };
  [[nodiscard]] Result<Issued> issue(const ClientSubject& subject, const CertificateValidity& validity) const;

 private:
  struct State;
  explicit ClientAuthority(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
  std::string certificate_pem_;
};

}  // namespace keelson::tls
