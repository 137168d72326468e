#include "keelson/detail/sandbox_data/data_file.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox_data/database.hpp"
#include "src/sandbox_data/file_check.hpp"
#include "src/sandbox_data/total.hpp"

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
    "checksum INTEGER NOT NULL, json TEXT NOT NULL, UNIQUE (api_group, plural, api_version, namespace, name)) STRICT";
constexpr const char* kSettings =
    "CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) "
    "STRICT, WITHOUT ROWID";

constexpr const char* kColumns =
    "SELECT api_group, plural, api_version, namespace, name, version, json, checksum FROM object WHERE ";
constexpr const char* kDefinitions = "(api_group = 'apiextensions.k8s.io' AND plural = 'customresourcedefinitions')";

// The setting with the version of the last deletion; the versions of other writes are in the rows.
constexpr const char* kVersion = "resourceVersion";

// The setting with the highest version and the total of the other rows, from the last proper end or the last change of
// a setting. It does not hold for a copy of the file that was made later while a server was running.
constexpr const char* kTotal = "total";

// Leaves room for all later versions.
constexpr std::uint64_t kHighestVersion = std::uint64_t{1} << 62;

Result<void> create_tables(Database& database) {
  auto created = database.run("BEGIN EXCLUSIVE; PRAGMA application_id = " + std::to_string(kApplication) +
                              "; PRAGMA user_version = " + std::to_string(kFormat) + "; " + kObjects + "; " +
                              kSettings + "; COMMIT");
  if (!created) database.roll_back();
  return created;
}

// Accepts only our tables: others could have triggers.
Result<void> check_tables(Database& database, const std::string& path) {
  KEELSON_LET(auto health, database.ask("PRAGMA integrity_check(1)"));
  if (health != "ok") return damaged(path, health);
  auto tables = database.ask("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)");
  if (!tables) return std::move(tables.error());
  if (*tables != std::string(kObjects) + ";" + kSettings) {
    return damaged(path, "its tables do not have the expected schema");
  }
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
  if (mode != "wal") {
    return invalid_error("cannot use " + path +
                         ": its file system does not support WAL: give --data a file on another one");
  }
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

// Nullopt for a text that is not a version; the file is not trusted.
std::optional<std::uint64_t> version_in(std::string_view text) {
  std::uint64_t version = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), version);
  bool is_version = failed == std::errc() && end == text.data() + text.size() && version <= kHighestVersion;
  return is_version ? std::optional(version) : std::nullopt;
}

// The value of the setting kTotal.
std::string text_of(std::uint64_t highest, const Total& total) {
  return std::to_string(highest) + " " + std::to_string(total.rows) + " " + std::to_string(total.sum);
}

Error lost_writes(const std::string& path, const std::string& total_path) {
  return invalid_error(path + " is damaged (acknowledged writes are missing: " + path + "-wal has changed, or " +
                       total_path + " is of another time): restore it from a backup, or delete " + total_path +
                       " to continue with the writes that it has");
}

}  // namespace

struct DataFile::State {
  State(std::string p, Logger l) : path(std::move(p)), log(std::move(l)), total_file(real_path(path)) {}

  [[nodiscard]] Result<void> prepare();
  // Add all rows to `total` and `highest`, and fail if one of them has changed.
  [[nodiscard]] Result<void> add_objects();
  [[nodiscard]] Result<void> add_settings();
  // Fails if rows are missing.
  [[nodiscard]] Result<void> check_total();
  [[nodiscard]] Result<void> visit_rows(const std::string& condition, const Visit& visit);

  // Executes all writes or none.
  template <class Writes>
  [[nodiscard]] Result<void> transaction(std::uint64_t version, Writes writes);
  // For the row that is replaced or deleted, if it exists.
  [[nodiscard]] Result<void> subtract(Statement& find_row);
  [[nodiscard]] Result<void> store_object(const Row& row);
  [[nodiscard]] Result<void> store_setting(std::string_view name, std::string_view value);
  [[nodiscard]] Result<void> store_settings(const std::map<std::string, std::string>& settings);

  std::string path;
  Logger log;
  TotalFile total_file;  // before the database, which ends with a checkpoint
  std::unique_ptr<Database> database;
  Statement begin;
  Statement commit;
  Statement find;
  Statement put;
  Statement erase;
  Statement find_setting;
  Statement set;
  Total total;
  Total next;  // of the transaction
  std::uint64_t highest = 0;
  std::string kept_total;  // the setting
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
  KEELSON_TRY(set_up(*state->database, absolute, found));
  KEELSON_TRY(make_private(absolute));
  KEELSON_TRY(state->prepare());
  KEELSON_TRY(state->add_objects());
  KEELSON_TRY(state->add_settings());
  if (state->total.rows > 0 || found == Found::kOurs) KEELSON_TRY(state->check_total());
  KEELSON_TRY(state->total_file.store(state->total, state->total));
  state->database->checkpoint_at_end(true);
  return std::unique_ptr<DataFile>(new DataFile(std::move(state)));
}

DataFile::DataFile(std::unique_ptr<State> state) : state_(std::move(state)) {}

DataFile::~DataFile() {
  bool is_stored = state_->kept_total == text_of(state_->highest, state_->total);
  if (is_stored || state_->store_settings({})) state_->total_file.release();
}

Result<void> DataFile::put(const Row& row) {
  return reported(state_->transaction(row.version, [&] { return state_->store_object(row); }));
}

Result<void> DataFile::erase(const kube::Resource& resource, const kube::Key& key, std::uint64_t version) {
  return reported(state_->transaction(version, [&]() -> Result<void> {
    bind_place(state_->find, resource, key);
    KEELSON_TRY(state_->subtract(state_->find));
    bind_place(state_->erase, resource, key);
    KEELSON_TRY(execute(state_->erase));
    return state_->store_setting(kVersion, std::to_string(version));
  }));
}

Result<std::uint64_t> DataFile::load(const Visit& visit) {
  for (const auto& condition : {std::string(kDefinitions), "NOT " + std::string(kDefinitions)}) {
    KEELSON_TRY(state_->visit_rows(condition, visit));
  }
  return state_->highest;
}

Result<void> DataFile::set(const std::map<std::string, std::string>& settings) {
  return reported(state_->store_settings(settings));
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
  const std::string place =
      " FROM object WHERE api_group = ?1 AND plural = ?2 AND api_version = ?3 AND namespace = ?4 AND name = ?5";
  for (auto [statement, sql] :
       {std::pair{&begin, std::string("BEGIN IMMEDIATE")}, std::pair{&commit, std::string("COMMIT")},
        std::pair{&find, "SELECT checksum" + place}, std::pair{&erase, "DELETE" + place},
        std::pair{&put, std::string("INSERT INTO object (api_group, plural, api_version, namespace, name, version, "
                                    "checksum, json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
                                    "ON CONFLICT (api_group, plural, api_version, namespace, name) DO UPDATE SET "
                                    "version = excluded.version, checksum = excluded.checksum, json = excluded.json")},
        std::pair{&find_setting, std::string("SELECT checksum FROM setting WHERE name = ?1")},
        std::pair{&set, std::string("INSERT INTO setting (name, value, checksum) VALUES (?1, ?2, ?3) ON CONFLICT "
                                    "(name) DO UPDATE SET value = excluded.value, checksum = excluded.checksum")}}) {
    KEELSON_LET(auto prepared, database->prepare(sql));
    *statement = std::move(prepared);
  }
  return {};
}

Result<void> DataFile::State::add_objects() {
  KEELSON_LET(auto rows, database->prepare(kColumns + std::string("TRUE")));
  for (;;) {
    KEELSON_LET(auto has_row, rows.step());
    if (!has_row) return {};
    auto sum =
        checksum({rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), rows.text(5), rows.text(6)});
    auto version = version_in(rows.text(5));
    if (sum != rows.integer(7) || !version) {
      auto what = std::string(rows.text(1)) + " " + kube::Key(rows.text(3), rows.text(4)).text();
      return damaged(path, "the checksum of an object is wrong: " + base::quote_go(what));
    }
    total.add(sum);
    highest = std::max(highest, *version);
  }
}

Result<void> DataFile::State::add_settings() {
  KEELSON_LET(auto rows, database->prepare("SELECT name, value, checksum FROM setting"));
  for (;;) {
    KEELSON_LET(auto has_row, rows.step());
    if (!has_row) return {};
    auto sum = checksum({rows.text(0), rows.text(1)});
    auto version = rows.text(0) == kVersion ? version_in(rows.text(1)) : 0;
    if (sum != rows.integer(2) || !version) {
      return damaged(path, "the checksum of a setting is wrong: " + base::quote_go(rows.text(0)));
    }
    highest = std::max(highest, *version);
    if (rows.text(0) == kTotal) {
      kept_total = rows.text(1);
    } else {
      total.add(sum);
    }
  }
}

Result<void> DataFile::State::check_total() {
  if (auto left = total_file.read()) {
    if (total == left->before || total == left->after) return {};
    if (left->is_of_this_boot) return lost_writes(path, total_file.path());
    log.error(invalid_error("the machine was restarted while keelson-sandbox used " + path),
              "The last writes to the data file are missing");
    return {};
  }
  auto version = version_in(std::string_view(kept_total).substr(0, kept_total.find(' ')));
  if (version && *version >= highest) {
    if (kept_total == text_of(highest, total)) return {};
    return damaged(path, "objects are missing");
  }
  // The former process ended before its first write.
  if (total.rows == 0 && !total_file.exists()) return {};
  log.error(invalid_error(total_file.path() + " is missing or damaged"),
            "Cannot check whether writes are missing in the data file");
  return {};
}

Result<void> DataFile::State::visit_rows(const std::string& condition, const Visit& visit) {
  KEELSON_LET(auto rows, database->prepare(kColumns + condition));
  for (;;) {
    KEELSON_LET(auto has_row, rows.step());
    if (!has_row) return {};
    Row row{{rows.text(0), rows.text(2), "", rows.text(1)},
            {rows.text(3), rows.text(4)},
            static_cast<std::uint64_t>(rows.integer(5)),
            rows.text(6)};
    auto visited = visit(row);
    if (!visited) return damaged(path, visited.error().text);
  }
}

template <class Writes>
Result<void> DataFile::State::transaction(std::uint64_t version, Writes writes) {
  next = total;
  auto done = execute(begin);
  if (done) done = writes();
  if (done) done = total_file.store(total, next);
  if (done) done = execute(commit);
  if (!done) {
    database->roll_back();
    return done;
  }
  total = next;
  highest = std::max(highest, version);
  // The transaction has ended, so this failure is no reason to report one; the next write stores the total again.
  static_cast<void>(total_file.store(total, total));
  return {};
}

Result<void> DataFile::State::subtract(Statement& find_row) {
  auto has_row = find_row.step();
  if (has_row && *has_row) next.subtract(static_cast<std::uint32_t>(find_row.integer(0)));
  find_row.end();
  return has_row ? Result<void>() : Result<void>(std::move(has_row.error()));
}

Result<void> DataFile::State::store_object(const Row& row) {
  bind_place(find, row.resource, row.key);
  KEELSON_TRY(subtract(find));
  auto sum = checksum({row.resource.group, row.resource.plural, row.resource.version, row.key.ns, row.key.name,
                       std::to_string(row.version), row.json});
  next.add(sum);
  bind_place(put, row.resource, row.key);
  put.bind(6, static_cast<std::int64_t>(row.version));
  put.bind(7, std::int64_t{sum});
  put.bind(8, row.json);
  return execute(put);
}

Result<void> DataFile::State::store_setting(std::string_view name, std::string_view value) {
  auto sum = checksum({name, value});
  if (name != kTotal) {
    find_setting.bind(1, name);
    KEELSON_TRY(subtract(find_setting));
    next.add(sum);
  }
  set.bind(1, name);
  set.bind(2, value);
  set.bind(3, std::int64_t{sum});
  return execute(set);
}

Result<void> DataFile::State::store_settings(const std::map<std::string, std::string>& settings) {
  return transaction(highest, [&]() -> Result<void> {
    for (const auto& [name, value] : settings) KEELSON_TRY(store_setting(name, value));
    return store_setting(kTotal, text_of(highest, next));
  });
}

std::string linked_library() { return KEELSON_SQLITE_LIBRARY; }

}  // namespace keelson::sandbox_data
