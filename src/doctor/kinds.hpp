// The CustomResourceDefinitions of the operator's kinds: installed, served, and of the version of this binary.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "keelson/detail/doctor/findings.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "keelson/json/value.hpp"
#include "src/doctor/installation.hpp"

namespace keelson::doctor {

[[nodiscard]] boost::asio::awaitable<void> examine_kinds(Reader& reader, const Installation& installation,
                                                         Findings& findings);

// The first path below which the live value lacks a part of the desired one, with both values: "spec.size.minimum: 0,
// not 1"; empty: none. Descriptions do not count, and null equals absent.
[[nodiscard]] std::string first_difference(json::View desired, json::View live);

// `reading` is the definition as the API server has it.
void check_kind(const kube::Kind& kind, const Reading& reading, Findings& findings);

}  // namespace keelson::doctor
