#include "keelson/detail/tls/certificate_files.hpp"

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "keelson/detail/tls/certificate_metrics.hpp"
#include "keelson/detail/tls/pem_file.hpp"
#include "src/tls/certificate_policy.hpp"

namespace keelson::tls {
namespace asio = boost::asio;

namespace {

class CertificateFiles final : public async::Runnable {
 public:
  CertificateFiles(asio::any_io_executor executor, async::Clock& clock, const Logger& log, metrics::Registry& registry,
                   std::string server, CertificatePaths paths, CertificateUser& user)
      : clock_(clock),
        log_(log.named("certwatcher")),
        metrics_(registry),
        server_(std::move(server)),
        expiry_(clock, log_, registry, server_),
        paths_(std::move(paths)),
        user_(user),
        tasks_(std::move(executor)) {}

  std::string name() const override { return "certificate files of the " + server_ + " server"; }

  Task<void> start() override {
    Result<void> used;
    const auto again = look(used);
    const bool cannot_listen = !used && used.error().kind == Error::Kind::kTransport;
    if (cannot_listen) co_return used;
    tasks_.spawn(watch(again));
    co_return Result<void>();
  }

  asio::awaitable<void> stop() override {
    tasks_.stop();
    co_await tasks_.join();
  }

 private:
  asio::awaitable<void> watch(async::Duration again) {
    for (;;) {
      co_await async::sleep_for(clock_, again);
      Result<void> used;
      again = look(used);
    }
  }

  // Reads the files, and returns the delay until the next read.
  async::Duration look(Result<void>& used) {
    metrics_.reads.increment();
    const auto found = read();
    if (!found) used = found.error();
    if (policy_.is_new(found)) used = user_.use(*found);
    if (!used) user_.wait_because(used.error());
    user_.note_attempt(used ? nullptr : &used.error());
    if (used && policy_.is_new(found)) {
      expiry_.in_use(found->certificate_pem, paths_.certificate,
                     "renew the file; if cert-manager writes it, kubectl describe certificate has the cause");
    }
    expiry_.check();
    const auto verdict = policy_.settle(found, used);
    if (verdict.is_error) metrics_.errors.increment();
    say(verdict.say, used);
    return verdict.again;
  }

  Result<ServerTls> read() const {
    ServerTls tls;
    for (const auto& [path, text] : {std::pair(&paths_.certificate, &tls.certificate_pem),
                                     {&paths_.key, &tls.key_pem},
                                     {&paths_.client_ca, &tls.client_ca_pem}}) {
      if (path->empty()) continue;
      KEELSON_LET(auto content, read_pem_file(*path));
      *text = std::move(content);
    }
    return tls;
  }

  void say(CertificatePolicy::Say say, const Result<void>& used) const {
    using Say = CertificatePolicy::Say;
    switch (say) {
      case Say::kNothing:
        break;
      case Say::kWaiting:
        log_.info("Waiting for the " + server_ + " certificate", {{"reason", used.error().message()}});
        break;
      case Say::kServing:
      case Say::kReloaded:
        log_.info("Updated current TLS certificate", {{"cert", paths_.certificate}, {"key", paths_.key}});
        break;
      case Say::kCannotListen:
        log_.error(used.error(), "The " + server_ + " server failed to listen, retrying");
        break;
      case Say::kFailed:
        log_.error(used.error(), "failed to read certificate", {{"cert", paths_.certificate}, {"key", paths_.key}});
        break;
    }
  }

  async::Clock& clock_;
  Logger log_;
  CertificateMetrics metrics_;
  std::string server_;
  CertificateExpiry expiry_;
  CertificatePaths paths_;
  CertificateUser& user_;
  CertificatePolicy policy_;
  async::TaskGroup tasks_;
};

}  // namespace

std::unique_ptr<async::Runnable> make_certificate_files(asio::any_io_executor executor, async::Clock& clock,
                                                        const Logger& log, metrics::Registry& registry,
                                                        std::string server, CertificatePaths paths,
                                                        CertificateUser& user) {
  return std::make_unique<CertificateFiles>(std::move(executor), clock, log, registry, std::move(server),
                                            std::move(paths), user);
}

}  // namespace keelson::tls
