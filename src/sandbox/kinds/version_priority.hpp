// The order in which clients prefer versions of a group: "v10" before "v2" before "v1beta1" before "v1alpha1" before
// "foo".
#pragma once

#include <string>

namespace keelson::sandbox {

// CompareKubeAwareVersionStrings of apimachinery: true when `left` comes first.
[[nodiscard]] bool has_priority(const std::string& left, const std::string& right);

}  // namespace keelson::sandbox
