#include "src/sandbox/admission/signer_rules.hpp"

#include <algorithm>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "src/sandbox/authorization/authorizer.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kApiServerClient = "kubernetes.io/kube-apiserver-client";

std::string subject_error(const Tree& request) {
  if (request.text_at({"spec", "signerName"}) != kApiServerClient) return "";
  const auto pem = base::base64_decode(request.text_at({"spec", "request"}));
  const auto facts = tls::read_certificate_request(pem ? *pem : "");
  if (!facts) return "";  // rejected when it was validated
  const auto& groups = facts->subject.organizations;
  if (std::ranges::find(groups, kMasters) == groups.end()) return "";
  return "use of " + std::string(kApiServerClient) + " signer with " + std::string(kMasters) + " group is not allowed";
}

// Permissions may be for a signer, or for all signers of its domain.
bool may(const Call& call, const std::string& verb, const std::string& signer) {
  if (call.authorizer == nullptr) return true;
  Access access;
  access.verb = verb;
  access.group = "certificates.k8s.io";
  access.resource = "signers";
  for (const auto& name : {signer, signer.substr(0, signer.find('/')) + "/*"}) {
    access.name = name;
    if (call.authorizer->check(call.user, access)) return true;
  }
  return false;
}

bool is_signed_otherwise(const Attributes& attributes) {
  const auto part = [](const Tree& request, const char* name) { return request.copy_at({"status", name}); };
  return part(attributes.old_object, "certificate") != part(attributes.object, "certificate") ||
         part(attributes.old_object, "conditions") != part(attributes.object, "conditions");
}

}  // namespace

std::string signer_error(const Call& call, const Attributes& attributes) {
  const auto signer = attributes.old_object.text_at({"spec", "signerName"});
  const auto denied = [&signer](const std::string& verb) {
    return "user not permitted to " + verb + " requests with signerName " + base::quote_go(signer);
  };
  switch (call.subresource) {
    case Subresource::kNone:
      return attributes.old_object.is_null() ? subject_error(attributes.object) : "";
    case Subresource::kApproval:
      return may(call, "approve", signer) ? "" : denied("approve");
    case Subresource::kStatus:
      return !is_signed_otherwise(attributes) || may(call, "sign", signer) ? "" : denied("sign");
    default:
      return "";
  }
}

}  // namespace keelson::sandbox
