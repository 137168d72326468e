// Prints a duration or an age as kubectl does: "42s", "5m10s", "3d1h".
#pragma once

#include <chrono>
#include <string>

namespace keelson::sandbox {

// HumanDuration of apimachinery.
[[nodiscard]] std::string human_duration(std::chrono::seconds duration);

}  // namespace keelson::sandbox
