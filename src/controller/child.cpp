#include "keelson/controller/child.hpp"

#include <utility>

#include "src/controller/child_steps.hpp"

namespace keelson::controller {

boost::asio::awaitable<Result<Child>> keep_child(kube::Client& client, kube::Resource resource,
                                                 kube::Resource owner_resource, kube::Object owner, std::string wanted,
                                                 std::optional<kube::Object> current) {
  auto plan = plan_child(resource, owner_resource, owner, wanted, current);
  if (!plan) co_return std::move(plan).error();
  Child child;
  child.object = std::move(current);
  if (plan->action == ChildPlan::Action::kNothing) co_return child;
  if (plan->action == ChildPlan::Action::kForeign) {
    child.outcome = Child::Outcome::kForeign;
    co_return child;
  }
  if (plan->action == ChildPlan::Action::kWait) {
    child.outcome = Child::Outcome::kWaiting;
    co_return child;
  }
  bool creates = plan->action == ChildPlan::Action::kCreate;
  auto form = creates ? kube::ApplyForm::kCreateOnly : kube::ApplyForm::kUpdate;
  auto applied = co_await kube::apply(client, resource, plan->key, form, std::move(plan->body));
  if (!applied) co_return std::move(applied).error();
  child.outcome = creates ? Child::Outcome::kCreated : Child::Outcome::kUpdated;
  child.object = std::move(applied->object);
  co_return child;
}

}  // namespace keelson::controller
