// Limits of room `zpages`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Distinct error lines that /statusz lists, and the bytes of each of their texts: an engineer reads them all.
inline constexpr std::size_t kRecentErrors = 50;
inline constexpr std::size_t kRecentErrorBytes = 400;

// Points of a chart: 10 minutes at an interval of 10 s.
inline constexpr std::size_t kHistoryPoints = 60;

// Charts of a program, each with kHistoryPoints numbers: 4 of the process and 2 of each controller.
inline constexpr std::size_t kHistorySeries = 64;

// Rows of a table, and bytes of a text in it: a page must be readable, and small enough to be made in a turn of the
// loop.
inline constexpr std::size_t kPageRows = 100;
inline constexpr std::size_t kPageTextBytes = 600;

// The header Accept of a request; a browser sends about 150 bytes.
inline constexpr std::size_t kAcceptBytes = 1000;

}  // namespace keelson::limits
