// The Secret that replicas share: the current certificate, the next one, and the CA bundle for both.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::webhook {

struct ServingState {
  tls::ServingCertificate current;
  std::optional<tls::ServingCertificate>
      next;                    // the certificate whose CA is published already; no replica serves with it yet
  async::WallTime next_since;  // when `next` was created
  // The CA of the certificate that late replicas may still serve with: the previous one, or the published bundle if the
  // Secret had been deleted. It is retained until the next rotation.
  std::string former_authority;

  // The CAs of all certificates that may be in use now, in an order that does not depend on their roles.
  [[nodiscard]] std::string bundle() const;
  bool operator==(const ServingState&) const = default;
};

// The Secret's JSON, with the keys of Kubernetes' type kubernetes.io/tls, so that other tools can read it. With
// `before` it has its uid, resourceVersion and type, so that only this object is changed; without, it creates the
// Secret.
[[nodiscard]] std::string secret_text(const ServingState& state, const kube::Key& key,
                                      const std::optional<kube::Object>& before,
                                      const kube::OperatorName& name = kube::OperatorName());

// True if this operator created the Secret. Others are never changed.
[[nodiscard]] bool is_ours(const kube::Object& secret, const kube::OperatorName& name = kube::OperatorName());

// kMalformed if a part is missing; tls::examine_serving_certificate checks whether the parts fit. An incomplete `next`
// is ignored.
[[nodiscard]] Result<ServingState> parse_secret(const kube::Object& secret,
                                                const kube::OperatorName& name = kube::OperatorName());

}  // namespace keelson::webhook
