#include "tools/zone_compiler/tzif.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string_view>

namespace keelson::cron {

namespace {

// RFC 8536. The numbers are big-endian.
class Reader {
 public:
  Reader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  std::string_view take(std::size_t count) {
    if (bytes_.size() < count) give_up(name_ + " is truncated");
    const auto taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const char c : take(size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::int32_t signed32() { return static_cast<std::int32_t>(number(4)); }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
  std::string name_;
};

struct Header {
  std::size_t ut_flags, standard_flags, leap_seconds, times, types, letters;
  // The block behind a header, when its times have `size` bytes.
  std::size_t block(std::size_t size) const {
    return times * (size + 1) + types * 6 + letters + leap_seconds * (size + 4) + standard_flags + ut_flags;
  }
};

Header read_header(Reader& in) {
  if (in.take(4) != "TZif" || in.take(1) < "2") give_up("not a TZif file of version 2 or later");
  in.take(15);
  Header header{};
  for (auto* count : {&header.ut_flags, &header.standard_flags, &header.leap_seconds, &header.times, &header.types,
                      &header.letters}) {
    *count = static_cast<std::size_t>(in.number(4));
  }
  if (header.leap_seconds != 0) give_up("leap seconds are not supported");
  return header;
}

struct LocalType {
  std::int32_t offset;
  bool daylight;
};

// The type before the first change, by the rules of Go's lookupFirstZone.
std::size_t first_type(const std::vector<std::size_t>& used, const std::vector<LocalType>& types) {
  if (std::ranges::find(used, 0u) == used.end()) return 0;
  if (!used.empty() && types[used.front()].daylight) {
    for (std::size_t i = used.front(); i-- > 0;) {
      if (!types[i].daylight) return i;
    }
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!types[i].daylight) return i;
  }
  return 0;
}

// Removes changes of the name only, and the change at the Big Bang with which fat files start.
void add_change(CompiledZone& zone, Instant time, std::int32_t offset) {
  constexpr Instant kBeforeAnyClock = -1'000'000'000'000;
  const auto current = zone.changes.empty() ? zone.offset_before : zone.changes.back().offset;
  if (time < kBeforeAnyClock) {
    zone.offset_before = offset;
  } else if (offset != current) {
    zone.changes.push_back({time, offset});
  }
}

bool rule_says(const TailRule& rule, Instant begin, Instant end, std::int32_t offset) {
  for (Instant time = begin; time < end;) {
    const auto period = period_by_rule(rule, time);
    if (period.offset != offset) return false;
    time = period.end;
  }
  return true;
}

// Fat files list the changes until 2037 that follow from their rule.
void drop_what_the_rule_says(CompiledZone& zone) {
  if (!zone.has_tail) return;
  auto& changes = zone.changes;
  while (changes.size() >= 2) {
    const auto& before = changes[changes.size() - 2];
    if (!rule_says(zone.tail, before.time, changes.back().time, before.offset)) return;
    changes.pop_back();
  }
}

}  // namespace

CompiledZone read_tzif(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  Reader in(bytes, path.string());
  in.take(read_header(in).block(4));
  const auto header = read_header(in);
  std::vector<Instant> times;
  std::vector<std::size_t> used;
  std::vector<LocalType> types;
  for (std::size_t i = 0; i < header.times; ++i) times.push_back(static_cast<Instant>(in.number(8)));
  for (std::size_t i = 0; i < header.times; ++i) used.push_back(static_cast<std::size_t>(in.number(1)));
  for (std::size_t i = 0; i < header.types; ++i) {
    const auto offset = in.signed32();
    types.push_back({offset, in.number(1) != 0});
    in.take(1);
  }
  if (types.empty()) give_up(path.string() + " has no local time types");
  in.take(header.letters + header.standard_flags + header.ut_flags);

  CompiledZone zone;
  zone.offset_before = types[first_type(used, types)].offset;
  for (std::size_t i = 0; i < times.size(); ++i) add_change(zone, times[i], types.at(used[i]).offset);
  auto footer = in.rest();
  if (footer.size() < 2 || footer.front() != '\n' || footer.back() != '\n') give_up(path.string() + " has no footer");
  read_footer(std::string(footer.substr(1, footer.size() - 2)), zone);
  drop_what_the_rule_says(zone);
  return zone;
}

}  // namespace keelson::cron
