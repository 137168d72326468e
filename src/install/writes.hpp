// The deletes and patches of an uninstall, some at the same time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

// A delete of one object, or a JSON patch that removes one of its finalizers.
struct Write {
  kube::Key key;
  std::optional<std::string> patch = {};
};

// True if the same request may succeed later.
[[nodiscard]] bool is_temporary(const Error& error);

// Sends all writes, at most kUninstallWrites at a time. Objects that are gone or have changed are skipped: the next
// list shows them. Returns the last temporary error, if there was one. Fails with the first other one, after which no
// further write is sent.
[[nodiscard]] Task<std::optional<Error>> write_all(kube::Client& client, kube::Resource resource,
                                                   std::vector<Write> writes);

}  // namespace keelson::install
