// zone_compiler DIRECTORY TZDATA.ZI OUTPUT: writes the zone tables from the files of zic in DIRECTORY.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "src/cron/zone_table.hpp"
#include "tools/zone_compiler/tzif.hpp"

namespace keelson::cron {

void give_up(const std::string& why) {
  std::cerr << "zone_compiler: " << why << "\n";
  std::exit(EXIT_FAILURE);
}

namespace {

namespace fs = std::filesystem;

struct Input {
  std::vector<std::pair<std::string, std::size_t>> names;  // and the index of the zone
  std::vector<CompiledZone> zones;
};

Input read_all(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);  // the same input makes the same binary
  Input input;
  for (const auto& file : files) {
    auto zone = read_tzif(file);
    const auto known = std::ranges::find(input.zones, zone);
    const auto index = static_cast<std::size_t>(known - input.zones.begin());
    if (known == input.zones.end()) input.zones.push_back(std::move(zone));
    input.names.emplace_back(fs::relative(file, directory).generic_string(), index);
  }
  std::ranges::sort(input.names);
  return input;
}

// Its first line: "# version 2026f".
std::string read_edition(const fs::path& path) {
  std::ifstream file(path);
  std::string hash;
  std::string word;
  std::string edition;
  file >> hash >> word >> edition;
  if (hash != "#" || word != "version" || edition.empty()) give_up(path.string() + " does not start with its version");
  return edition;
}

std::string rule_text(const YearRule& rule) {
  constexpr const char* kKinds[] = {"kWeekday", "kDayOfYear", "kSameInYear"};
  const auto number = [](auto value) { return std::to_string(value); };
  return std::string("{YearRule::Kind::") + kKinds[static_cast<std::size_t>(rule.kind)] + ", " + number(rule.month) +
         ", " + number(rule.week) + ", " + number(rule.weekday) + ", " + number(rule.day) + ", " + number(rule.time) +
         "}";
}

// The parts of the tables that grow with each zone.
struct Tables {
  std::vector<ZoneRecord> records;
  std::vector<TailRule> tails;
  std::vector<std::uint8_t> changes;
  std::vector<std::int32_t> offsets;
};

// The index of `part` in `all`, to which it is added if it is not there.
template <typename T>
std::size_t place_in(std::vector<T>& all, const std::vector<T>& part) {
  const auto found = std::search(all.begin(), all.end(), part.begin(), part.end());
  const auto index = static_cast<std::size_t>(found - all.begin());
  if (found == all.end()) all.insert(all.end(), part.begin(), part.end());
  return index;
}

void append_number(std::vector<std::uint8_t>& bytes, std::int64_t number, int size) {
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::vector<std::int32_t> palette_of(const CompiledZone& zone) {
  std::vector<std::int32_t> palette;
  for (const auto& change : zone.changes) palette.push_back(change.offset);
  std::ranges::sort(palette);
  palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
  return palette;
}

std::vector<std::uint8_t> encoded_changes(const CompiledZone& zone, const std::vector<std::int32_t>& palette) {
  std::vector<std::uint8_t> bytes;
  Instant before = 0;
  for (const auto& change : zone.changes) {
    const auto step = change.time - before;
    if (step >= 0 && step % kQuarter == 0 && step / kQuarter < kOtherTime) {
      append_number(bytes, step / kQuarter, 2);
    } else {
      append_number(bytes, kOtherTime, 2);
      append_number(bytes, step, 5);
    }
    append_number(bytes, std::ranges::lower_bound(palette, change.offset) - palette.begin(), 1);
    before = change.time;
  }
  return bytes;
}

void check_changes(const CompiledZone& zone, const ZoneRecord& record, const Tables& tables) {
  ChangeReader changes(tables.changes.data() + record.first, tables.offsets.data() + record.palette);
  for (const auto& change : zone.changes) {
    changes.next();
    if (changes.time() != change.time || changes.offset() != change.offset) give_up("a change cannot be encoded");
  }
}

void add_zone(Tables& tables, const CompiledZone& zone) {
  const auto palette = palette_of(zone);
  const auto tail = zone.has_tail ? place_in(tables.tails, {zone.tail}) : kNoTail;
  const auto first = place_in(tables.changes, encoded_changes(zone, palette));
  const auto offsets = place_in(tables.offsets, palette);
  if (palette.size() > 255 || offsets > 65535 || tables.tails.size() >= kNoTail) give_up("the tables are too small");
  tables.records.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint16_t>(zone.changes.size()),
                            static_cast<std::uint16_t>(offsets), zone.offset_before, static_cast<std::uint8_t>(tail)});
  check_changes(zone, tables.records.back(), tables);
}

void write_zones(std::ostream& out, const std::vector<CompiledZone>& zones) {
  Tables tables;
  for (const auto& zone : zones) add_zone(tables, zone);
  out << "constexpr ZoneRecord kRecords[] = {\n";
  for (const auto& record : tables.records) {
    out << "{" << record.first << ", " << record.count << ", " << record.palette << ", " << record.offset_before << ", "
        << unsigned{record.tail} << "},\n";
  }
  out << "};\nconstexpr TailRule kTails[] = {\n";
  for (const auto& tail : tables.tails) {
    out << "{" << tail.standard << ", " << tail.daylight << ", " << rule_text(tail.to_daylight) << ", "
        << rule_text(tail.to_standard) << "},\n";
  }
  out << "};\nconstexpr std::uint8_t kChanges[] = {\n";
  for (std::size_t i = 0; i < tables.changes.size(); ++i) {
    out << unsigned{tables.changes[i]} << (i % 32 == 31 ? ",\n" : ",");
  }
  out << "};\nconstexpr std::int32_t kOffsets[] = {\n";
  for (const auto offset : tables.offsets) out << offset << ",\n";
  out << "};\n";
}

void write_names(std::ostream& out, const Input& input) {
  out << "constexpr char kNameText[] =\n";
  for (const auto& [name, zone] : input.names) out << "\"" << name << "\\0\"\n";
  out << ";\nconstexpr ZoneName kNames[] = {\n";
  std::size_t first = 0;
  for (const auto& [name, zone] : input.names) {
    out << "{" << first << ", " << zone << "},\n";
    first += name.size() + 1;
  }
  if (first > 65535) give_up("the names are too long");
  out << "};\n";
}

void write_table(std::ostream& out, const Input& input, const std::string& edition) {
  const auto utc = std::ranges::find_if(input.names, [](const auto& one) { return one.first == "UTC"; });
  if (utc == input.names.end()) give_up("the data has no UTC");
  out << "#include \"src/cron/zone_table.hpp\"\n\nnamespace keelson::cron {\n\nnamespace {\n\n";
  write_names(out, input);
  write_zones(out, input.zones);
  out << "\n}  // namespace\n\n";
  out << "constinit const ZoneTable kZoneTable = {\"" << edition << "\", " << utc - input.names.begin()
      << ", kNameText, kNames, kRecords, kTails, kChanges, kOffsets};\n\n}  // namespace keelson::cron\n";
}

}  // namespace

}  // namespace keelson::cron

int main(int argc, char** argv) {
  using namespace keelson::cron;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 3) give_up("usage: zone_compiler DIRECTORY TZDATA.ZI OUTPUT");
  const auto input = read_all(arguments[0]);
  std::ofstream out(arguments[2], std::ios::trunc);
  write_table(out, input, read_edition(arguments[1]));
  out.close();
  if (!out) give_up("cannot write " + arguments[2]);
}
