#include "keelson/controller/pass_state.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/controller/finalizer.hpp"
#include "src/controller/conflict_policy.hpp"
#include "src/controller/consistent_read.hpp"
#include "src/controller/status_writer.hpp"
#include "src/controller/write_metrics.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

PassState::PassState(Context& passes_context, kube::Resource kind, const kube::Description* status_description,
                     bool shares_status)
    : context(passes_context),
      resource(std::move(kind)),
      informer(context.informer(resource)),
      status_description_(status_description),
      shares_status_(shares_status),
      consistent_read_(std::make_unique<ConsistentRead>(context)),
      status_writer_(std::make_unique<StatusWriter>(context.clock, context.client, resource)),
      conflicts_(std::make_unique<ConflictPolicy>()),
      write_metrics_(std::make_unique<WriteMetrics>(
          context.registry, context.definition == nullptr ? resource.plural : context.definition->name())) {}

PassState::~PassState() = default;

asio::awaitable<Result<std::optional<Outcome>>> PassState::write_status(kube::Object object, std::string status,
                                                                        bool is_immediate) {
  StatusChange change;
  change.text = std::move(status);
  change.fields = status_description_;
  if (shares_status_) change.form = StatusChange::Form::kPatch;
  if (!is_immediate) change.urgency = StatusChange::Urgency::kCoalesced;
  const auto key = object.key();
  const std::string uid(object.uid());
  auto written = co_await status_writer_->write(std::move(object), std::move(change));
  // The watch has not reported the deletion yet.
  if (written && !*written) informer.observe_delete(key, uid);
  co_return written;
}

void PassState::forget_status(const kube::Key& key) { status_writer_->forget(key); }

void PassState::count_unchanged_status() { write_metrics_->unchanged(); }

asio::awaitable<Result<Outcome>> PassState::add_finalizer(kube::Object object, std::string name) {
  const auto patch = add_finalizer_patch(object, name);
  KEELSON_CO_TRY(co_await kube::patch(context.client, resource, object.key(), kube::PatchType::kJson, *patch));
  co_return Outcome::done();
}

asio::awaitable<Result<Outcome>> PassState::remove_finalizer(kube::Object object, std::string name) {
  forget_status(object.key());
  const auto patch = remove_finalizer_patch(object, name);
  auto removed = co_await kube::patch(context.client, resource, object.key(), kube::PatchType::kJson, *patch);
  if (!removed && !kube::is_not_found(removed.error())) co_return std::move(removed).error();
  co_return Outcome::done();
}

}  // namespace keelson::controller
