// Looks at a data file before SQLite does: SQLite changes what it opens, and a file that is not ours must stay as it
// is.
#pragma once

#include <cstdint>
#include <string>

#include "keelson/base/result.hpp"

namespace keelson::sandbox_data {

// In the header of our databases: PRAGMA application_id ("KSBX") and user_version.
inline constexpr std::uint32_t kApplication = 0x4b534258;
inline constexpr std::uint32_t kFormat = 1;

// Unfinished: ended in the middle of a write without a WAL, which is how it was created; SQLite takes that write back.
enum class Found { kNew, kOurs, kUnfinished };

// Creates the file, empty and with mode 0600, if there is none.
[[nodiscard]] Result<Found> prepare_file(const std::string& path);

// Takes the permissions of other users away, from the WAL too.
[[nodiscard]] Result<void> make_private(const std::string& path);

}  // namespace keelson::sandbox_data
