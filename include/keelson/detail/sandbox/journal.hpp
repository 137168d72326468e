// Storage for the API server's objects outside of its process: every write is stored here before it takes effect.
//
// A journal has one row for each object: its latest JSON, as clients get it, with managedFields and resourceVersion.
// There is no history: after a restart, watches from older versions get 410. If a write fails here, its client gets a
// Status with code 500, and the server's own state does not change.
//
// One of the seams (docs/design.md). DataFile in room sandbox_data implements it with SQLite. The functions run on the
// server's loop and block it, so they must return within milliseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::sandbox {

class Journal {
 public:
  struct Row {
    kube::Resource resource;  // from load(): without `kind` and `namespaced`
    kube::Key key;
    std::uint64_t version = 0;  // the object's resourceVersion
    std::string_view json;      // valid during the call
  };
  // An error ends load(), which returns it.
  using Visit = std::function<Result<void>(const Row&)>;

  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  // Insert or replace the row of an object, and delete it. When they return, the write survives the end of the process.
  // The text of an error is the message of the Status: what failed, where, and how to fix it. After an error nothing
  // has changed. `version` is that of the deletion: load() must not return less.
  [[nodiscard]] virtual Result<void> put(const Row& row) = 0;
  [[nodiscard]] virtual Result<void> erase(const kube::Resource& resource, const kube::Key& key,
                                           std::uint64_t version) = 0;

  // Visits all rows, CustomResourceDefinitions first, because their kinds must be known before their objects. Ends with
  // the first visit that fails. Returns the highest version of all writes, deletions included; 0 if there was none.
  [[nodiscard]] virtual Result<std::uint64_t> load(const Visit& visit) = 0;
};

}  // namespace keelson::sandbox
