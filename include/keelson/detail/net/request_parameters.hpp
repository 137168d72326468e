// The parameters of a request: those of its query and, for a form, those of its body.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/net/http.hpp"

namespace keelson::net {

using Parameters = std::map<std::string, std::string, std::less<>>;

// The parameters of the query, and of a body of the form "reason=bad+rollout&for=2h" that is not empty. As in a form,
// "+" is a space. kInvalid, with a text that names the parameter: it is not one of `known`, it is given twice, or its
// value is not percent-encoded text.
[[nodiscard]] Result<Parameters> parameters_of(const Request& request, const std::vector<std::string_view>& known);

// The value of a parameter; empty if it is absent. The view refers to `parameters`.
[[nodiscard]] inline std::string_view parameter(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

// The value of a parameter that is a duration as in Go, longer than zero and at most 31 days; nullopt if it is absent
// or empty. kInvalid, with the parameter and examples, for any other value.
[[nodiscard]] Result<std::optional<async::Duration>> duration_parameter(const Parameters& parameters,
                                                                        std::string_view name);

}  // namespace keelson::net
