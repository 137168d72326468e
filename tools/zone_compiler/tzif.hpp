// A TZif file, as zic writes it, reduced to the changes of the offset and the rule after the last one.
//
// Only for the build: unexpected content ends the program with a message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "keelson/detail/cron/year_rule.hpp"

namespace keelson::cron {

struct CompiledZone {
  struct Change {
    Instant time;
    std::int32_t offset;
    friend bool operator==(const Change&, const Change&) = default;
  };
  std::int32_t offset_before = 0;
  std::vector<Change> changes;
  bool has_tail = false;
  TailRule tail;

  friend bool operator==(const CompiledZone&, const CompiledZone&) = default;
};

[[noreturn]] void give_up(const std::string& why);

[[nodiscard]] CompiledZone read_tzif(const std::filesystem::path& path);

// The rule of a footer: "EST5EDT,M3.2.0,M11.1.0". `zone` keeps has_tail == false for one without daylight saving, whose
// offset must be the one in force.
void read_footer(const std::string& footer, CompiledZone& zone);

}  // namespace keelson::cron
