#include "keelson/api/discovery/v1/endpoint_slice.hpp"

#include "keelson/detail/schema/struct_table.hpp"

// Written by scripts/generate-api-types: do not edit.
// clang-format off

namespace keelson::discovery::v1 {

constexpr kube::StructTable::Field kEndpointConditionsFields[] = {
    KEELSON_TABLE_FIELD(EndpointConditions, ready, "ready", kOptional),
    KEELSON_TABLE_FIELD(EndpointConditions, serving, "serving", kOptional),
    KEELSON_TABLE_FIELD(EndpointConditions, terminating, "terminating", kOptional),
};
constinit const kube::StructTable EndpointConditions::kFields(kEndpointConditionsFields);

constexpr kube::StructTable::Field kForZoneFields[] = {
    KEELSON_TABLE_FIELD(ForZone, name, "name", kRequired),
};
constinit const kube::StructTable ForZone::kFields(kForZoneFields);

constexpr kube::StructTable::Field kForNodeFields[] = {
    KEELSON_TABLE_FIELD(ForNode, name, "name", kRequired),
};
constinit const kube::StructTable ForNode::kFields(kForNodeFields);

constexpr kube::StructTable::Field kEndpointHintsFields[] = {
    KEELSON_TABLE_FIELD(EndpointHints, for_zones, "forZones", kOptional),
    KEELSON_TABLE_FIELD(EndpointHints, for_nodes, "forNodes", kOptional),
};
constinit const kube::StructTable EndpointHints::kFields(kEndpointHintsFields);

constexpr kube::StructTable::Field kEndpointFields[] = {
    KEELSON_TABLE_FIELD(Endpoint, addresses, "addresses", kRequired),
    KEELSON_TABLE_FIELD(Endpoint, conditions, "conditions", kOptional),
    KEELSON_TABLE_FIELD(Endpoint, hostname, "hostname", kOptional),
    KEELSON_TABLE_FIELD(Endpoint, target_ref, "targetRef", kOptional),
    KEELSON_TABLE_FIELD(Endpoint, deprecated_topology, "deprecatedTopology", kOptional),
    KEELSON_TABLE_FIELD(Endpoint, node_name, "nodeName", kOptional),
    KEELSON_TABLE_FIELD(Endpoint, zone, "zone", kOptional),
    KEELSON_TABLE_FIELD(Endpoint, hints, "hints", kOptional),
};
constinit const kube::StructTable Endpoint::kFields(kEndpointFields);

constexpr kube::StructTable::Field kEndpointPortFields[] = {
    KEELSON_TABLE_FIELD(EndpointPort, name, "name", kOptional),
    KEELSON_TABLE_FIELD(EndpointPort, protocol, "protocol", kOptional),
    KEELSON_TABLE_FIELD(EndpointPort, port, "port", kOptional),
    KEELSON_TABLE_FIELD(EndpointPort, app_protocol, "appProtocol", kOptional),
};
constinit const kube::StructTable EndpointPort::kFields(kEndpointPortFields);

constexpr kube::StructTable::Field kEndpointSliceFields[] = {
    KEELSON_TABLE_FIELD(EndpointSlice, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(EndpointSlice, address_type, "addressType", kRequired),
    KEELSON_TABLE_FIELD(EndpointSlice, endpoints, "endpoints", kOptional),
    KEELSON_TABLE_FIELD(EndpointSlice, ports, "ports", kOptional),
};
constinit const kube::StructTable EndpointSlice::kFields(kEndpointSliceFields);

}  // namespace keelson::discovery::v1
