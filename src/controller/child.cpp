#include "src/controller/child.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "src/controller/child_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

constexpr const char* kNotOwned = "NotOwned";

// Releases the fields that earlier versions of this operator applied as `keelson`.
asio::awaitable<Result<kube::Object>> release_former_fields(kube::Client& client, kube::Resource resource,
                                                            const kube::Object& child) {
  return kube::release_fields(client, std::move(resource), child.key(), std::string(child.uid()),
                              kube::OperatorName().text());
}

}  // namespace

json::Projection applied_hashes(const kube::OperatorName& name) {
  return json::Projection::of({{"metadata", "annotations", name.annotation(kHashKey)}})
      .merged(json::Projection::of({{"metadata", "annotations", kAppliedHash}}));
}

Error not_owned(const kube::Resource& resource, const kube::Key& key, const kube::Resource& owner) {
  auto error =
      invalid_error(resource.kind + " " + key.text() + " exists and is not controlled by this " + owner.kind + ".");
  error.reason = kNotOwned;
  return error;
}

bool is_not_owned(const Error& error) { return error.kind == Error::Kind::kInvalid && error.reason == kNotOwned; }

asio::awaitable<Result<Child>> apply_child(kube::Client& client, kube::Resource resource, kube::Resource owner_resource,
                                           kube::Object owner, std::string desired, std::optional<kube::Object> current,
                                           BeforeUpdate before_update) {
  KEELSON_CO_LET(auto plan, plan_child(resource, owner_resource, owner, desired, current, client.operator_name()));
  Child child;
  child.object = std::move(current);
  if (plan.action == ChildPlan::Action::kNothing) co_return child;
  if (plan.action == ChildPlan::Action::kNotOwned) co_return not_owned(resource, plan.key, owner_resource);
  if (plan.action == ChildPlan::Action::kWait) {
    child.outcome = Child::Outcome::kWaiting;
    co_return child;
  }
  const bool creates = plan.action == ChildPlan::Action::kCreate;
  if (!creates && before_update) {
    KEELSON_CO_LET(const auto may_update, co_await before_update(std::move(plan.update)));
    if (!may_update) {
      child.outcome = Child::Outcome::kHeldBack;
      co_return child;
    }
  }
  if (plan.action == ChildPlan::Action::kTakeOver) {
    KEELSON_CO_LET(child.object, co_await release_former_fields(client, resource, *child.object));
    child.outcome = Child::Outcome::kUpdated;
    co_return child;
  }
  const auto form = creates ? kube::ApplyForm::kCreateOnly : kube::ApplyForm::kUpdate;
  KEELSON_CO_LET(auto applied, co_await kube::apply(client, resource, plan.key, form, std::move(plan.body)));
  child.outcome = creates ? Child::Outcome::kCreated : Child::Outcome::kUpdated;
  child.object = std::move(applied.object);
  if (plan.takes_over) {
    KEELSON_CO_LET(child.object, co_await release_former_fields(client, resource, *child.object));
  }
  co_return child;
}

bool was_applied(const kube::Object& child, std::string_view desired, const kube::OperatorName& name) {
  return child.annotation(name.annotation(kHashKey)) == hash_of(desired);
}

asio::awaitable<Result<Child>> create_child(kube::Client& client, kube::Resource resource,
                                            kube::Resource owner_resource, kube::Object owner, std::string desired) {
  KEELSON_CO_LET(auto plan, plan_creation(resource, owner_resource, owner, desired));
  Child child;
  auto applied = co_await kube::apply(client, resource, plan.key, kube::ApplyForm::kCreateOnly, std::move(plan.body));
  if (applied) {
    child.outcome = Child::Outcome::kCreated;
    child.object = std::move(applied->object);
    co_return child;
  }
  auto& conflict = applied.error();
  if (!kube::is_conflict(conflict) && !kube::is_already_exists(conflict)) co_return std::move(conflict);
  KEELSON_CO_LET(auto current, co_await read_live(client, resource, plan.key));
  // The object is gone now, or the conflict was about something else.
  if (!current) co_return std::move(conflict);
  if (!is_controlled_by(*current, owner)) {
    if (!is_leaving(owner_resource, owner, *current)) co_return not_owned(resource, plan.key, owner_resource);
    child.outcome = Child::Outcome::kWaiting;
  }
  child.object = std::move(current);
  co_return child;
}

asio::awaitable<Result<std::optional<kube::Object>>> read_live(kube::Client& client, kube::Resource resource,
                                                               kube::Key key) {
  kube::ListOptions options;
  options.ns = key.ns;
  options.fields = "metadata.name=" + key.name;
  KEELSON_CO_LET(auto found, co_await kube::list(client, std::move(resource), std::move(options)));
  for (auto& item : found.items) {
    if (item.key() == key) co_return std::optional(std::move(item));
  }
  co_return std::optional<kube::Object>();
}

}  // namespace keelson::controller
