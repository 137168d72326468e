// The parts that EndpointSlices and Endpoints have in common.
#pragma once

#include <string>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Labels of EndpointSlices, and the controllers that write slices.
inline constexpr const char* kSliceService = "kubernetes.io/service-name";
inline constexpr const char* kSliceManager = "endpointslice.kubernetes.io/managed-by";
inline constexpr const char* kPodSliceManager = "endpointslice-controller.k8s.io";
inline constexpr const char* kMirrorManager = "endpointslicemirroring-controller.k8s.io";

// Name, number and protocol of each port. Named target ports that no container of the pod has are left out.
[[nodiscard]] Tree endpoint_ports(const Tree& service, const Tree& pod);

// The pod's name in the domain of its Service; empty if it has none there.
[[nodiscard]] std::string host_name_in(const Tree& service, const Tree& pod);
// The targetRef of an address.
[[nodiscard]] Tree reference_to_pod(const Tree& pod);
// The labels of the Service, and that it is headless.
[[nodiscard]] Tree endpoint_labels(const Tree& service);

}  // namespace keelson::sandbox
