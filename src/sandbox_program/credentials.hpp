// The administrator's token, the server's certificate, the key of other tokens, and the authority of client
// certificates with the administrator's: created at the start, or read from the data file.
//
// With a data file all are stored there, so a kubeconfig from before a restart stays valid if the port is the same.
// The token in use is always the stored one. A new authority creates the certificate again if it has expired or is not
// valid for the address that the server listens on; older kubeconfigs do not trust it.
#pragma once

#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/sandbox_data/data_file.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "keelson/detail/tls/signing_key.hpp"
#include "src/sandbox_program/flags.hpp"

namespace keelson::sandbox_program {

struct Credentials {
  tls::ServingCertificate identity;
  std::string token;
  tls::SigningKey token_key;  // of the tokens of ServiceAccounts
  tls::ClientAuthority client_authority;
  tls::ClientAuthority::Issued administrator;  // its client certificate, new at each start
};

// `data` is null without --data.
[[nodiscard]] Result<Credentials> make_credentials(async::Clock& clock, const Settings& settings,
                                                   sandbox_data::DataFile* data);

}  // namespace keelson::sandbox_program
