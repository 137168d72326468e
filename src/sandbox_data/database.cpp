#include "src/sandbox_data/database.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <system_error>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox_data {

namespace {

constexpr int kPrimaryCode = 0xff;

bool means_full(int error_number) { return error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG; }

// The text begins as that of the real server when etcd is full.
Error full(const std::string& path, int error_number) {
  return invalid_error("database space exceeded: cannot write " + path + ": " +
                       words_of(error_number != 0 ? error_number : ENOSPC) +
                       ": nothing was changed: free space on its file system, then repeat the request");
}

}  // namespace

std::string words_of(int error_number) { return base::with_lower_first(std::generic_category().message(error_number)); }

Error cannot_write(const std::string& path, int error_number, const std::string& text) {
  if (means_full(error_number)) return full(path, error_number);
  return invalid_error("cannot read or write " + path + ": " + (error_number != 0 ? words_of(error_number) : text) +
                       ": check its disk, then start keelson-sandbox again");
}

Error damaged(const std::string& path, const std::string& how) {
  return invalid_error(path + " is damaged (" + how +
                       "): restore it from a backup, or move it away to start with a new cluster");
}

Error not_ours(const std::string& path) {
  return invalid_error(path +
                       " is not a data file of keelson-sandbox, and was not changed: give the name of another file");
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.empty() ? "" : text.data();
  int code = sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  KEELSON_ASSERT(code == SQLITE_OK || code == SQLITE_TOOBIG || code == SQLITE_NOMEM);
}

void Statement::bind(int parameter, std::int64_t number) {
  KEELSON_ASSERT(sqlite3_bind_int64(statement_.get(), parameter, number) == SQLITE_OK);
}

Result<bool> Statement::step() {
  errno = 0;
  int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->failure();
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

void Statement::end() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const char* vfs) {
  std::unique_ptr<Database> database(new Database(path));
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  int code = sqlite3_open_v2(path.c_str(), &database->handle_, kFlags, vfs);
  if (code != SQLITE_OK) return database->failure();
  database->checkpoint_at_end(false);
  // The file is not trusted.
  sqlite3_db_config(database->handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database->handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

Database::~Database() { sqlite3_close_v2(handle_); }

Result<void> Database::run(const std::string& sql) {
  errno = 0;
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failure();
}

Result<Statement> Database::prepare(const std::string& sql) {
  Statement statement;
  statement.database_ = this;
  sqlite3_stmt* made = nullptr;
  int code = sqlite3_prepare_v3(handle_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  statement.statement_.reset(made);
  if (code != SQLITE_OK) return failure();
  return statement;
}

Result<std::string> Database::ask(const std::string& sql) {
  KEELSON_LET(auto statement, prepare(sql));
  KEELSON_LET(auto has_row, statement.step());
  return has_row ? std::string(statement.text(0)) : std::string();
}

void Database::roll_back() {
  if (sqlite3_get_autocommit(handle_) == 0) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::checkpoint_at_end(bool is_wanted) {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_wanted ? 0 : 1, nullptr);
}

Error Database::failure() const {
  // SQLite reports the system's error only for failures outside of statements; callers clear errno before statements.
  const int last_error = errno;
  if (handle_ == nullptr) return invalid_error("cannot open " + path_ + ": out of memory");
  int code = sqlite3_extended_errcode(handle_);
  int error_number = sqlite3_system_errno(handle_) != 0 ? sqlite3_system_errno(handle_) : last_error;
  std::string text = sqlite3_errmsg(handle_);
  switch (code & kPrimaryCode) {
    case SQLITE_FULL:
      return full(path_, 0);
    case SQLITE_IOERR:
      return cannot_write(path_, error_number, text);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return invalid_error(path_ +
                           " is in use by another process: stop that process, or give the name of another file");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged(path_, text);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return invalid_error("cannot write " + path_ +
                           " or the files next to it: " + (error_number != 0 ? words_of(error_number) : text) +
                           ": give the name of a file in a folder that you may write to");
    case SQLITE_TOOBIG:
      return invalid_error("cannot store the object in " + path_ + ": it is too large");
    default:
      return invalid_error("cannot use " + path_ + ": " + text);
  }
}

}  // namespace keelson::sandbox_data
