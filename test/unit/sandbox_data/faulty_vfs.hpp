// A file system whose writes fail on demand: SQLite's own with another write function. It does not sync files, which
// only a power failure would show and which would take most of the time of a test.
#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include <map>

namespace keelson::sandbox_data::fixtures {

class FaultyVfs {
 public:
  static constexpr const char* kName = "faulty";

  // Registers it, once for all tests; no write fails.
  static void install() {
    if (sqlite3_vfs_find(kName) == nullptr) {
      auto* original = sqlite3_vfs_find(nullptr);
      static sqlite3_vfs faulty;
      faulty = *original;
      faulty.zName = kName;
      faulty.pNext = nullptr;
      open_original = original->xOpen;
      faulty.xOpen = open;
      delete_original = original->xDelete;
      faulty.xDelete = remove;
      sqlite3_vfs_register(&faulty, 0);
    }
    heal();
  }

  // Instead of a code: the process ends before that write, as with kill -9.
  static constexpr int kKill = -1;

  // The n-th write from now on fails (the first is 0), and all later ones.
  static void fail_from(int number, int with_code) {
    until_failure = number;
    code = with_code;
    failures = 0;
  }
  static void heal() { until_failure = -1; }

  static inline int failures = 0;

 private:
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    int result = open_original(vfs, name, file, flags, out);
    if (result != SQLITE_OK || file->pMethods == nullptr) return result;
    write_original = file->pMethods->xWrite;
    auto& methods = tables[file->pMethods];
    methods = *file->pMethods;
    methods.xWrite = write;
    methods.xSync = sync;
    file->pMethods = &methods;
    return result;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int /*with_sync*/) { return delete_original(vfs, name, 0); }

  static int sync(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }

  static int write(sqlite3_file* file, const void* data, int bytes, sqlite3_int64 at) {
    if (until_failure > 0) --until_failure;
    if (until_failure != 0) return write_original(file, data, bytes, at);
    if (code == kKill) ::_exit(0);
    ++failures;
    // The disk stores only half of the write.
    static_cast<void>(write_original(file, data, bytes / 2, at));
    return code;
  }

  static inline int (*open_original)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*) = nullptr;
  static inline int (*delete_original)(sqlite3_vfs*, const char*, int) = nullptr;
  static inline int (*write_original)(sqlite3_file*, const void*, int, sqlite3_int64) = nullptr;
  static inline std::map<const sqlite3_io_methods*, sqlite3_io_methods> tables;
  static inline int until_failure = -1;
  static inline int code = SQLITE_FULL;
};

}  // namespace keelson::sandbox_data::fixtures
