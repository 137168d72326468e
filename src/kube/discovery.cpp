#include "keelson/detail/kube/discovery.hpp"

#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kube {

namespace {

Error not_served(const std::string& what) {
  Error missing(Error::Kind::kStatus, "");
  missing.code = 404;
  missing.reason = "NotFound";
  missing.server_text = what;
  return missing;
}

Task<json::Document> read_document(Client& client, std::string path) {
  ApiRequest request;
  request.raw_path = std::move(path);
  KEELSON_CO_LET(auto reply, co_await client.send(std::move(request)));
  co_return json::Document::parse(reply.body);
}

// The resource whose member `name` ("name" or "kind") is `value`. Subresources, which are listed like resources as
// "pods/status", are skipped.
std::optional<Resource> find_resource(json::View list, const Resource& in, const char* name, std::string_view value) {
  for (auto entry : list.find("resources").items()) {
    auto plural = entry.find("name").string().value_or("");
    if (plural.empty() || plural.find('/') != std::string_view::npos) continue;
    if (entry.find(name).string() != value) continue;
    return Resource(in.group, in.version, entry.find("kind").string().value_or(""), plural,
                    entry.find("namespaced").boolean().value_or(false));
  }
  return std::nullopt;
}

Task<Resource> find_in_version(Client& client, Resource in, const char* name, std::string value) {
  in.namespaced = false;
  KEELSON_CO_LET(auto list, co_await read_document(client, in.path("", "", "")));
  auto found = find_resource(list.root(), in, name, value);
  const std::string what = std::string_view(name) == "kind" ? "kind " : "resource ";
  if (!found) co_return not_served("no " + what + value + " in " + in.api_version());
  co_return std::move(*found);
}

Task<std::string> preferred_version(Client& client, std::string group) {
  if (group.empty()) co_return "v1";
  KEELSON_CO_LET(auto answer, co_await read_document(client, "/apis/" + group));
  auto version = answer.root().at({"preferredVersion", "version"}).string();
  if (!version) co_return malformed_error("the group " + group + " has no preferred version");
  co_return std::string(*version);
}

}  // namespace

Task<Resource> discover(Client& client, std::string group, std::string version, std::string kind) {
  auto context = "discover " + Resource(group, version, kind, "").api_version() + " " + kind;
  auto found = co_await find_in_version(client, Resource(group, version, "", ""), "kind", kind);
  if (!found) co_return std::move(found).error().with_context(context);
  co_return std::move(*found);
}

Task<Resource> discover_plural(Client& client, std::string group, std::string plural) {
  auto context = "discover " + Resource(group, "", "", plural).qualified_plural();
  auto version = co_await preferred_version(client, group);
  if (!version) co_return std::move(version).error().with_context(context);
  auto found = co_await find_in_version(client, Resource(group, *version, "", ""), "name", plural);
  if (!found) co_return std::move(found).error().with_context(context);
  co_return std::move(*found);
}

}  // namespace keelson::kube
