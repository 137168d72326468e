// The file of `keelson-sandbox --data`: an SQLite database in WAL mode with one row for each object.
//
// A row is a kind's group, version and plural, namespace, name, resourceVersion and the object's JSON with
// managedFields. Only the latest state is stored, so the file grows with the objects and not with the writes. Next to
// the objects are the highest resourceVersion ever given, and settings: what the program must find again after a
// restart.
//
// A write has left the process when its transaction is in the WAL (FILE-wal), so it survives kill -9. SQLite runs with
// synchronous=NORMAL, as in k3s: the WAL is synced at each checkpoint and not at each write, so a power failure can
// take back the last writes but does not damage the file. A checkpoint comes every 4 MiB of WAL, on the loop.
//
// The file contains Secrets and the administrator's token: mode 0600. One process uses it at a time. A file that is not
// ours, is of a newer format or is damaged is left as it is. Errors name the file and what to do; kInvalid.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/sandbox/journal.hpp"

namespace keelson::sandbox_data {

struct DataFileOptions {
  const char* vfs = nullptr;  // SQLite's interface to the file system; null: the default. For tests
};

class DataFile final : public sandbox::Journal {
 public:
  // Creates the file if there is none, or if it is empty; its folder must exist. The log gets the first of a series of
  // failed writes, and the end of the series.
  [[nodiscard]] static Result<std::unique_ptr<DataFile>> open(const std::string& path, Logger log,
                                                              const DataFileOptions& options = {});
  ~DataFile() override;

  [[nodiscard]] Result<void> put(const Row& row) override;
  [[nodiscard]] Result<void> erase(const kube::Resource& resource, const kube::Key& key,
                                   std::uint64_t version) override;
  [[nodiscard]] Result<std::uint64_t> load(const Visit& visit) override;

  // Stores all of them or none.
  [[nodiscard]] Result<void> set(const std::map<std::string, std::string>& settings);
  // Nothing if it was never set.
  [[nodiscard]] Result<std::optional<std::string>> setting(const std::string& name);

 private:
  struct State;
  explicit DataFile(std::unique_ptr<State> state);
  [[nodiscard]] Result<void> reported(Result<void> written);

  std::unique_ptr<State> state_;
};

// "SQLite 3.40.1 (libsqlite3-dev 3.40.1-2)": what is linked in, as `version` lists it.
[[nodiscard]] std::string linked_library();

}  // namespace keelson::sandbox_data
