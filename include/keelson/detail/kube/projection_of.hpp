// Derives the projection of an informer from the struct that its objects are read as.
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
//
// With kIsPartial, `.watches<PodPhase>(…)` and `.owns<PodPhase>()` cache these fields only, unless WatchOptions names a
// projection. Indexes, predicates and map functions see only these fields and the metadata that every projection has.
// Objects of other structs are cached whole. If several users share an informer, it stores what any of them needs.
#pragma once

#include "keelson/detail/json/projection.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson::kube {

namespace detail {
[[nodiscard]] json::Projection projection_of(const Type& type);
}  // namespace detail

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
