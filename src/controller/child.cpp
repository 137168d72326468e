#include "keelson/controller/child.hpp"

#include <utility>

#include "keelson/controller/owner_reference.hpp"
#include "src/controller/child_steps.hpp"

namespace keelson::controller {

namespace {

constexpr const char* kNotOwned = "NotOwned";

Error not_owned(const kube::Resource& resource, const kube::Key& key, const kube::Resource& owner) {
  auto error = invalid(resource.kind + " " + key.text() + " exists and is not controlled by this " + owner.kind + ".");
  error.reason = kNotOwned;
  return error;
}

// Of versions of this operator that wrote as `keelson`.
boost::asio::awaitable<Result<kube::Object>> release_former_fields(kube::Client& client, kube::Resource resource,
                                                                   const kube::Object& child) {
  return kube::release_fields(client, std::move(resource), child.key(), std::string(child.uid()),
                              kube::OperatorName().text());
}

}  // namespace

bool is_not_owned(const Error& error) { return error.kind == Error::Kind::kInvalid && error.reason == kNotOwned; }

boost::asio::awaitable<Result<Child>> keep_child(kube::Client& client, kube::Resource resource,
                                                 kube::Resource owner_resource, kube::Object owner, std::string wanted,
                                                 std::optional<kube::Object> current, MayUpdate may_update) {
  auto plan = plan_child(resource, owner_resource, owner, wanted, current, client.operator_name());
  if (!plan) co_return std::move(plan).error();
  Child child;
  child.object = std::move(current);
  if (plan->action == ChildPlan::Action::kNothing) co_return child;
  if (plan->action == ChildPlan::Action::kForeign) co_return not_owned(resource, plan->key, owner_resource);
  if (plan->action == ChildPlan::Action::kWait) {
    child.outcome = Child::Outcome::kWaiting;
    co_return child;
  }
  bool creates = plan->action == ChildPlan::Action::kCreate;
  if (!creates && may_update) {
    auto may = co_await may_update();
    if (!may) co_return std::move(may).error();
    if (!*may) co_return child;
  }
  child.outcome = creates ? Child::Outcome::kCreated : Child::Outcome::kUpdated;
  if (plan->action != ChildPlan::Action::kTakeOver) {
    auto form = creates ? kube::ApplyForm::kCreateOnly : kube::ApplyForm::kUpdate;
    auto applied = co_await kube::apply(client, resource, plan->key, form, std::move(plan->body));
    if (!applied) co_return std::move(applied).error();
    child.object = std::move(applied->object);
  }
  if (!plan->takes_over) co_return child;
  auto released = co_await release_former_fields(client, std::move(resource), *child.object);
  if (!released) co_return std::move(released).error();
  child.object = std::move(*released);
  co_return child;
}

bool was_applied(const kube::Object& child, std::string_view wanted, const kube::OperatorName& name) {
  return child.annotation(name.annotation("applied-hash")) == hash_of(wanted);
}

boost::asio::awaitable<Result<Child>> create_child(kube::Client& client, kube::Resource resource,
                                                   kube::Resource owner_resource, kube::Object owner, kube::Key key,
                                                   std::string body) {
  Child child;
  auto applied = co_await kube::apply(client, resource, key, kube::ApplyForm::kCreateOnly, std::move(body));
  if (applied) {
    child.outcome = Child::Outcome::kCreated;
    child.object = std::move(applied->object);
    co_return child;
  }
  auto& conflict = applied.error();
  if (!kube::is_conflict(conflict) && !kube::is_already_exists(conflict)) co_return std::move(conflict);
  auto current = co_await kube::get(client, resource, key);
  // It has gone meanwhile, or the conflict was about something else.
  if (!current && kube::is_not_found(current.error())) co_return std::move(conflict);
  if (!current) co_return std::move(current).error();
  if (!is_controlled_by(*current, owner)) {
    bool waits = is_leaving(owner_resource, owner, *current);
    child.outcome = waits ? Child::Outcome::kWaiting : Child::Outcome::kForeign;
  }
  child.object = std::move(*current);
  co_return child;
}

}  // namespace keelson::controller
