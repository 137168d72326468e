#include "src/tls/certificate_policy.hpp"

namespace keelson::tls {
using namespace std::chrono_literals;

namespace {

// controller-runtime's certwatcher.
constexpr auto kUsually = 10s;
// The kubelet may be replacing the files, or cert-manager has not created them yet.
constexpr auto kSoon = 1s;

bool is_same(const ServerTls& left, const ServerTls& right) {
  return left.certificate_pem == right.certificate_pem && left.key_pem == right.key_pem &&
         left.client_ca_pem == right.client_ca_pem;
}

}  // namespace

bool CertificatePolicy::is_new(const Result<ServerTls>& found) const {
  return found && !(current_ && is_same(*current_, *found));
}

CertificatePolicy::Verdict CertificatePolicy::settle(const Result<ServerTls>& found, const Result<void>& used) {
  if (!used) {
    const auto error = used.error().message();
    const bool is_logged = error == last_error_;
    last_error_ = error;
    const bool are_files_bad = !found || used.error().kind != Error::Kind::kTransport;
    if (is_logged) return {Say::kNothing, are_files_bad, kSoon};
    if (!are_files_bad) return {Say::kCannotListen, false, kSoon};
    // Files that do not exist yet are expected; invalid and removed files are errors.
    const bool is_waiting = !current_ && !found;
    return {is_waiting ? Say::kWaiting : Say::kFailed, true, kSoon};
  }
  last_error_.clear();
  if (!is_new(found)) return {Say::kNothing, false, kUsually};
  const auto say = current_ ? Say::kReloaded : Say::kServing;
  current_ = *found;
  return {say, false, kUsually};
}

}  // namespace keelson::tls
