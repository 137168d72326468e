#include "keelson/detail/webhook/self_signed.hpp"

#include <optional>
#include <utility>

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "keelson/detail/tls/certificate_metrics.hpp"
#include "keelson/detail/tls/pem_file.hpp"
#include "src/webhook/bundle_publisher.hpp"
#include "src/webhook/self_signed_policy.hpp"
#include "src/webhook/serving_secret.hpp"

namespace keelson::webhook {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// The time until the next reconcile: usually, ...
constexpr async::Duration kUsually = 60s;
// ... after an error or without a configuration (it may be created later, or the API server is unavailable), ...
constexpr async::Duration kSoon = 5s;
// ... and after a write.
constexpr async::Duration kAtOnce = 100ms;

// A handful of CAs: this operator never publishes more.
constexpr std::size_t kFormerAuthorityBytes = 16384;

class SelfSigned final : public async::Runnable {
 public:
  SelfSigned(asio::any_io_executor executor, async::Clock& clock, const Logger& log, metrics::Registry& registry,
             kube::Client& client, SelfSignedOptions options, tls::CertificateUser& user)
      : clock_(clock),
        log_(log.named("webhook-certificate")),
        metrics_(registry),
        expiry_(clock, log_, registry, "webhook"),
        authority_expiry_(clock, log_, registry, "webhook-ca"),
        client_(client),
        options_(std::move(options)),
        secret_(options_.ns, options_.secret),
        name_(options_.service_name + "." + options_.ns + ".svc"),
        user_(user),
        publisher_(client_, log_, options_),
        tasks_(std::move(executor)) {}

  std::string name() const override { return "webhook certificate"; }
  Task<void> start() override {
    tasks_.spawn(work());
    co_return Result<void>();
  }
  asio::awaitable<void> stop() override {
    tasks_.stop();
    co_await tasks_.join();
  }

 private:
  // The Secret as it was read, and its parsed contents.
  struct Found {
    std::optional<kube::Object> object;
    ServingState state;
    SelfSignedSeen seen;
  };

  [[nodiscard]] asio::awaitable<void> work();
  [[nodiscard]] Task<async::Duration> turn();
  [[nodiscard]] Task<Found> look();
  [[nodiscard]] Task<Published> take_over(const ServingState& state);
  [[nodiscard]] Task<void> act(SelfSignedAction action, Found found);
  [[nodiscard]] Task<void> write(ServingState state, std::optional<kube::Object> before, std::string message);
  [[nodiscard]] Result<tls::ServingCertificate> make_certificate() const;
  [[nodiscard]] Task<ServingState> remembered_or_new();
  [[nodiscard]] Result<void> serve(const ServingState& state);
  void note_expiry(const tls::ServingCertificate& identity);
  void tell(const Error& error);

  async::Clock& clock_;
  Logger log_;
  tls::CertificateMetrics metrics_;
  tls::CertificateExpiry expiry_;
  tls::CertificateExpiry authority_expiry_;
  kube::Client& client_;
  SelfSignedOptions options_;
  kube::Key secret_;
  std::string name_;
  tls::CertificateUser& user_;
  BundlePublisher publisher_;
  std::optional<ServingState> remembered_;  // the certificate that was served last
  std::string served_client_ca_;
  PublishedSpan published_;
  std::string last_error_;
  async::TaskGroup tasks_;
};

asio::awaitable<void> SelfSigned::work() {
  for (;;) {
    metrics_.reads.increment();
    auto again = co_await turn();
    if (!again) tell(again.error());
    user_.note_attempt(again ? nullptr : &again.error());
    if (again) last_error_.clear();
    expiry_.check();
    authority_expiry_.check();
    co_await async::sleep_for(clock_, again ? *again : kSoon);
  }
}

// Logs an error once, not on every retry.
void SelfSigned::tell(const Error& error) {
  if (is_about_certificate(error)) metrics_.errors.increment();
  if (!remembered_) user_.wait_because(error);
  if (std::exchange(last_error_, error.message()) == error.message()) return;
  log_.error(error, "webhook certificate reconciliation failed");
}

// Reconciles the Secret and the configurations once, and returns the delay until the next time.
Task<async::Duration> SelfSigned::turn() {
  KEELSON_CO_LET(auto found, co_await look());
  auto again = kAtOnce;
  if (found.seen.secret == SelfSignedSeen::Secret::kGood) {
    auto published = co_await take_over(found.state);
    const bool is_everywhere = published && *published != Published::kJustWritten;
    if (!is_everywhere) published_.lost();
    if (!published) co_return std::move(published.error());
    if (is_everywhere) published_.saw(found.state.bundle(), clock_.now());
    found.seen.published_for = published_.at(clock_.now());
    again = *published == Published::kYes ? kUsually : kSoon;
  }
  const auto action = decide(found.seen);
  if (action == SelfSignedAction::kNothing) co_return again;
  auto acted = co_await act(action, std::move(found));
  // Another replica has written first: the next reconcile reads its Secret.
  if (!acted && !kube::is_conflict(acted.error())) co_return std::move(acted.error());
  co_return kAtOnce;
}

// A replica that is already serving publishes the CA first: clients must never see a certificate whose CA they do not
// trust yet.
Task<Published> SelfSigned::take_over(const ServingState& state) {
  if (!remembered_) {
    KEELSON_CO_TRY(serve(state));
  }
  auto published = co_await publisher_.publish(state.bundle());
  if (!published) co_return published;
  KEELSON_CO_TRY(serve(state));
  co_return published;
}

Task<SelfSigned::Found> SelfSigned::look() {
  using Secret = SelfSignedSeen::Secret;
  Found found;
  found.seen.name = name_;
  found.seen.now = clock_.wall_now();
  auto object = co_await kube::get(client_, kube::secrets(), secret_);
  if (!object && kube::is_not_found(object.error())) co_return found;
  if (!object) co_return std::move(object.error());
  found.object = std::move(*object);
  found.seen.secret = is_ours(*found.object, client_.operator_name()) ? Secret::kUnreadable : Secret::kNotOwned;
  auto state = parse_secret(*found.object, client_.operator_name());
  if (!state || found.seen.secret == Secret::kNotOwned) co_return found;
  auto current = tls::examine_serving_certificate(state->current);
  if (!current) co_return found;
  found.seen.secret = Secret::kGood;
  found.seen.current = std::move(*current);
  found.state = std::move(*state);
  if (!found.state.next) co_return found;
  auto next = tls::examine_serving_certificate(*found.state.next);
  if (next) found.seen.next = std::move(*next);
  found.seen.next_since = found.state.next_since;
  co_return found;
}

Result<void> SelfSigned::serve(const ServingState& state) {
  tls::ServerTls tls{state.current.certificate_pem, state.current.key_pem, ""};
  if (!options_.client_ca.empty()) {
    KEELSON_LET(auto client_ca, tls::read_pem_file(options_.client_ca));
    tls.client_ca_pem = std::move(client_ca);
  }
  const bool is_served = remembered_ && remembered_->current == state.current && served_client_ca_ == tls.client_ca_pem;
  auto client_ca = tls.client_ca_pem;
  auto used = is_served ? Result<void>() : user_.use(std::move(tls));
  if (!used) return used;
  served_client_ca_ = std::move(client_ca);
  remembered_ = state;
  if (!is_served) note_expiry(state.current);
  return {};
}

void SelfSigned::note_expiry(const tls::ServingCertificate& identity) {
  const auto source = "secret " + secret_.text();
  const std::string remedy =
      "the manager renews it: the log line \"webhook certificate reconciliation failed\" has the cause";
  expiry_.in_use(identity.certificate_pem, source, remedy);
  authority_expiry_.in_use(identity.authority_pem, source, remedy);
}

Task<void> SelfSigned::act(SelfSignedAction action, Found found) {
  auto state = std::move(found.state);
  std::string message;
  switch (action) {
    case SelfSignedAction::kNothing:
      co_return Result<void>();
    case SelfSignedAction::kReject:
      co_return invalid_error(
          "secret " + secret_.text() +
          " was not created by this operator and is not changed; delete it, or set --webhook-secret");
    case SelfSignedAction::kCreate:
    case SelfSignedAction::kReplace: {
      KEELSON_CO_LET(auto made, co_await remembered_or_new());
      state = std::move(made);
      message = "Created the webhook certificate";
      break;
    }
    case SelfSignedAction::kPrepareNext: {
      auto next = make_certificate();
      if (!next) co_return std::move(next.error());
      state.next = std::move(*next);
      state.next_since = clock_.wall_now();
      message = "Created the next webhook certificate";
      break;
    }
    case SelfSignedAction::kPromote:
      state.former_authority = std::move(state.current.authority_pem);
      state.current = std::move(*state.next);
      state.next.reset();
      message = "Rotated the webhook certificate";
      break;
  }
  auto written = co_await write(std::move(state), std::move(found.object), std::move(message));
  co_return written;
}

Task<void> SelfSigned::write(ServingState state, std::optional<kube::Object> before, std::string message) {
  const auto form = before ? kube::ApplyForm::kUpdate : kube::ApplyForm::kCreateOnly;
  auto body = secret_text(state, secret_, before, client_.operator_name());
  auto applied = co_await kube::apply(client_, kube::secrets(), secret_, form, std::move(body));
  if (!applied && !before && kube::is_forbidden(applied.error())) {
    co_return std::move(applied.error())
        .with_context(
            "secret " + secret_.text() +
            " does not exist and the manager has no permission to create it; apply the manifests again, which "
            "contain it");
  }
  if (!applied) co_return std::move(applied.error());
  log_.info(message, {{"secretName", secret_.text()}});
  co_return Result<void>();
}

Result<tls::ServingCertificate> SelfSigned::make_certificate() const {
  const auto& service = options_.service_name;
  const auto now = clock_.wall_now();
  tls::ServingCertificateRequest request;
  request.authority_name =
      client_.operator_name().text() + " webhook authority " + std::to_string(now.time_since_epoch() / 1s);
  request.names = {name_, service, service + "." + options_.ns, name_ + ".cluster.local"};
  request.from = now - kBackdated;
  request.until = now + kCertificateLifetime;
  return tls::make_serving_certificate(request);
}

// The certificate that was served last is preferred, because clients trust its CA already. A new one also retains the
// published CAs, because other replicas may still serve with their certificates.
Task<ServingState> SelfSigned::remembered_or_new() {
  if (remembered_) {
    const auto facts = tls::examine_serving_certificate(remembered_->current);
    if (facts && is_usable(*facts, name_, clock_.wall_now())) co_return *remembered_;
  }
  KEELSON_CO_LET(auto made, make_certificate());
  KEELSON_CO_LET(auto trusted, co_await publisher_.published());
  ServingState state;
  state.current = std::move(made);
  if (trusted.size() <= kFormerAuthorityBytes) state.former_authority = std::move(trusted);
  co_return state;
}

}  // namespace

std::unique_ptr<async::Runnable> make_self_signed(asio::any_io_executor executor, async::Clock& clock,
                                                  const Logger& log, metrics::Registry& registry, kube::Client& client,
                                                  SelfSignedOptions options, tls::CertificateUser& user) {
  return std::make_unique<SelfSigned>(std::move(executor), clock, log, registry, client, std::move(options), user);
}

}  // namespace keelson::webhook
