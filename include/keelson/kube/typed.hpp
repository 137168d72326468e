// The verbs for kinds of ours: an object's spec and status as the structs that describe them, its metadata as it came.
//
//   auto web = co_await kube::get_typed<MemcachedSpec, MemcachedStatus>(client, kMemcached, {"default", "web"});
//   auto spec = web->spec;
//   spec.size = 5;
//   auto scaled = co_await kube::patch_spec(client, kMemcached, *web, spec);
//
// What the structs do not know is left alone: a change is sent as the difference of two structs.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

template <class Spec, class Status>
struct Typed {
  Object object;
  Spec spec;
  Status status;
};

namespace detail {
[[nodiscard]] std::string new_object(const Resource& resource, const Key& key, std::string_view spec);
// A merge patch of `member` from one text to the other that only the object's known resourceVersion takes.
[[nodiscard]] Result<std::string> change_of(std::string_view member, const Object& object, std::string_view before,
                                            std::string_view after);
}  // namespace detail

// A wrong type is kMalformed and names the field: "spec.size: expected an integer".
template <class Spec, class Status>
[[nodiscard]] Result<Typed<Spec, Status>> read_typed(Object object) {
  auto document = json::Document::parse(object.json());
  if (!document) return std::move(document).error();
  auto spec = decode<Spec>(document->root().find("spec"), "spec");
  if (!spec) return std::move(spec).error();
  auto status = decode<Status>(document->root().find("status"), "status");
  if (!status) return std::move(status).error();
  return Typed<Spec, Status>{std::move(object), std::move(*spec), std::move(*status)};
}

template <class Spec, class Status>
[[nodiscard]] boost::asio::awaitable<Result<Typed<Spec, Status>>> get_typed(Client& client, Resource resource,
                                                                            Key key) {
  auto object = co_await get(client, std::move(resource), std::move(key));
  if (!object) co_return std::move(object).error();
  co_return read_typed<Spec, Status>(std::move(*object));
}

template <class Spec, class Status>
struct TypedList {
  std::vector<Typed<Spec, Status>> items;
  std::string resource_version;
  std::string continue_token;
};

// Fails when one of them cannot be read.
template <class Spec, class Status>
[[nodiscard]] boost::asio::awaitable<Result<TypedList<Spec, Status>>> list_typed(Client& client, Resource resource,
                                                                                 ListOptions options) {
  auto found = co_await list(client, std::move(resource), std::move(options));
  if (!found) co_return std::move(found).error();
  TypedList<Spec, Status> typed{{}, std::move(found->resource_version), std::move(found->continue_token)};
  for (auto& object : found->items) {
    auto context = object.key().text();
    auto read = read_typed<Spec, Status>(std::move(object));
    if (!read) co_return std::move(read).error().within(context);
    typed.items.push_back(std::move(*read));
  }
  co_return typed;
}

template <class Spec, class Status>
[[nodiscard]] boost::asio::awaitable<Result<Typed<Spec, Status>>> create_typed(Client& client, Resource resource,
                                                                               Key key, Spec spec) {
  auto body = detail::new_object(resource, key, encode(spec));
  auto object = co_await create(client, std::move(resource), std::move(key.ns), std::move(body));
  if (!object) co_return std::move(object).error();
  co_return read_typed<Spec, Status>(std::move(*object));
}

// Conflicts (409) when the object has changed since it was read.
template <class Spec, class Status>
[[nodiscard]] boost::asio::awaitable<Result<Typed<Spec, Status>>> patch_spec(Client& client, Resource resource,
                                                                             Typed<Spec, Status> read, Spec spec) {
  auto body = detail::change_of("spec", read.object, encode(read.spec), encode(spec));
  if (!body) co_return std::move(body).error();
  auto object = co_await patch(client, std::move(resource), read.object.key(), PatchType::kMerge, std::move(*body));
  if (!object) co_return std::move(object).error();
  co_return read_typed<Spec, Status>(std::move(*object));
}

// The same through the status subresource. (Reconcilers: controller::apply_status, which needs no read.)
template <class Spec, class Status>
[[nodiscard]] boost::asio::awaitable<Result<Typed<Spec, Status>>> patch_status(Client& client, Resource resource,
                                                                               Typed<Spec, Status> read,
                                                                               Status status) {
  auto body = detail::change_of("status", read.object, encode(read.status), encode(status));
  if (!body) co_return std::move(body).error();
  auto object =
      co_await patch(client, std::move(resource), read.object.key(), PatchType::kMerge, std::move(*body), "status");
  if (!object) co_return std::move(object).error();
  co_return read_typed<Spec, Status>(std::move(*object));
}

}  // namespace keelson::kube
