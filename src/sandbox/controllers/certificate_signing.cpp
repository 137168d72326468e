// Signs approved CertificateSigningRequests for Kubernetes' own signers, as the controllers of kube-controller-manager
// do: kubernetes.io/kube-apiserver-client, kube-apiserver-client-kubelet and kubelet-serving.
#include <algorithm>
#include <set>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {
using namespace std::chrono_literals;

constexpr auto kLongestCertificate = 365 * 24h;  // --cluster-signing-duration
constexpr auto kShortestCertificate = 10min;
constexpr auto kBackdated = 5min;
constexpr auto kShortLife = 8h;  // a shorter life is not shortened by the backdating

constexpr std::string_view kClient = "kubernetes.io/kube-apiserver-client";
constexpr std::string_view kKubeletClient = "kubernetes.io/kube-apiserver-client-kubelet";
constexpr std::string_view kKubeletServing = "kubernetes.io/kubelet-serving";

// Why a client's certificate may not have these usages; empty: it may.
std::string rejected_client(const std::vector<std::string>& usages) {
  for (const auto& usage : usages) {
    const bool is_known = usage == "digital signature" || usage == "key encipherment" || usage == "client auth";
    if (!is_known) return "invalid usage for client certificate: " + usage;
  }
  const bool is_for_client = std::ranges::find(usages, "client auth") != usages.end();
  return is_for_client ? "" : "missing required usage for client certificate: client auth";
}

bool has_usages(const std::vector<std::string>& usages, const std::string& purpose) {
  const std::set<std::string> given(usages.begin(), usages.end());
  std::set<std::string> required{"digital signature", purpose};
  if (given == required) return true;
  required.insert("key encipherment");
  return given == required;
}

std::string rejected_kubelet(const tls::CertificateRequestFacts& facts, const std::vector<std::string>& usages,
                             bool is_server) {
  if (facts.subject.organizations != std::vector<std::string>{"system:nodes"}) {
    return "subject organization is not system:nodes";
  }
  if (is_server && facts.dns_names + facts.addresses == 0) return "DNS or IP subjectAltName is required";
  if (!is_server && facts.dns_names > 0) return "DNS subjectAltNames are not allowed";
  if (facts.emails > 0) return "Email subjectAltNames are not allowed";
  if (!is_server && facts.addresses > 0) return "IP subjectAltNames are not allowed";
  if (facts.uris > 0) return "URI subjectAltNames are not allowed";
  if (!has_usages(usages, is_server ? "server auth" : "client auth")) {
    return is_server ? "usages did not match [digital signature key encipherment server auth]"
                     : "usages did not match [client auth digital signature key encipherment]";
  }
  return facts.subject.common_name.starts_with("system:node:") ? ""
                                                               : "subject common name does not begin with system:node:";
}

tls::CertificateValidity life_of(const Tree& request, async::WallTime now) {
  async::Duration life = kLongestCertificate;
  if (const auto seconds = request.integer_at({"spec", "expirationSeconds"}); seconds > 0) {
    const auto limit = std::chrono::duration_cast<std::chrono::seconds>(kLongestCertificate).count();
    life = std::max<async::Duration>(kShortestCertificate, std::chrono::seconds(std::min(seconds, limit)));
  }
  return {now - kBackdated, now + life - (life < kShortLife ? async::Duration::zero() : kBackdated)};
}

tls::ClientAuthority::Usages usages_of(const std::vector<std::string>& usages) {
  const auto has = [&usages](const char* usage) { return std::ranges::find(usages, usage) != usages.end(); };
  return {.digital_signature = has("digital signature"),
          .key_encipherment = has("key encipherment"),
          .client_auth = has("client auth"),
          .server_auth = has("server auth")};
}

void fail_request(Sync& request, const std::string& why) {
  auto status = status_of(request.tree);
  const auto now = request.operations.world.time_text();
  auto failed = Tree::object({{"type", "Failed"},
                              {"status", "True"},
                              {"reason", "SignerValidationFailure"},
                              {"message", why},
                              {"lastUpdateTime", now},
                              {"lastTransitionTime", now}});
  list_in(status, "conditions").push_back(std::move(failed));
  request.write_status(std::move(status));
}

}  // namespace

void sync_signing_request(Sync& request, const tls::ClientAuthority& authority) {
  const auto signer = request.tree.text_at({"spec", "signerName"});
  const bool is_ours = signer == kClient || signer == kKubeletClient || signer == kKubeletServing;
  const bool is_signed = !request.tree.text_at({"status", "certificate"}).empty();
  const bool is_approved = has_condition(request.tree, "Approved") && !has_condition(request.tree, "Denied");
  if (!is_ours || is_signed || !is_approved || has_condition(request.tree, "Failed")) return;
  const auto pem = base::base64_decode(request.tree.text_at({"spec", "request"}));
  const auto facts = tls::read_certificate_request(pem ? *pem : "");
  if (!facts) return;  // rejected when it was written
  const auto usages = request.tree.texts_at({"spec", "usages"});
  const auto why =
      signer == kClient ? rejected_client(usages) : rejected_kubelet(*facts, usages, signer == kKubeletServing);
  if (!why.empty()) return fail_request(request, why);
  const auto now = request.operations.world.clock.wall_now();
  const auto certificate = authority.sign(*pem, life_of(request.tree, now), usages_of(usages));
  if (!certificate) return;
  auto status = status_of(request.tree);
  status["certificate"] = base::base64_encode(*certificate);
  request.write_status(std::move(status));
}

}  // namespace keelson::sandbox
