// The verbs of the API for C++ structs: those of keelson/api, and any other with `kIdentity`, `metadata` and described
// fields.
//
//   auto web = co_await kube::get<apps::v1::Deployment>(client, {"default", "web"});
//   auto changed = *web;
//   changed.spec.replicas = 5;
//   auto scaled = co_await kube::patch(client, *web, changed);
//
// Fields that the struct does not have survive a patch, because it sends the difference of two structs; only a list
// that differs is replaced as a whole.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/identity.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

template <class T>
concept TypedObject = requires(const T& object) {
  { T::kIdentity } -> std::convertible_to<const Identity&>;
  { object.metadata.name } -> std::convertible_to<std::string>;
  { object.metadata.ns } -> std::convertible_to<std::string>;
};

namespace detail {
enum class Parts { kAll, kWithoutStatus };
[[nodiscard]] std::string object_text(const Identity& identity, const Type& type, const void* object, Parts parts);
[[nodiscard]] Result<void> read_object(const Object& object, const Type& type, void* out);
[[nodiscard]] Result<std::string> object_patch(const Type& type, const void* before, const void* after,
                                               std::string_view resource_version);
}  // namespace detail

// The whole object as JSON, apiVersion and kind included.
template <TypedObject T>
[[nodiscard]] std::string encode_object(const T& object) {
  return detail::object_text(T::kIdentity, type_of<T>(), &object, detail::Parts::kAll);
}

// The same without its status: what is desired, for a create or an apply.
template <TypedObject T>
[[nodiscard]] std::string encode_desired(const T& object) {
  return detail::object_text(T::kIdentity, type_of<T>(), &object, detail::Parts::kWithoutStatus);
}

// A wrong type is kMalformed and names the field: "spec.replicas: expected an integer". Of a projected object only the
// fields that its informer keeps are there.
template <TypedObject T>
[[nodiscard]] Result<T> decode_object(const Object& object) {
  T out{};
  KEELSON_TRY(detail::read_object(object, type_of<T>(), &out));
  return out;
}

template <TypedObject T>
[[nodiscard]] Key key_of(const T& object) {
  return {object.metadata.ns, object.metadata.name};
}

template <TypedObject T>
[[nodiscard]] boost::asio::awaitable<Result<T>> get(Client& client, Key key) {
  KEELSON_CO_LET(auto object, co_await get(client, resource_of<T>(), std::move(key)));
  co_return decode_object<T>(object);
}

template <class T>
struct TypedObjects {
  std::vector<T> items;
  std::string resource_version;
  std::string continue_token;
};

// Fails when one of them cannot be read, and names it.
template <TypedObject T>
[[nodiscard]] boost::asio::awaitable<Result<TypedObjects<T>>> list(Client& client, ListOptions options) {
  KEELSON_CO_LET(auto found, co_await list(client, resource_of<T>(), std::move(options)));
  TypedObjects<T> typed{{}, std::move(found.resource_version), std::move(found.continue_token)};
  for (const auto& object : found.items) {
    auto read = decode_object<T>(object);
    if (!read) co_return std::move(read).error().within(object.key().text());
    typed.items.push_back(std::move(*read));
  }
  co_return typed;
}

template <TypedObject T>
[[nodiscard]] boost::asio::awaitable<Result<T>> create(Client& client, T object) {
  KEELSON_CO_LET(auto made, co_await create(client, resource_of<T>(), object.metadata.ns, encode_desired(object)));
  co_return decode_object<T>(made);
}

// Server-side apply of the fields that are set, and of those that are required, even if they are empty. kUpdate needs
// metadata.uid of the object that is meant. The status is sent to subresource "status" only.
template <TypedObject T>
[[nodiscard]] boost::asio::awaitable<Result<T>> apply(Client& client, T object, ApplyForm form,
                                                      std::string subresource = "") {
  auto body = subresource == "status" ? encode_object(object) : encode_desired(object);
  KEELSON_CO_LET(auto applied, co_await apply(client, resource_of<T>(), key_of(object), form, std::move(body),
                                              std::move(subresource)));
  co_return decode_object<T>(applied.object);
}

// Sends what differs between `before`, an object that was read, and `after`, as a merge patch. Conflicts (409) when the
// object has changed since. Returns `before` without a request when nothing differs.
template <TypedObject T>
[[nodiscard]] boost::asio::awaitable<Result<T>> patch(Client& client, T before, T after, std::string subresource = "") {
  KEELSON_CO_LET(auto body, detail::object_patch(type_of<T>(), &before, &after, before.metadata.resource_version));
  if (body.empty()) co_return before;
  KEELSON_CO_LET(auto object, co_await patch(client, resource_of<T>(), key_of(before), PatchType::kMerge,
                                             std::move(body), std::move(subresource)));
  co_return decode_object<T>(object);
}

// Done also when the object only got its deletionTimestamp.
template <TypedObject T>
[[nodiscard]] boost::asio::awaitable<Result<void>> remove(Client& client, Key key, DeleteOptions options = {}) {
  co_return co_await remove(client, resource_of<T>(), std::move(key), std::move(options));
}

}  // namespace keelson::kube
