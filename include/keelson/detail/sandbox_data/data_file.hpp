// The file of `keelson-sandbox --data`: an SQLite database in WAL mode with one row for each object.
//
// A row has a kind's group, version and plural, namespace, name, resourceVersion and the object's JSON with
// managedFields. Only the latest state is stored, so the file grows with the objects and not with the writes. The file
// also has the highest resourceVersion ever given, and settings that the program needs after a restart.
//
// Example (test/examples/sandbox_data.cpp#data_file):
//   struct PersistentServer {
//     std::unique_ptr<sandbox_data::DataFile> file;  // before the server, which it must outlive
//     std::unique_ptr<sandbox::ApiServer> server;
//   };
//
//   Result<PersistentServer> open_server(async::Clock& clock, base::Random& random, Logger log) {
//     KEELSON_LET(auto file, sandbox_data::DataFile::open("sandbox.db", std::move(log)));
//     sandbox::ApiServerOptions options;
//     options.journal = file.get();
//     auto server = std::make_unique<sandbox::ApiServer>(clock, random, std::move(options));
//     KEELSON_TRY(server->resume());
//     return PersistentServer{std::move(file), std::move(server)};
//   }
//
// Durability: a write is complete when its transaction is in the WAL (FILE-wal), so it survives kill -9. SQLite runs
// with synchronous=NORMAL, as in k3s: the WAL is synced at each checkpoint and not at each write, so a power failure
// can undo the last writes but does not damage the file. SQLite makes a checkpoint for every 4 MiB of WAL.
//
// Threads: all functions run on the loop and block it, a checkpoint for 5 to 30 ms. Nothing waits, so there is nothing
// to cancel. The file must outlive the API server that uses it as its journal.
//
// Damage: each row has a checksum, and FILE-total has the sum of all, so that changed rows and lost writes are found
// when the file is opened. After a proper end the file has its total itself, and FILE-total is deleted.
//
// Security: the file contains Secrets and the administrator's token, so its mode is 0600. One process uses it at a
// time.
//
// Errors are kInvalid; they name the file and a fix. A file of another program, of another format, or with damage is
// never changed, and neither is its WAL.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/detail/sandbox/journal.hpp"

namespace keelson::sandbox_data {

struct DataFileOptions {
  const char* vfs = nullptr;  // the name of SQLite's interface to the file system; null: the default. For tests
};

class DataFile final : public sandbox::Journal {
 public:
  // Creates the file if it does not exist or is empty; its folder must exist. Fails if another process uses the file.
  // Reads and checks all rows. Logs that writes are missing after a power failure, or that this cannot be checked, the
  // first of a series of failed writes, and the end of the series.
  [[nodiscard]] static Result<std::unique_ptr<DataFile>> open(const std::string& path, Logger log,
                                                              const DataFileOptions& options = {});
  ~DataFile() override;

  // As in Journal. load() fails for a row that its visitor rejects: the file is damaged.
  [[nodiscard]] Result<void> put(const Row& row) override;
  [[nodiscard]] Result<void> erase(const kube::Resource& resource, const kube::Key& key,
                                   std::uint64_t version) override;
  [[nodiscard]] Result<std::uint64_t> load(const Visit& visit) override;

  // Stores all of these settings, or none if it fails. Other settings do not change.
  [[nodiscard]] Result<void> set(const std::map<std::string, std::string>& settings);
  // Nullopt if the setting was never stored.
  [[nodiscard]] Result<std::optional<std::string>> setting(const std::string& name);

 private:
  struct State;
  explicit DataFile(std::unique_ptr<State> state);
  [[nodiscard]] Result<void> reported(Result<void> written);

  std::unique_ptr<State> state_;
};

// "SQLite 3.40.1 (libsqlite3-dev 3.40.1-2)": the linked library, as `keelson-sandbox version` lists it.
[[nodiscard]] std::string linked_library();

}  // namespace keelson::sandbox_data
