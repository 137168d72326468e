#include "keelson/detail/sandbox/loop/recording_sink.hpp"

#include <algorithm>

namespace keelson::sandbox::loop {

void RecordingSink::write(const Line& line) {
  Entry entry{line.level, line.verbosity, std::string(line.logger), std::string(line.message), "", ""};
  if (line.error != nullptr) entry.error = line.error->message();
  auto add = [&](const LogField& field) {
    if (!entry.fields.empty()) entry.fields += ' ';
    entry.fields += field.key + "=" + field.value.as_json();
  };
  for (const auto& field : line.bound) add(field);
  for (const auto& field : line.fields) add(field);
  entries_.push_back(std::move(entry));
}

std::size_t RecordingSink::count(std::string_view message) const {
  auto same = [&](const Entry& entry) { return entry.message == message; };
  return static_cast<std::size_t>(std::ranges::count_if(entries_, same));
}

}  // namespace keelson::sandbox::loop
