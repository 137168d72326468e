// The users of client certificates: the common name is the user, the organizations are its groups.
#pragma once

#include <memory>
#include <string>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/detail/tls/client_authority.hpp"

namespace keelson::sandbox {

class ClientCertificates {
 public:
  // `authority_pem` empty: no certificate is accepted.
  explicit ClientCertificates(std::string authority_pem) : authority_pem_(std::move(authority_pem)) {}
  ClientCertificates(const ClientCertificates&) = delete;
  ClientCertificates& operator=(const ClientCertificates&) = delete;

  [[nodiscard]] bool is_enabled() const { return !authority_pem_.empty(); }
  // The error is the server's reason for rejecting the certificate. A user without a name: the certificate has no
  // common name, and does not authenticate.
  [[nodiscard]] Result<UserInfo> user_of(const std::string& chain_pem, async::WallTime now);

 private:
  struct Verified {
    tls::ClientIdentity identity;
    tls::CertificateValidity validity;
  };
  [[nodiscard]] Result<Verified> verified(const std::string& chain_pem, async::WallTime now);

  std::string authority_pem_;
  base::TextMap<std::string, Verified> verified_;  // by the chain: those of open connections
};

}  // namespace keelson::sandbox
