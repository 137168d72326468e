#include "src/sandbox/authentication/client_certificates.hpp"

#include "keelson/base/try.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kRememberedCertificates = 1000;

}  // namespace

Result<UserInfo> ClientCertificates::user_of(const std::string& chain_pem, async::WallTime now) {
  KEELSON_LET(auto found, verified(chain_pem, now));
  UserInfo user;
  user.name = found.identity.subject.common_name;
  user.groups = found.identity.subject.organizations;
  // Not twice, as kube-apiserver's group adder.
  if (!user.is_in(kAuthenticated)) user.groups.emplace_back(kAuthenticated);
  user.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" + found.identity.digest};
  return user;
}

Result<ClientCertificates::Verified> ClientCertificates::verified(const std::string& chain_pem, async::WallTime now) {
  const auto known = verified_.find(chain_pem);
  if (known != verified_.end()) {
    const auto& validity = known->second.validity;
    // Outside of the period the verification reports the reason.
    if (validity.from <= now && now < validity.until) return known->second;
  }
  KEELSON_LET(auto identity, tls::verify_client_certificate(chain_pem, authority_pem_, now));
  auto validity = tls::validity_of(chain_pem);
  if (!validity) return invalid_error("the client's certificate cannot be read");
  Verified made{std::move(identity), *validity};
  if (verified_.size() >= kRememberedCertificates) verified_.clear();
  verified_.insert_or_assign(chain_pem, made);
  return made;
}

}  // namespace keelson::sandbox
