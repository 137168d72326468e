// An SQLite database and its statements, with errors that name a fix.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace keelson::sandbox_data {

// Only one statement at a time may have rows: call end() before the next one. The database must outlive it.
class Statement {
 public:
  Statement() = default;

  // Parameters are numbered from 1, columns from 0. A text must remain valid until end().
  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::int64_t number);
  // True: there is a row.
  [[nodiscard]] Result<bool> step();
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  void end();

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const class Database* database_ = nullptr;
};

class Database {
 public:
  // The file must exist.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::string& path, const char* vfs);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Executes statements without reading rows.
  [[nodiscard]] Result<void> run(const std::string& sql);
  [[nodiscard]] Result<Statement> prepare(const std::string& sql);
  // The first column of the first row; empty if there is none.
  [[nodiscard]] Result<std::string> ask(const std::string& sql);
  // Undoes the changes of a failed transaction.
  void roll_back();
  // True: the destructor copies the WAL to the file and deletes it. Until then a damaged file does not change.
  void checkpoint_at_end(bool is_wanted);

  // The error of the last call, which failed.
  [[nodiscard]] Error failure() const;

 private:
  explicit Database(std::string path) : path_(std::move(path)) {}

  std::string path_;
  sqlite3* handle_ = nullptr;
};

// Errors about a data file, with a fix.
[[nodiscard]] Error damaged(const std::string& path, const std::string& how);
[[nodiscard]] Error cannot_write(const std::string& path, int error_number, const std::string& text = "");
[[nodiscard]] Error not_ours(const std::string& path);
[[nodiscard]] std::string words_of(int error_number);

}  // namespace keelson::sandbox_data
