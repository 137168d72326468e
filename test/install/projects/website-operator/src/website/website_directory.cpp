#include "website/website_directory.hpp"

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/json/writer.hpp"
#include "website/website_children.hpp"

namespace website {
using namespace keelson;
namespace asio = boost::asio;

namespace {

kube::Key directory_of(const Website& website) { return {website.ns(), "websites"}; }

// A merge patch: it changes only this entry, also if another one is written at the same time.
std::string entry_patch(const Website& website, std::string_view value) {
  json::Writer out;
  out.begin_object().field("apiVersion", "v1").field("kind", "ConfigMap");
  out.key("metadata").begin_object().field("name", directory_of(website).name).end_object();
  out.key("data").begin_object().raw_field(website.name(), value).end_object();
  out.end_object();
  return std::move(out).take();
}

}  // namespace

Task<void> enter_directory(const Website& website, Pass<Website>& pass) {
  KEELSON_CO_LET(const auto directory, pass.get<core::v1::ConfigMap>(directory_of(website)));
  if (directory) {
    const auto entry = directory->data.find(website.name());
    if (entry != directory->data.end() && entry->second == url_of(website)) co_return Result<void>();
  }
  const auto body = entry_patch(website, json::quoted(url_of(website)));
  const auto patched =
      co_await kube::patch(pass.client, kube::config_maps(), directory_of(website), kube::PatchType::kMerge, body);
  if (patched) co_return Result<void>();
  if (!kube::is_not_found(patched.error())) co_return patched.error();
  // The first entry of this namespace. If another Website creates the ConfigMap first, the next try patches it.
  KEELSON_CO_TRY(co_await kube::create(pass.client, kube::config_maps(), website.ns(), body));
  co_return Result<void>();
}

Task<void> leave_directory(const Website& website, Pass<Website>& pass) {
  // The cache may not have the entry yet, so the entry is removed without reading it.
  const auto patched = co_await kube::patch(pass.client, kube::config_maps(), directory_of(website),
                                            kube::PatchType::kMerge, entry_patch(website, "null"));
  if (!patched && !kube::is_not_found(patched.error())) co_return patched.error();
  co_return Result<void>();
}

}  // namespace website
