// Texts as Go prints them, because our error messages are client-go's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::kube {

// %q: in double quotes, control characters and quotes escaped.
[[nodiscard]] std::string quoted(std::string_view text);

// utilerrors.Aggregate: one message as it is, several as "[a, b]", repetitions once.
[[nodiscard]] std::string aggregated(const std::vector<std::string>& messages);

}  // namespace keelson::kube
