// Your own kind as a struct: its names, and the structs of its spec and status. From their descriptions
// (schema/describe.hpp) follow decoding, validation and the CRD.
//
// A kind that exists without your operator, of Kubernetes or of another program, is not a CustomResource: use a struct
// of keelson/api, or your own struct with kIdentity, metadata and the fields that you read.
//
// Example (test/examples/controller.cpp#custom_resource):
//   struct Greeting : CustomResource<GreetingSpec, GreetingStatus> {
//     static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Greeting"};
//   };
//
// A kind may also have these static members:
// - `std::array kConditions{std::string_view("Published")}`: the conditions that its controller sets, next to Ready,
//   Reconciling and Stalled. Any other condition is left to other controllers, and `Paused` to the framework
//   (pause.hpp).
// - `bool kSharesStatus = true`: other controllers write fields of the status too (pass.hpp, shares_status()).
// - `void describe_kind(kube::Kind& kind)`: sets columns, scale, rules and the sample (schema/kind.hpp).
#pragma once

#include <string>

#include "keelson/api/meta/v1/object_meta.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "keelson/kube/typed_object.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::controller {

// The status of a kind that declares none. Its CRD still has the status subresource.
struct NoStatus {
  bool operator==(const NoStatus&) const = default;
};
inline void describe(kube::Description&, NoStatus&) {}

template <class SpecType, class StatusType = NoStatus>
struct CustomResource {
  using Spec = SpecType;
  using Status = StatusType;

  meta::v1::ObjectMeta metadata;
  Spec spec;      // the desired state, written by users
  Status status;  // the observed state, written by the controller through Pass::status()

  [[nodiscard]] const std::string& name() const { return metadata.name; }
  [[nodiscard]] const std::string& ns() const { return metadata.ns; }  // empty: cluster-scoped
  [[nodiscard]] kube::Key key() const { return {metadata.ns, metadata.name}; }
};

template <class Spec, class Status>
void describe(kube::Description& d, CustomResource<Spec, Status>& object) {
  d.field("metadata", object.metadata, "").omit_zero();
  d.field("spec", object.spec, "");
  d.field("status", object.status, "").omit_zero();
}

// Your own kind, in contrast to a kind that exists without the operator.
template <class T>
concept CustomKind = kube::TypedObject<T> && requires(const T& object) {
  typename T::Spec;
  typename T::Status;
  object.spec;
  object.status;
};

namespace detail {
[[nodiscard]] kube::Kind kind_of(const kube::Identity& identity, std::string spec_schema, std::string status_schema);
void check_conditions(const kube::Identity& identity, const kube::Description& status);
// Decodes a member of an object into `out`, which has the type that `type` describes. Unchanged: there is no such
// member.
[[nodiscard]] Result<void> read_member(const kube::Object& object, std::string_view name, const kube::Type& type,
                                       void* out);
}  // namespace detail

// The kind with its schemas, as `generate` writes it into the CRD. It computes the schemas at each call: call it at the
// start of a program. Throws base::Misuse if the status has a list `conditions` that is not described as
// .list_map({"type"}), because an apply would then delete the conditions of other controllers.
template <CustomKind T>
[[nodiscard]] kube::Kind kind_of() {
  detail::check_conditions(T::kIdentity, kube::description_of<typename T::Status>());
  auto kind = detail::kind_of(T::kIdentity, kube::schema_of<typename T::Spec>(), kube::schema_of<typename T::Status>());
  if constexpr (requires { T::describe_kind(kind); }) T::describe_kind(kind);
  return kind;
}

// Decodes an object of the cache. Fails with kMalformed if metadata or spec does not fit the struct. A status of a
// CustomKind that does not fit, because another version of the operator wrote it, is empty: the controller computes it
// again.
template <kube::TypedObject T>
[[nodiscard]] Result<T> read(const kube::Object& object) {
  if constexpr (!CustomKind<T>) {
    return kube::decode_object<T>(object);
  } else {
    T out{};
    KEELSON_TRY(detail::read_member(object, "metadata", kube::type_of<meta::v1::ObjectMeta>(), &out.metadata));
    KEELSON_TRY(detail::read_member(object, "spec", kube::type_of<typename T::Spec>(), &out.spec));
    auto status = detail::read_member(object, "status", kube::type_of<typename T::Status>(), &out.status);
    if (!status) out.status = {};
    return out;
  }
}

// Only the status, empty if it does not fit: to report something about an object whose spec may not be readable.
template <kube::TypedObject T>
[[nodiscard]] T read_status(const kube::Object& object) {
  T out{};
  if constexpr (CustomKind<T>) {
    auto status = detail::read_member(object, "status", kube::type_of<typename T::Status>(), &out.status);
    if (!status) out.status = {};
  }
  return out;
}

}  // namespace keelson::controller

namespace keelson {
using controller::CustomResource;
}  // namespace keelson
