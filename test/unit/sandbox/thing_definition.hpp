// A CustomResourceDefinition for tests of what the server does with definitions: the kind Thing, in one version.
#pragma once

#include <string>

#include "keelson/schema/identity.hpp"

namespace keelson::sandbox::fixtures::things {

inline const kube::Resource kDefinitions = kube::custom_resource_definitions();
inline const kube::Resource kThings("hold.example", "v1", "Thing", "things", true);
inline const std::string kName = "things.hold.example";
inline const std::string kDefinition =
    R"({"metadata":{"name":"things.hold.example"},"spec":{"group":"hold.example","scope":"Namespaced",)"
    R"("names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,)"
    R"("schema":{"openAPIV3Schema":{"type":"object"}}}]}})";

}  // namespace keelson::sandbox::fixtures::things
