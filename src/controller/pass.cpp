#include "keelson/controller/pass.hpp"

#include "keelson/controller/child.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/status.hpp"

namespace keelson::controller {

namespace {

constexpr const char* kChildDeleting = "ChildDeleting";

}  // namespace

bool is_waiting(const Error& error) { return error.kind == Error::Kind::kInvalid && error.reason == kChildDeleting; }

BasicPass::BasicPass(Context& context, kube::Resource resource, kube::Object object, Logger logger,
                     std::vector<kube::Condition>* conditions)
    : log(std::move(logger)),
      clock(context.clock),
      client(context.client),
      context_(context),
      resource_(std::move(resource)),
      object_(std::move(object)),
      conditions_(conditions) {}

boost::asio::awaitable<Result<kube::Object>> BasicPass::apply_text(kube::Resource resource, kube::Key key,
                                                                   std::string desired) {
  auto current = context_.informer(resource).get(key);
  const bool creates = !current;
  auto child = co_await keep_child(client, resource, resource_, object_, std::move(desired), std::move(current));
  if (!child) {
    note_problem(resource, key, creates, child.error());
    co_return std::move(child).error();
  }
  const bool is_leaving = child->object && child->object->deleting();
  if (child->outcome == Child::Outcome::kWaiting || is_leaving) {
    auto error = invalid(resource.kind + " " + key.text() + " is being deleted.");
    error.reason = kChildDeleting;
    if (!problem_) problem_ = {kube::Readiness::kReconciling, kChildDeleting, error.text};
    co_return error;
  }
  if (child->was_written()) {
    const auto& kind = resource.kind;
    log.info(child->outcome == Child::Outcome::kCreated ? "Creating a new " + kind + "." : "Updating the " + kind + ".",
             {{kind + ".Namespace", key.ns}, {kind + ".Name", key.name}});
  }
  co_return std::move(*child->object);
}

std::vector<kube::Object> BasicPass::controlled(const kube::Resource& resource) const {
  auto owned = context_.informer(resource).owned_by(object_);
  std::erase_if(owned, [&](const kube::Object& child) { return !is_controlled_by(child, object_); });
  return owned;
}

// The first problem of a pass is reported: those of later children may follow from it.
void BasicPass::note_problem(const kube::Resource& resource, const kube::Key& key, bool creates, const Error& error) {
  std::optional<Problem> problem;
  if (is_not_owned(error)) {
    problem = {kube::Readiness::kStalled, "NotOwned", error.text};
  } else if (is_refusal(error)) {
    const auto& words = error.server_text.empty() ? error.text : error.server_text;
    problem = {kube::Readiness::kStalled, creates ? "CreateFailed" : "UpdateFailed",
               resource.kind + " " + key.text() + ": " + words};
  }
  if (!problem) return;
  warning(problem->reason, problem->message);
  if (!problem_) problem_ = std::move(problem);
}

void BasicPass::event(std::string reason, std::string note) {
  context_.events.record(resource_, object_, EventRecorder::Type::kNormal, std::move(reason), "Reconcile",
                         std::move(note));
}

void BasicPass::warning(std::string reason, std::string note) {
  context_.events.record(resource_, object_, EventRecorder::Type::kWarning, std::move(reason), "Reconcile",
                         std::move(note));
}

Error BasicPass::was_read(const kube::Resource& resource) {
  return invalid("apply " + resource.kind +
                 ": the object was read from the API server; build a new one with the fields to set");
}

void BasicPass::clear_problem() {
  const auto* stalled = kube::find_condition(*conditions_, "Stalled");
  const auto* reconciling = kube::find_condition(*conditions_, "Reconciling");
  const auto is_ours = [](const kube::Condition* condition) {
    if (condition == nullptr) return false;
    const auto& reason = condition->reason;
    return reason == "NotOwned" || reason == "CreateFailed" || reason == "UpdateFailed" || reason == kChildDeleting;
  };
  if (!is_ours(stalled) && !is_ours(reconciling)) return;
  for (const auto* type : {"Ready", "Reconciling", "Stalled"}) kube::remove_condition(*conditions_, type);
}

void BasicPass::set_readiness(kube::Readiness readiness, std::string reason, std::string message) {
  has_readiness_ = true;
  kube::set_readiness(*conditions_, readiness, std::move(reason), std::move(message), object_.generation(),
                      clock.wall_now());
}

void BasicPass::set_condition(std::string_view type, bool holds, std::string reason, std::string message) {
  kube::set_claim(*conditions_, type, {holds, std::move(reason), std::move(message)}, object_.generation(),
                  clock.wall_now());
}

}  // namespace keelson::controller
