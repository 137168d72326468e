#include "keelson/detail/sandbox_data/data_file.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "keelson/base/try.hpp"
#include "src/sandbox_data/database.hpp"
#include "src/sandbox_data/file_check.hpp"

namespace keelson::sandbox_data {

namespace {

// Pages of 4 KiB that the WAL collects before they are copied to the file, which happens on the
// loop, and the size to which the WAL is truncated after a large transaction.
constexpr std::size_t kWalPages = 1000;
constexpr std::size_t kWalBytes = std::size_t{8} << 20;

// A rowid table: an object is usually too large for the inner pages of an index.
constexpr const char* kObjects =
    "CREATE TABLE object (id INTEGER PRIMARY KEY, api_group TEXT NOT NULL, plural TEXT NOT NULL, "
    "api_version TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, "
    "json TEXT NOT NULL, UNIQUE (api_group, plural, api_version, namespace, name)) STRICT";
constexpr const char* kSettings =
    "CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID";

constexpr const char* kColumns =
    "SELECT api_group, plural, api_version, namespace, name, version, json FROM object WHERE ";
constexpr const char* kDefinitions = "(api_group = 'apiextensions.k8s.io' AND plural = 'customresourcedefinitions')";

// The setting with the version of the last deletion; the versions of other writes are in the rows.
constexpr const char* kVersion = "resourceVersion";

// Leaves room for all later versions.
constexpr std::int64_t kHighestVersion = std::int64_t{1} << 62;

Result<void> create_tables(Database& database) {
  auto created = database.run("BEGIN EXCLUSIVE; PRAGMA application_id = " + std::to_string(kApplication) +
                              "; PRAGMA user_version = " + std::to_string(kFormat) + "; " + kObjects + "; " +
                              kSettings + "; COMMIT");
  if (!created) database.roll_back();
  return created;
}

// Accepts only our tables: others could have triggers.
Result<void> check_tables(Database& database, const std::string& path) {
  KEELSON_LET(auto health, database.ask("PRAGMA quick_check(1)"));
  if (health != "ok") return damaged(path, health);
  auto tables = database.ask("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)");
  if (!tables) return std::move(tables.error());
  if (*tables != std::string(kObjects) + ";" + kSettings)
    return damaged(path, "its tables do not have the expected schema");
  return {};
}

Result<void> set_up(Database& database, const std::string& path, Found found) {
  // Exclusive: a single process, and no shared-memory file next to the WAL.
  auto ready = database.run(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; "
      "PRAGMA synchronous = NORMAL");
  if (!ready) return ready;
  if (found == Found::kUnfinished) {
    KEELSON_LET(auto pages, database.ask("PRAGMA page_count"));
    found = pages == "0" ? Found::kNew : Found::kOurs;
  }
  if (found == Found::kNew) ready = create_tables(database);
  if (!ready) return ready;
  KEELSON_LET(auto mode, database.ask("PRAGMA journal_mode = WAL"));
  if (mode != "wal")
    return invalid_error("cannot use " + path +
                         ": its file system does not support WAL: give --data a file on another one");
  ready = database.run("PRAGMA wal_autocheckpoint = " + std::to_string(kWalPages) +
                       "; PRAGMA journal_size_limit = " + std::to_string(kWalBytes));
  return ready && found == Found::kOurs ? check_tables(database, path) : std::move(ready);
}

void bind_place(Statement& statement, const kube::Resource& resource, const kube::Key& key) {
  statement.bind(1, resource.group);
  statement.bind(2, resource.plural);
  statement.bind(3, resource.version);
  statement.bind(4, key.ns);
  statement.bind(5, key.name);
}

Result<void> execute(Statement& statement) {
  auto done = statement.step();
  statement.end();
  return done ? Result<void>() : Result<void>(std::move(done.error()));
}

}  // namespace

struct DataFile::State {
  State(std::string p, Logger l) : path(std::move(p)), log(std::move(l)) {}

  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> visit_rows(const std::string& condition, const Visit& visit, std::uint64_t& highest);
  // Executes all writes or none.
  template <class Writes>
  [[nodiscard]] Result<void> transaction(Writes writes);
  [[nodiscard]] Result<void> store_setting(std::string_view name, std::string_view value);

  std::string path;
  Logger log;
  std::unique_ptr<Database> database;
  Statement put;
  Statement erase;
  Statement set;
  bool is_failing = false;
};

Result<std::unique_ptr<DataFile>> DataFile::open(const std::string& path, Logger log, const DataFileOptions& options) {
  // SQLite cannot mistake an absolute path for a URI or for ":memory:".
  std::error_code failed;
  auto absolute = std::filesystem::absolute(path, failed).string();
  if (failed) return invalid_error("cannot open " + path + ": " + words_of(failed.value()));
  KEELSON_LET(auto found, prepare_file(absolute));
  auto state = std::make_unique<State>(absolute, std::move(log));
  KEELSON_LET(auto opened, Database::open(absolute, options.vfs));
  state->database = std::move(opened);
  auto ready = set_up(*state->database, absolute, found);
  if (ready) ready = make_private(absolute);
  if (ready) ready = state->prepare();
  if (!ready) return std::move(ready.error());
  return std::unique_ptr<DataFile>(new DataFile(std::move(state)));
}

DataFile::DataFile(std::unique_ptr<State> state) : state_(std::move(state)) {}

DataFile::~DataFile() = default;

Result<void> DataFile::put(const Row& row) {
  auto& statement = state_->put;
  bind_place(statement, row.resource, row.key);
  statement.bind(6, static_cast<std::int64_t>(row.version));
  statement.bind(7, row.json);
  return reported(execute(statement));
}

Result<void> DataFile::erase(const kube::Resource& resource, const kube::Key& key, std::uint64_t version) {
  return reported(state_->transaction([&] {
    bind_place(state_->erase, resource, key);
    auto erased = execute(state_->erase);
    return erased ? state_->store_setting(kVersion, std::to_string(version)) : std::move(erased);
  }));
}

Result<std::uint64_t> DataFile::load(const Visit& visit) {
  KEELSON_LET(auto text, setting(kVersion));
  std::uint64_t highest = 0;
  if (text) {
    bool is_number = (text)->size() < 19 && (text)->find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || (text)->empty()) return damaged(state_->path, "its resourceVersion is not a number");
    highest = std::stoull(*text);
  }
  for (const auto& condition : {std::string(kDefinitions), "NOT " + std::string(kDefinitions)}) {
    KEELSON_TRY(state_->visit_rows(condition, visit, highest));
  }
  return highest;
}

Result<void> DataFile::set(const std::map<std::string, std::string>& settings) {
  return reported(state_->transaction([&] {
    for (const auto& [name, value] : settings) {
      auto stored = state_->store_setting(name, value);
      if (!stored) return stored;
    }
    return Result<void>();
  }));
}

Result<std::optional<std::string>> DataFile::setting(const std::string& name) {
  KEELSON_LET(auto statement, state_->database->prepare("SELECT value FROM setting WHERE name = ?1"));
  statement.bind(1, name);
  KEELSON_LET(auto has_row, statement.step());
  return has_row ? std::optional(std::string(statement.text(0))) : std::nullopt;
}

Result<void> DataFile::reported(Result<void> written) {
  if (!written && !std::exchange(state_->is_failing, true)) {
    state_->log.error(written.error(), "Writes to the data file fail");
  } else if (written && std::exchange(state_->is_failing, false)) {
    state_->log.info("Writes to the data file work again", {{"file", state_->path}});
  }
  return written;
}

Result<void> DataFile::State::prepare() {
  for (auto [statement, sql] :
       {std::pair{&put,
                  "INSERT INTO object (api_group, plural, api_version, namespace, name, version, json) "
                  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (api_group, plural, api_version, namespace, name) "
                  "DO UPDATE SET version = excluded.version, json = excluded.json"},
        std::pair{&erase,
                  "DELETE FROM object WHERE api_group = ?1 AND plural = ?2 AND api_version = ?3 AND namespace = ?4 "
                  "AND name = ?5"},
        std::pair{&set,
                  "INSERT INTO setting (name, value) VALUES (?1, ?2) "
                  "ON CONFLICT (name) DO UPDATE SET value = excluded.value"}}) {
    KEELSON_LET(auto prepared, database->prepare(sql));
    *statement = std::move(prepared);
  }
  return {};
}

Result<void> DataFile::State::visit_rows(const std::string& condition, const Visit& visit, std::uint64_t& highest) {
  KEELSON_LET(auto rows, database->prepare(kColumns + condition));
  for (;;) {
    KEELSON_LET(auto has_row, rows.step());
    if (!has_row) return {};
    auto version = rows.integer(5);
    if (version <= 0 || version > kHighestVersion) return damaged(path, "an object has an invalid resourceVersion");
    Row row{{rows.text(0), rows.text(2), "", rows.text(1)},
            {rows.text(3), rows.text(4)},
            static_cast<std::uint64_t>(version),
            rows.text(6)};
    highest = std::max(highest, row.version);
    auto visited = visit(row);
    if (!visited) return damaged(path, visited.error().text);
  }
}

template <class Writes>
Result<void> DataFile::State::transaction(Writes writes) {
  auto done = database->run("BEGIN IMMEDIATE");
  if (done) done = writes();
  if (done) done = database->run("COMMIT");
  if (!done) database->roll_back();
  return done;
}

Result<void> DataFile::State::store_setting(std::string_view name, std::string_view value) {
  set.bind(1, name);
  set.bind(2, value);
  return execute(set);
}

std::string linked_library() { return KEELSON_SQLITE_LIBRARY; }

}  // namespace keelson::sandbox_data
