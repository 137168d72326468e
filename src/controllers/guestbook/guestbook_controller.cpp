// Reconciles a Guestbook: there is nothing to do, and the status says so once for each generation.
#include "keelson/json/writer.hpp"
#include "keelson/kube/fields.hpp"
#include "keelson/kube/readiness.hpp"
#include "keelson/kube/typed.hpp"
#include "src/controllers/guestbook/guestbook.hpp"
#include "src/controllers/guestbook/guestbook_types.hpp"

namespace keelson::controllers {
namespace asio = boost::asio;

namespace {

// Active and standby nodes belong to whoever knows them: they are written only where the status, which must have them,
// has none. Only over what was read, so that a cache that is behind writes nothing over them, nor over conditions of
// others.
Result<std::string> change_of_status(const kube::Object& guestbook, const GuestbookStatus& status) {
  auto fields = kube::Fields::of(guestbook);
  if (!fields) return std::move(fields.error());
  auto wanted = json::Document::parse(kube::encode(status));
  if (!wanted) return std::move(wanted.error());
  json::Writer change;
  change.begin_object().key("metadata").begin_object().field("uid", guestbook.uid());
  change.field("resourceVersion", std::to_string(guestbook.resource_version())).end_object();
  change.key("status").begin_object();
  for (const auto& [name, value] : wanted->root().members()) {
    const bool is_of_others = name == "active" || name == "standby";
    auto stored = fields->at({"status", name});
    if (!stored) return std::move(stored.error());
    if (!is_of_others || !stored->has_value()) change.field(name, value);
  }
  change.end_object().end_object();
  return std::move(change).take();
}

class GuestbookReconciler final : public controller::Reconciler {
 public:
  explicit GuestbookReconciler(controller::Context& context) : context_(context) {}

  asio::awaitable<Result<controller::Outcome>> reconcile(kube::Key key, Logger log) override {
    auto found = context_.informer(guestbook_resource()).get(key);
    if (!found || found->deleting()) co_return controller::Outcome::done();
    log.debug("Reconciling Guestbook.");
    auto guestbook = kube::read_typed<GuestbookSpec, GuestbookStatus>(*found);
    if (!guestbook) co_return terminal(std::move(guestbook.error()));
    auto status = guestbook->status;
    status.observed_generation = found->generation();
    kube::set_readiness(status.conditions, kube::Readiness::kReady, "Observed", "The Guestbook was seen.",
                        status.observed_generation, context_.clock.wall_now());
    if (status == guestbook->status) co_return controller::Outcome::done();
    auto change = change_of_status(*found, status);
    if (!change) co_return terminal(std::move(change.error()));
    auto written = co_await kube::patch(context_.client, guestbook_resource(), key, kube::PatchType::kMerge,
                                        std::move(*change), "status");
    if (!written && !kube::is_not_found(written.error())) co_return std::move(written.error());
    co_return controller::Outcome::done();
  }

 private:
  controller::Context& context_;
};

}  // namespace

controller::Definition guestbook() {
  return controller::define(guestbook_kind()).reconciled_by([](controller::Context& context) {
    return std::make_unique<GuestbookReconciler>(context);
  });
}

}  // namespace keelson::controllers
