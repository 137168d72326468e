#include "keelson/kube/discovery.hpp"

#include "keelson/json/value.hpp"

namespace keelson::kube {

namespace {

// Subresources are listed like resources, as "pods/status": only whole kinds are wanted.
Result<Resource> find_kind(const ApiReply& reply, const Resource& wanted) {
  auto document = json::Document::parse(reply.body);
  if (!document) return std::move(document).error();
  for (auto entry : document->root().find("resources").items()) {
    auto name = entry.find("name").string().value_or("");
    if (name.empty() || name.find('/') != std::string_view::npos) continue;
    if (entry.find("kind").string() != std::string_view(wanted.kind)) continue;
    return Resource(wanted.group, wanted.version, wanted.kind, name,
                    entry.find("namespaced").boolean().value_or(false));
  }
  Error missing(Error::Kind::kStatus, "");
  missing.code = 404;
  missing.reason = "NotFound";
  missing.server_text = "no kind " + wanted.kind + " in " + wanted.api_version();
  return missing;
}

}  // namespace

boost::asio::awaitable<Result<Resource>> discover(Client& client, std::string group, std::string version,
                                                  std::string kind) {
  Resource wanted(group, version, kind, "");
  ApiRequest request;
  request.resource = wanted;
  request.raw_path = Resource(group, version, kind, "", false).path("", "", "");
  auto context = "discover " + wanted.api_version() + " " + kind;
  auto reply = co_await client.send(std::move(request));
  if (!reply) co_return std::move(reply).error().within(context);
  auto found = find_kind(*reply, wanted);
  if (!found) co_return std::move(found).error().within(context);
  co_return std::move(*found);
}

}  // namespace keelson::kube
