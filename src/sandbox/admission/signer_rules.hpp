// Kubernetes' plugins CertificateSubjectRestriction, CertificateApproval and CertificateSigning.
#pragma once

#include <string>

#include "src/sandbox/admission/attributes.hpp"

namespace keelson::sandbox {

// Why a CertificateSigningRequest may not be created, approved or signed in this way; empty: it may. No client
// gets a certificate of the group system:masters, and the verbs approve and sign on signers are needed for the others.
[[nodiscard]] std::string signer_error(const Call& call, const Attributes& attributes);

}  // namespace keelson::sandbox
