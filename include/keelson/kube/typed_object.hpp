// The verbs of the API for C++ structs: the kinds of keelson/api, and any struct with `kIdentity`, `metadata` and
// described fields. Prefer them to the untyped verbs of client.hpp, on which they are built; its example has get() and
// patch().
//
// Example (test/examples/kube.cpp#typed):
//   // Deletes the selected ConfigMaps of a namespace, a page of 100 at a time.
//   keelson::Task<void> clean_up(kube::Client& client, std::string ns, kube::Selector web) {
//     kube::ListOptions options{.ns = std::move(ns), .labels = std::move(web), .limit = 100};
//     do {
//       KEELSON_CO_LET(auto page, co_await kube::list<core::v1::ConfigMap>(client, options));
//       for (const auto& found : page.items) {
//         kube::DeleteOptions exactly{.uid = found.metadata.uid};
//         KEELSON_CO_TRY(co_await kube::remove<core::v1::ConfigMap>(client, kube::key_of(found), std::move(exactly)));
//       }
//       options.continue_token = std::move(page.continue_token);
//     } while (!options.continue_token.empty());
//     co_return keelson::Result<void>();
//   }
//
// A struct may have a part of the kind's fields. Fields that it lacks survive a patch, because patch() sends the
// difference of two structs; only a list that differs is replaced as a whole. There is no update(): a PUT would remove
// such fields.
//
// Errors, cancellation and lifetimes are those of client.hpp. In addition, a reply with a field of the wrong type is
// kMalformed and names the field. The write was stored nevertheless.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::kube {

// A struct for one kind: `static constexpr kube::Identity kIdentity`, and a member `metadata` with `name` and `ns`
// (meta::v1::ObjectMeta). Its fields need a describe() or a table (describe.hpp).
template <class T>
concept TypedObject = requires(const T& object) {
  { T::kIdentity } -> std::convertible_to<const Identity&>;
  { object.metadata.name } -> std::convertible_to<std::string>;
  { object.metadata.ns } -> std::convertible_to<std::string>;
};

// Not templates, so that each verb costs little code per struct.
namespace detail {
enum class Parts { kAll, kWithoutStatus };
[[nodiscard]] std::string object_text(const Identity& identity, const Type& type, const void* object, Parts parts);
[[nodiscard]] Result<void> read_object(const Object& object, const Type& type, void* out);
// The merge patch from `before` to `after`, with the resourceVersion; empty if nothing differs.
[[nodiscard]] Result<std::string> object_patch(const Type& type, const void* before, const void* after,
                                               std::string_view resource_version);
}  // namespace detail

// The whole object as JSON, with apiVersion and kind.
template <TypedObject T>
[[nodiscard]] std::string encode_object(const T& object) {
  return detail::object_text(T::kIdentity, type_of<T>(), &object, detail::Parts::kAll);
}

// The same without its status: the desired state, for a create or an apply. (A status is written to its subresource.)
template <TypedObject T>
[[nodiscard]] std::string encode_desired(const T& object) {
  return detail::object_text(T::kIdentity, type_of<T>(), &object, detail::Parts::kWithoutStatus);
}

// The object as a struct. Absent fields have the struct's initial values, and unknown fields are ignored. A wrong type
// is kMalformed and names the field: "spec.replicas: expected an integer". A projected object has only the fields that
// its informer stores; the others look absent, without an error.
template <TypedObject T>
[[nodiscard]] Result<T> decode_object(const Object& object) {
  T out{};
  KEELSON_TRY(detail::read_object(object, type_of<T>(), &out));
  return out;
}

// Namespace and name from the metadata.
template <TypedObject T>
[[nodiscard]] Key key_of(const T& object) {
  return {object.metadata.ns, object.metadata.name};
}

// Reads one object from the API server, not from the cache. is_not_found() if it does not exist.
template <TypedObject T>
[[nodiscard]] Task<T> get(Client& client, Key key) {
  KEELSON_CO_LET(auto object, co_await get(client, resource_of<T>(), std::move(key)));
  co_return decode_object<T>(object);
}

// One page of a typed list.
template <class T>
struct TypedObjects {
  std::vector<T> items;
  std::string resource_version;  // of the collection
  std::string continue_token;    // empty on the last page
};

// Reads one page of objects. Fails if one of them cannot be decoded; the error names it.
template <TypedObject T>
[[nodiscard]] Task<TypedObjects<T>> list(Client& client, ListOptions options) {
  KEELSON_CO_LET(auto found, co_await list(client, resource_of<T>(), std::move(options)));
  TypedObjects<T> typed{{}, std::move(found.resource_version), std::move(found.continue_token)};
  for (const auto& object : found.items) {
    auto read = decode_object<T>(object);
    if (!read) co_return std::move(read).error().with_context(object.key().text());
    typed.items.push_back(std::move(*read));
  }
  co_return typed;
}

// Creates the object, without its status, in metadata.ns. is_already_exists() if the name exists. Returns the stored
// object with its uid and the API server's defaults.
template <TypedObject T>
[[nodiscard]] Task<T> create(Client& client, T object) {
  KEELSON_CO_LET(auto made, co_await create(client, resource_of<T>(), object.metadata.ns, encode_desired(object)));
  co_return decode_object<T>(made);
}

// Server-side apply of the fields that are set, and of the required ones even if they are empty: the operator owns them
// afterwards. kUpdate needs the metadata.uid of the object to change (ApplyForm). The status is sent only if
// `subresource` is "status".
template <TypedObject T>
[[nodiscard]] Task<T> apply(Client& client, T object, ApplyForm form, std::string subresource = "") {
  auto body = subresource == "status" ? encode_object(object) : encode_desired(object);
  KEELSON_CO_LET(auto applied, co_await apply(client, resource_of<T>(), key_of(object), form, std::move(body),
                                              std::move(subresource)));
  co_return decode_object<T>(applied.object);
}

// The same with a field manager of your own, and without force by default (ApplyOptions): for a few fields of an object
// that users or other programs write, too. Use a struct with these fields only, because an apply sends the required
// fields of a struct even if they are empty.
template <TypedObject T>
[[nodiscard]] Task<T> apply(Client& client, T object, ApplyOptions options) {
  auto body = options.subresource == "status" ? encode_object(object) : encode_desired(object);
  KEELSON_CO_LET(auto applied,
                 co_await apply(client, resource_of<T>(), key_of(object), std::move(options), std::move(body)));
  co_return decode_object<T>(applied.object);
}

// Sends the difference between `before`, an object that was read, and `after` as a merge patch with the resourceVersion
// of `before`: 409 (is_conflict) if the object has changed since it was read. Returns `before` without a request if
// nothing differs.
template <TypedObject T>
[[nodiscard]] Task<T> patch(Client& client, T before, T after, std::string subresource = "") {
  KEELSON_CO_LET(auto body, detail::object_patch(type_of<T>(), &before, &after, before.metadata.resource_version));
  if (body.empty()) co_return before;
  KEELSON_CO_LET(auto object, co_await patch(client, resource_of<T>(), key_of(before), PatchType::kMerge,
                                             std::move(body), std::move(subresource)));
  co_return decode_object<T>(object);
}

// Deletes the object. Succeeds even if it only got its deletionTimestamp, because finalizers delay its removal.
template <TypedObject T>
[[nodiscard]] Task<void> remove(Client& client, Key key, DeleteOptions options = {}) {
  co_return co_await remove(client, resource_of<T>(), std::move(key), std::move(options));
}

namespace detail {
[[nodiscard]] json::Projection projection_of(const Type& type);
}  // namespace detail

// A partial struct, with `static constexpr bool kIsPartial = true`: `.watches<T>(…)` and `.owns<T>()` cache its fields
// only, unless WatchOptions names a projection. Indexes, predicates and map functions see only these fields and the
// metadata that every projection has. If several users share an informer, it stores what any of them needs.
//
// Example (test/examples/projections.cpp#partial):
//   struct PhaseStatus {
//     std::string phase;
//   };
//   struct PodPhase {
//     static constexpr kube::Identity kIdentity{"", "v1", "Pod"};
//     static constexpr bool kIsPartial = true;
//     meta::v1::ObjectMeta metadata;
//     PhaseStatus status;
//   };
template <class T>
concept PartialObject = TypedObject<T> && requires { requires T::kIsPartial; };

// The paths of T's fields, including those of nested structs and of lists of structs. Maps, RawJson and a struct that
// contains itself are stored whole. The annotation last-applied-configuration is dropped, as by
// json::Projection::everything().
template <TypedObject T>
[[nodiscard]] json::Projection projection_of() {
  return detail::projection_of(type_of<T>());
}

}  // namespace keelson::kube
