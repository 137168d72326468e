#include "keelson/controller/child_keeper.hpp"

#include <utility>

#include "keelson/controller/child.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/status.hpp"

namespace keelson::controller {

ChildKeeper::ChildKeeper(Context& context, kube::Resource owner_resource, kube::Object owner, Logger log,
                         CatchUp* catch_up)
    : context_(context),
      owner_resource_(std::move(owner_resource)),
      owner_(std::move(owner)),
      log_(std::move(log)),
      catch_up_(catch_up) {}

boost::asio::awaitable<Result<std::optional<kube::Object>>> ChildKeeper::keep(kube::Resource resource, std::string name,
                                                                              std::string wanted) {
  if (is_overtaken_) co_return find(resource, name);
  kube::Key key(owner_.ns(), name);
  auto current = context_.informer(resource).get(key);
  bool creates = !current;
  MayUpdate may = [this] { return may_update(); };
  auto kept = co_await keep_child(context_.client, resource, owner_resource_, owner_, std::move(wanted), current,
                                  std::move(may));
  if (!kept && is_not_owned(kept.error())) {
    foreign_ = record({true, "ForeignObject", kept.error().text});
    co_return std::optional<kube::Object>();
  }
  if (!kept) {
    const auto& error = kept.error();
    const auto& words = error.server_text.empty() ? error.text : error.server_text;
    if (is_refusal(error) && !refusal_) {
      refusal_ =
          record({true, creates ? "CreateFailed" : "UpdateFailed", resource.kind + " " + key.text() + ": " + words});
    }
    co_return std::move(kept.error());
  }
  if (kept->outcome == Child::Outcome::kWaiting) co_return std::optional<kube::Object>();
  if (kept->was_written()) {
    const auto& kind = resource.kind;
    log_.info(kept->outcome == Child::Outcome::kCreated ? "Creating a new " + kind + "." : "Updating the " + kind + ".",
              {{kind + ".Namespace", key.ns}, {kind + ".Name", key.name}});
  }
  co_return std::move(kept->object);
}

boost::asio::awaitable<Result<bool>> ChildKeeper::may_update() {
  if (catch_up_ == nullptr) co_return true;
  auto asked = co_await catch_up_->bring_up_to_date(owner_resource_, owner_);
  if (!asked) co_return std::move(asked.error());
  co_return is_current();
}

bool ChildKeeper::is_current() {
  auto now = context_.informer(owner_resource_).get(owner_.key());
  is_overtaken_ = !now || now->uid() != owner_.uid() || now->generation() != owner_.generation();
  return !is_overtaken_;
}

std::optional<kube::Object> ChildKeeper::find(const kube::Resource& resource, const std::string& name) const {
  auto found = context_.informer(resource).get(kube::Key(owner_.ns(), name));
  if (!found || !is_controlled_by(*found, owner_)) return std::nullopt;
  return found;
}

// An Event for the owner. Repeated passes make one series of it (event_recorder.hpp).
kube::Claim ChildKeeper::record(kube::Claim problem) {
  context_.events.record(owner_resource_, owner_, EventRecorder::Type::kWarning, problem.reason, "Reconcile",
                         problem.message);
  return problem;
}

MapFunction by_name(kube::Resource owner_resource, std::function<std::string(std::string_view)> name_of) {
  return [owner_resource = std::move(owner_resource), name_of = std::move(name_of)](
             const kube::Object& object, cache::Cache& cache) -> std::vector<kube::Key> {
    auto owners = cache.find(owner_resource);
    kube::Key key(object.ns(), name_of(object.name()));
    if (key.name.empty() || !owners || !(*owners)->get(key)) return {};
    return {key};
  };
}

}  // namespace keelson::controller
