#include "src/doctor/manager.hpp"

#include <cstdint>
#include <vector>

#include "keelson/base/counted.hpp"
#include "keelson/base/nearest.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

namespace {

// cache-stale has it, with its cause.
bool is_about_failing_watch(std::string_view what) { return what.starts_with("Watch of ") && what.ends_with(" fails"); }

// The finding about the lease has it, with its cause.
bool is_about_lease(std::string_view what, const Findings& findings) {
  return what.starts_with("Lease ") &&
         (findings.has("lease-expired") || findings.has("lease-released") || findings.has("lease-missing"));
}

// The API server names the permission. A proxy on the way to the pod answers with 403 and words of its own.
bool lacks_permission(const Error& error) {
  return kube::is_forbidden(error) && error.server_text.find(" cannot ") != std::string::npos;
}

// Objects of one kind with one condition are a group. Anything else is alone.
std::string group_of_item(json::View item) {
  const auto key = text_at(item, {"key"});
  return key.empty() ? "" : text_at(item, {"kind"}) + " " + text_at(item, {"condition"});
}

bool is_examined(json::View item, const std::set<std::string>& examined) {
  const auto resource = text_at(item, {"resource"});
  const auto key = text_at(item, {"key"});
  return examined.contains(resource) || (!key.empty() && examined.contains(resource + "/" + key));
}

}  // namespace

void check_attention(const std::string& pod, const Reading& statusz, const std::set<std::string>& examined,
                     Findings& findings) {
  if (!statusz) {
    const auto& error = statusz.error();
    if (lacks_permission(error)) {
      findings.add_unreadable(Area::kManager, error);
    } else {
      findings.add("manager-not-asked", "pods/" + pod, error.message());
    }
    return;
  }
  const auto root = statusz->root();
  const auto attention = root.find("attention");
  if (attention.is_absent()) {
    findings.add("manager-not-asked", "pods/" + pod, "its version has no list of problems in its /statusz");
    return;
  }
  std::size_t items = 0;
  for (const auto item : attention.items()) {
    const auto what = text_at(item, {"what"});
    ++items;
    if (is_about_failing_watch(what) || is_about_lease(what, findings) || is_examined(item, examined)) continue;
    findings.add("manager-attention", what, text_at(item, {"details"}), group_of_item(item));
  }
  findings.summarize(Area::kManager, "pods/" + pod + " reports " + base::counted(items, "problem"));
}

std::string similar_name(const std::string& name, const Reading& list) {
  if (!list) return "";
  std::vector<std::string_view> known;
  for (const auto item : list->root().find("items").items()) {
    known.push_back(item.at({"metadata", "name"}).string().value_or(""));
  }
  const auto meant = base::nearest(name, known);
  return meant ? "did you mean " + std::string(*meant) + "?" : "";
}

}  // namespace keelson::doctor
