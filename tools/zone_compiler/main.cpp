// zone_compiler DIRECTORY TZDATA.ZI OUTPUT: writes the zone tables from the files of zic in DIRECTORY.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

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
  std::sort(files.begin(), files.end());  // the same input makes the same binary
  Input input;
  for (const auto& file : files) {
    auto zone = read_tzif(file);
    const auto known = std::find(input.zones.begin(), input.zones.end(), zone);
    const auto index = static_cast<std::size_t>(known - input.zones.begin());
    if (known == input.zones.end()) input.zones.push_back(std::move(zone));
    input.names.emplace_back(fs::relative(file, directory).generic_string(), index);
  }
  std::sort(input.names.begin(), input.names.end());
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

void write_zones(std::ostream& out, const std::vector<CompiledZone>& zones) {
  out << "constexpr ZoneRecord kRecords[] = {\n";
  std::size_t first = 0;
  for (const auto& zone : zones) {
    out << "{" << first << ", " << zone.changes.size() << ", " << zone.offset_before << ", " << zone.has_tail << ", {"
        << zone.tail.standard << ", " << zone.tail.daylight << ", " << rule_text(zone.tail.to_daylight) << ", "
        << rule_text(zone.tail.to_standard) << "}},\n";
    first += zone.changes.size();
  }
  out << "};\nconstexpr Instant kChanges[] = {\n";
  for (const auto& zone : zones) {
    for (const auto& change : zone.changes) out << change.time << ",\n";
  }
  out << "};\nconstexpr std::int32_t kOffsets[] = {\n";
  for (const auto& zone : zones) {
    for (const auto& change : zone.changes) out << change.offset << ",\n";
  }
  out << "};\n";
}

void write_table(std::ostream& out, const Input& input, const std::string& edition) {
  out << "#include \"src/cron/zone_table.hpp\"\n\nnamespace keelson::cron {\n\nnamespace {\n\n";
  out << "constexpr ZoneName kNames[] = {\n";
  std::size_t utc = input.names.size();
  for (std::size_t i = 0; i < input.names.size(); ++i) {
    const auto& [name, zone] = input.names[i];
    out << "{\"" << name << "\", " << zone << "},\n";
    if (name == "UTC") utc = i;
  }
  if (utc == input.names.size()) give_up("the data has no UTC");
  out << "};\n";
  write_zones(out, input.zones);
  out << "\n}  // namespace\n\n";
  out << "constinit const ZoneTable kZoneTable = {\"" << edition << "\", " << utc
      << ", kNames, kRecords, kChanges, kOffsets};\n\n}  // namespace keelson::cron\n";
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
