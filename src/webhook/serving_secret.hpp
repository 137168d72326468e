// The Secret that replicas share: the certificate in service, the next one, and whom clients must trust for both.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/operator_name.hpp"
#include "keelson/net/certificate_authority.hpp"

namespace keelson::webhook {

struct ServingState {
  net::Identity current;
  std::optional<net::Identity> next;  // published, not in service
  async::WallTime next_since;         // when it was made
  // Whom replicas may still serve with that are late to take the current one: the one before, or what was published
  // when the Secret had gone. Until the next comes.
  std::string former_authority;

  // Every authority that may be met now, in an order that does not depend on their roles.
  [[nodiscard]] std::string bundle() const;
  bool operator==(const ServingState&) const = default;
};

// With the names of Kubernetes' own type of Secret for TLS, so that other tools can read it. With the uid and
// resourceVersion of `before` it is a change of that and nothing else, its type included; without, a creation.
[[nodiscard]] std::string secret_text(const ServingState& state, const kube::Key& key,
                                      const std::optional<kube::Object>& before,
                                      const kube::OperatorName& name = kube::OperatorName());

// Whether it was made here: anybody else's is left alone.
[[nodiscard]] bool is_ours(const kube::Object& secret, const kube::OperatorName& name = kube::OperatorName());

// Whether a version of this operator that wrote as `keelson` has fields in it.
[[nodiscard]] bool has_former_fields(const kube::Object& secret, const kube::OperatorName& name);

// kMalformed when a part is missing; whether the parts fit is examine_identity's to say. An incomplete `next` is none.
[[nodiscard]] Result<ServingState> parse_secret(const kube::Object& secret,
                                                const kube::OperatorName& name = kube::OperatorName());

}  // namespace keelson::webhook
