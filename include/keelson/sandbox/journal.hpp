// Where the API server's objects outlive its process: every write is stored here before it takes effect.
//
// One row for each object: its latest JSON, as clients get it, with managedFields and resourceVersion. There is no
// history: after a restart, watches from older versions get 410. A write that fails here fails as a 500 Status, and
// the server's own state does not change.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::sandbox {

class Journal {
 public:
  struct Row {
    kube::Resource resource;  // of load(): without `kind` and `namespaced`
    kube::Key key;
    std::uint64_t version = 0;
    std::string_view json;  // valid during the call
  };
  using Visit = std::function<Result<void>(const Row&)>;

  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  // When these return, the write survives the end of the process. The text of an error is the message of the Status:
  // what failed, where, and how to fix it. After an error nothing has changed.
  [[nodiscard]] virtual Result<void> put(const Row& row) = 0;
  [[nodiscard]] virtual Result<void> erase(const kube::Resource& resource, const kube::Key& key,
                                           std::uint64_t version) = 0;

  // Visits all rows, CustomResourceDefinitions first, until one visit fails. Returns the highest version that any write
  // had, deletions included; 0 if there was none.
  [[nodiscard]] virtual Result<std::uint64_t> load(const Visit& visit) = 0;
};

}  // namespace keelson::sandbox
