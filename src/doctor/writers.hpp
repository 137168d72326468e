// Other writers of the operator's children.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

[[nodiscard]] boost::asio::awaitable<void> examine_writers(Reader& reader, const Installation& installation,
                                                           Findings& findings);

// The kinds that the controllers own.
[[nodiscard]] std::vector<kube::Resource> kinds_of_children(const std::vector<controller::Definition>& controllers);

// The children among the objects of a list (whose controller is of a kind of this operator), and the fields that this
// operator and another field manager own together.
void check_writers(const kube::Resource& resource, json::View list, const std::vector<kube::Resource>& owners,
                   const kube::OperatorName& name, Findings& findings);

}  // namespace keelson::doctor
