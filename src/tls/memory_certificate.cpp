#include "keelson/detail/tls/memory_certificate.hpp"

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"

namespace keelson::tls {
namespace asio = boost::asio;

namespace {

// The lifetime of client-go's self-signed certificates.
constexpr auto kLifetime = std::chrono::hours(24 * 365);
constexpr auto kRenewAfter = std::chrono::hours(24 * 180);
constexpr auto kTryAgainAfter = std::chrono::minutes(1);
// Clocks of clients may be behind by up to a day: a wrong time zone is the usual cause.
constexpr auto kBackdated = std::chrono::hours(24);

class MemoryCertificate final : public async::Runnable {
 public:
  MemoryCertificate(asio::any_io_executor executor, async::Clock& clock, Logger log, metrics::Registry& registry,
                    std::vector<std::string> names, CertificateUser& user)
      : clock_(clock),
        log_(std::move(log)),
        expiry_(clock, log_, registry, "metrics"),
        names_(std::move(names)),
        user_(user),
        tasks_(std::move(executor)) {}

  std::string name() const override { return "certificate in memory"; }

  Task<void> start() override {
    auto used = renew();
    if (used) tasks_.spawn(keep_fresh());
    co_return used;
  }

  asio::awaitable<void> stop() override {
    tasks_.stop();
    co_await tasks_.join();
  }

 private:
  asio::awaitable<void> keep_fresh() {
    async::Duration again = kRenewAfter;
    for (;;) {
      co_await async::sleep_for(clock_, again);
      auto used = renew();
      again = used ? async::Duration(kRenewAfter) : async::Duration(kTryAgainAfter);
      if (!used) log_.error(used.error(), "failed to renew the certificate in memory");
      expiry_.check();
    }
  }

  Result<void> renew() {
    const auto now = clock_.wall_now();
    ServingCertificateRequest request;
    request.authority_name = "keelson " + names_.front();
    request.names = names_;
    request.from = now - kBackdated;
    request.until = now + kLifetime;
    KEELSON_LET(auto identity, make_serving_certificate(request));
    auto used = user_.use({identity.certificate_pem, std::move(identity.key_pem), ""});
    if (used) expiry_.in_use(identity.certificate_pem, "in memory", "restart this process, which makes a new one");
    return used;
  }

  async::Clock& clock_;
  Logger log_;
  CertificateExpiry expiry_;
  std::vector<std::string> names_;
  CertificateUser& user_;
  async::TaskGroup tasks_;
};

}  // namespace

std::unique_ptr<async::Runnable> make_memory_certificate(asio::any_io_executor executor, async::Clock& clock,
                                                         const Logger& log, metrics::Registry& registry,
                                                         std::vector<std::string> names, CertificateUser& user) {
  return std::make_unique<MemoryCertificate>(std::move(executor), clock, log, registry, std::move(names), user);
}

}  // namespace keelson::tls
