// Removes finalizers of the program from objects that `uninstall` does not delete, and that they would block for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

// Objects in a page of a list of metadata: about 500 KB.
inline constexpr std::int64_t kUninstallPage = 500;

// From all objects of the kind. kTimeout if no object has lost one for `timeout`. `client` and `clock` must outlive the
// call; cancellation leaves the rest as it is.
[[nodiscard]] Task<void> release_finalizers(kube::Client& client, async::Clock& clock, kube::Resource resource,
                                            std::vector<std::string> finalizers, async::Duration timeout);

}  // namespace keelson::install
