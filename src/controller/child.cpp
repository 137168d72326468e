#include "src/controller/child.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "src/controller/blocking_fields.hpp"
#include "src/controller/child_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// The items of a list of a built-in kind have no apiVersion and kind, which a desired state has.
Result<kube::Object> with_type(const kube::Resource& resource, kube::Object item) {
  const auto metadata = json::scan_metadata(item.json());
  if (!metadata || !metadata->api_version.empty()) return item;
  auto json = R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind + "\",";
  json += item.json().substr(item.json().find('{') + 1);
  return kube::Object::from_json(json);
}

// True: the object has changed, so that an apply of `desired` removes the fields that caused `rejection`.
Task<bool> take_over_fields(kube::Client& client, kube::Resource resource, kube::Key key, std::string desired,
                            Error rejection) {
  KEELSON_CO_LET(const auto list, co_await read_live_list(client, resource, key));
  KEELSON_CO_LET(const auto document, json::Document::parse(desired));
  auto patch =
      take_over_patch(list.root().find("items").item(0), document.root(), rejection, client.operator_name().text());
  if (!patch) co_return false;
  KEELSON_CO_TRY(
      co_await kube::patch(client, std::move(resource), std::move(key), kube::PatchType::kJson, std::move(*patch)));
  co_return true;
}

Task<kube::Applied> update_child(kube::Client& client, kube::Resource resource, kube::Key key, std::string body) {
  auto applied = co_await kube::apply(client, resource, key, kube::ApplyForm::kUpdate, body);
  if (applied || !kube::is_invalid(applied.error())) co_return applied;
  // In a dry run nothing changes, so the repeated apply would be rejected, too.
  auto was_changed = co_await take_over_fields(client, resource, key, body, applied.error());
  if (!was_changed || !*was_changed) co_return applied;
  co_return co_await kube::apply(client, std::move(resource), std::move(key), kube::ApplyForm::kUpdate,
                                 std::move(body));
}

}  // namespace

Error not_owned(const kube::Resource& resource, const kube::Key& key, const kube::Resource& owner) {
  return {Error::Kind::kNotOwned,
          resource.kind + " " + key.text() + " exists and is not controlled by this " + owner.kind + "."};
}

Task<Child> apply_child(kube::Client& client, kube::Resource resource, kube::Resource owner_resource,
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
  auto writing = creates ? kube::apply(client, resource, plan.key, kube::ApplyForm::kCreateOnly, std::move(plan.body))
                         : update_child(client, resource, plan.key, std::move(plan.body));
  KEELSON_CO_LET(auto applied, co_await std::move(writing));
  child.outcome = creates ? Child::Outcome::kCreated : Child::Outcome::kUpdated;
  child.object = std::move(applied.object);
  co_return child;
}

bool was_applied(const kube::Object& child, std::string_view desired, const kube::OperatorName& name) {
  return child.annotation(name.annotation(kHashKey)) == hash_of(desired);
}

Task<Child> create_child(kube::Client& client, kube::Resource resource, kube::Resource owner_resource,
                         kube::Object owner, std::string desired) {
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

Task<std::optional<kube::Object>> read_live(kube::Client& client, kube::Resource resource, kube::Key key) {
  kube::ListOptions options;
  options.ns = key.ns;
  options.fields = "metadata.name=" + key.name;
  const auto type = resource;
  KEELSON_CO_LET(auto found, co_await kube::list(client, std::move(resource), std::move(options)));
  const auto place = std::ranges::find(found.items, key, &kube::Object::key);
  if (place == found.items.end()) co_return std::optional<kube::Object>();
  KEELSON_CO_LET(auto whole, with_type(type, std::move(*place)));
  co_return std::optional(std::move(whole));
}

Task<json::Document> read_live_list(kube::Client& client, kube::Resource resource, kube::Key key) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kList;
  request.resource = std::move(resource);
  request.key = kube::Key(key.ns, "");
  request.query = {{"fieldSelector", "metadata.name=" + key.name}};
  KEELSON_CO_LET(const auto reply, co_await client.send(std::move(request)));
  co_return json::Document::parse(reply.body);
}

}  // namespace keelson::controller
