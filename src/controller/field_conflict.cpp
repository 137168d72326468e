#include "src/controller/field_conflict.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "keelson/controller/own_condition.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/json/value.hpp"
#include "src/controller/child.hpp"
#include "src/controller/conflict_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// A list with one object needs only the permission that the watch has. Empty if the child cannot be read.
asio::awaitable<std::optional<std::vector<std::string>>> other_managers(kube::Client& client, kube::Resource resource,
                                                                        kube::Key key, const ManagedField& field) {
  const auto list = co_await read_live_list(client, std::move(resource), std::move(key));
  if (!list) co_return std::nullopt;
  auto managers = managers_of(list->root().find("items").item(0).at({"metadata", "managedFields"}), field);
  std::erase(managers, client.operator_name().text());
  co_return managers;
}

}  // namespace

asio::awaitable<std::string> conflict_message(kube::Client& client, kube::Resource resource, kube::Key key,
                                              ManagedField field) {
  const auto& own = client.operator_name().text();
  auto text = resource.kind + " " + key.text() + ": " + field.text() + " is changed by ";
  const auto others = co_await other_managers(client, std::move(resource), std::move(key), field);
  if (!others) {
    text += "another writer";
  } else if (others->empty()) {
    text +=
        "another process with the field manager " + own + ", an admission webhook, or a client that removes the field,";
  } else {
    text += "the field manager " + base::join(*others, " and ");
  }
  co_return text + " and corrected by the field manager " + own + " again and again. It is now corrected once per " +
      base::format_go_duration(kContestedInterval) + ": let only one of them set the field.";
}

const kube::Condition* own_conflict(const std::vector<kube::Condition>& conditions) {
  const auto* condition = kube::find_condition(conditions, kConflictCondition);
  return condition != nullptr && condition->reason == kFieldConflict ? condition : nullptr;
}

}  // namespace keelson::controller
