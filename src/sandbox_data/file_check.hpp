// Checks a data file before SQLite opens it: SQLite changes files that it opens, and a file of another program must
// not change.
#pragma once

#include <cstdint>
#include <string>

#include "keelson/base/result.hpp"

namespace keelson::sandbox_data {

// In the header of our databases: PRAGMA application_id ("KSBX") and user_version.
inline constexpr std::uint32_t kApplication = 0x4b534258;
inline constexpr std::uint32_t kFormat = 2;

// kUnfinished: the process that created the file ended during a write without a WAL; SQLite undoes that write.
enum class Found { kNew, kOurs, kUnfinished };

// SQLite stores the WAL next to the target of a symbolic link, and so are our files. The path itself if there is no
// such file.
[[nodiscard]] std::string real_path(const std::string& path);

// Creates the file, empty and with mode 0600, if it does not exist.
[[nodiscard]] Result<Found> prepare_file(const std::string& path);

// Removes the permissions of other users, also from the WAL.
[[nodiscard]] Result<void> make_private(const std::string& path);

}  // namespace keelson::sandbox_data
