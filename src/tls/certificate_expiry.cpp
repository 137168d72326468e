#include "keelson/detail/tls/certificate_expiry.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <ctime>

#include "keelson/detail/base/rfc3339.hpp"
#include "src/tls/openssl_owned.hpp"

namespace keelson::tls {
using namespace std::chrono_literals;

namespace {

constexpr async::Duration kSoonAtMost = 7 * 24h;
constexpr async::Duration kVerySoonAtMost = 24h;

constexpr const char* kExpiryName = "keelson_certificate_expiry_seconds";
constexpr const char* kExpiryHelp =
    "When the certificate in use expires, in seconds since 1970 (Unix time). It has expired if time() is larger.";
constexpr const char* kLifetimeName = "keelson_certificate_lifetime_seconds";
constexpr const char* kLifetimeHelp =
    "Seconds between the beginning and the end of the validity of the certificate in use.";

metrics::GaugeFamily& expiries(metrics::Registry& registry) {
  return registry.gauge(kExpiryName, kExpiryHelp, {"use"});
}

metrics::GaugeFamily& lifetimes(metrics::Registry& registry) {
  return registry.gauge(kLifetimeName, kLifetimeHelp, {"use"});
}

std::optional<async::WallTime> wall_time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (::ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
  // RFC 5280's 9999-12-31 for certificates that do not expire is later than nanoseconds in 64 bits can say.
  const auto earliest = std::chrono::ceil<std::chrono::seconds>(async::WallTime::min());
  const auto latest = std::chrono::floor<std::chrono::seconds>(async::WallTime::max());
  return std::clamp(std::chrono::sys_seconds(std::chrono::seconds(::timegm(&parts))), earliest, latest);
}

std::chrono::seconds since_1970(async::WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch());
}

}  // namespace

std::optional<CertificateValidity> validity_of(const std::string& pem) {
  const Owned<BIO, ::BIO_free_all> text(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Owned<X509, ::X509_free> leaf(::PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  ::ERR_clear_error();
  if (!leaf) return std::nullopt;
  const auto from = wall_time_of(::X509_get0_notBefore(leaf.get()));
  const auto until = wall_time_of(::X509_get0_notAfter(leaf.get()));
  if (!from || !until) return std::nullopt;
  return CertificateValidity{*from, *until};
}

int expiry_level(const CertificateValidity& validity, async::WallTime now) {
  if (now >= validity.until) return 3;
  // In seconds, because a life of centuries does not fit into nanoseconds.
  const auto life = since_1970(validity.until) - since_1970(validity.from);
  const auto left = since_1970(validity.until) - since_1970(now);
  if (left <= std::min<async::Duration>(life / 20, kVerySoonAtMost)) return 2;
  return left <= std::min<async::Duration>(life / 5, kSoonAtMost) ? 1 : 0;
}

CertificateExpiry::CertificateExpiry(async::Clock& clock, Logger log, metrics::Registry& registry, std::string use)
    : clock_(clock),
      log_(std::move(log)),
      use_(std::move(use)),
      expiries_(expiries(registry)),
      lifetimes_(lifetimes(registry)) {}

void CertificateExpiry::in_use(const std::string& pem, std::string source, std::string remedy) {
  const auto validity = validity_of(pem);
  if (!validity) return;
  const bool is_other = !validity_ || validity_->until != validity->until;
  validity_ = validity;
  source_ = std::move(source);
  remedy_ = std::move(remedy);
  if (is_other) logged_level_ = 0;
  expiries_.with({use_}).set(static_cast<double>(since_1970(validity->until).count()));
  lifetimes_.with({use_}).set(static_cast<double>((since_1970(validity->until) - since_1970(validity->from)).count()));
  check();
}

void CertificateExpiry::check() {
  if (!validity_) return;
  const int level = expiry_level(*validity_, clock_.wall_now());
  if (level <= logged_level_) return;
  logged_level_ = level;
  const auto expires = base::format_rfc3339(std::chrono::sys_seconds(since_1970(validity_->until)));
  const bool has_expired = level == 3;
  const auto error = invalid_error("it " + std::string(has_expired ? "expired" : "expires") + " at " + expires);
  log_.error(error, has_expired ? "A certificate has expired" : "A certificate expires soon",
             {{"use", use_}, {"certificate", source_}, {"remedy", remedy_}});
}

void CertificateExpiry::register_series(metrics::Registry& registry) {
  expiries(registry);
  lifetimes(registry);
}

}  // namespace keelson::tls
