#include "website_directory.hpp"

#include "keelson/json/writer.hpp"
#include "keelson/kube/fields.hpp"
#include "website_children.hpp"

namespace website {
using namespace keelson;
namespace asio = boost::asio;

namespace {

kube::Key directory_of(const kube::Key& website) { return {website.ns, "websites"}; }

// A merge patch: only the one line is touched, whoever writes another one at the same time.
std::string line(const kube::Key& website, std::string_view value) {
  json::Writer out;
  out.begin_object().field("apiVersion", "v1").field("kind", "ConfigMap");
  out.key("metadata").begin_object().field("name", directory_of(website).name).end_object();
  out.key("data").begin_object().raw_field(website.name, value).end_object();
  out.end_object();
  return std::move(out).take();
}

}  // namespace

asio::awaitable<Result<void>> Directory::enter(kube::Key website) {
  if (has(website)) co_return Result<void>();
  const auto body = line(website, json::quoted(url_of(website)));
  auto patched =
      co_await kube::patch(context_.client, kube::config_maps(), directory_of(website), kube::PatchType::kMerge, body);
  if (patched) co_return Result<void>();
  if (!kube::is_not_found(patched.error())) co_return std::move(patched.error());
  // The first of this namespace. Somebody else may be it too: then the next try finds theirs.
  auto created = co_await kube::create(context_.client, kube::config_maps(), website.ns, body);
  if (!created) co_return std::move(created.error());
  co_return Result<void>();
}

asio::awaitable<Result<void>> Directory::leave(kube::Key website) {
  // Without a look at the cache, which may not know of the line yet.
  auto patched = co_await kube::patch(context_.client, kube::config_maps(), directory_of(website),
                                      kube::PatchType::kMerge, line(website, "null"));
  if (!patched && !kube::is_not_found(patched.error())) co_return std::move(patched.error());
  co_return Result<void>();
}

bool Directory::has(const kube::Key& website) const {
  auto directory = context_.informer(kube::config_maps()).get(directory_of(website));
  if (!directory) return false;
  auto fields = kube::Fields::of(*directory);
  return fields && fields->root().at({"data", website.name}).string() == url_of(website);
}

}  // namespace website
