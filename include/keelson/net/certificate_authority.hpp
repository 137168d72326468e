// Certificates made here: an authority of our own, and a server's certificate that it vouches for.
//
// The authority's key signs once and is forgotten, so there is nothing to steal that could vouch for anybody else; a
// new certificate comes with an authority of its own. Keys are EC P-256, everything is PEM.
#pragma once

#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"

namespace keelson::net {

struct Identity {
  std::string certificate_pem;
  std::string key_pem;
  std::string authority_pem;  // what clients must trust
  bool operator==(const Identity&) const = default;
};

struct IdentityRequest {
  std::string authority_name;      // of the authority's subject, for people
  std::vector<std::string> names;  // host names and IP addresses that the certificate is valid for; not empty
  async::WallTime from;
  async::WallTime until;
};

// Fails only when OpenSSL does (no randomness).
[[nodiscard]] Result<Identity> make_identity(const IdentityRequest& request);

struct IdentityFacts {
  std::vector<std::string> names;  // host names; addresses are left out
  async::WallTime from;
  async::WallTime until;
};

// kInvalid when it cannot be read, or its parts do not belong together. Time is not looked at.
[[nodiscard]] Result<IdentityFacts> examine_identity(const Identity& identity);

}  // namespace keelson::net
