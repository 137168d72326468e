// Any command line, and any file of --config: parsing never crashes, accepted values are within the documented ranges,
// and a rejection has a text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/detail/program/flags.hpp"

namespace {

using namespace keelson;

// An argument on each line; the first line is the environment's WATCH_NAMESPACE.
std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> all(1);
  for (char c : text) {
    if (c == '\n') {
      all.emplace_back();
    } else {
      all.back().push_back(c);
    }
  }
  return all;
}

void check_options(const program::Options& options) {
  KEELSON_ASSERT(options.max_concurrent_reconciles >= 1);
  KEELSON_ASSERT(options.max_concurrent_reconciles <= limits::kConcurrentReconciles);
  KEELSON_ASSERT(options.sync_period >= std::chrono::nanoseconds(0));
  KEELSON_ASSERT(options.log.verbosity >= -2);
  for (const auto& name : options.watch_namespaces) KEELSON_ASSERT(!name.empty() && name.size() <= 63);
  // The printed text can be parsed again.
  auto printed = base::format_go_duration(options.graceful_shutdown_timeout);
  auto again = base::parse_go_duration(printed);
  KEELSON_ASSERT(again && *again == options.graceful_shutdown_timeout);
}

void check_selection(const std::string& spec) {
  const std::vector<std::string> known{"cronjob", "hikawa", "memcached"};
  auto selected = program::select_controllers(spec, known);
  if (!selected) {
    KEELSON_ASSERT(!selected.error().text.empty());
    return;
  }
  KEELSON_ASSERT(!selected->empty() && selected->size() <= known.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto arguments = lines({reinterpret_cast<const char*>(data), size});
  auto environment = arguments.front();
  arguments.erase(arguments.begin());
  // The command line names a file by its content: the path has the lines of the file, with `;` between them.
  const auto read_file = [](const std::string& path) -> Result<std::string> {
    auto text = path;
    std::ranges::replace(text, ';', '\n');
    return text;
  };
  auto parsed = program::parse_flags(
      arguments, [&](const std::string&) -> std::optional<std::string> { return environment; }, {}, read_file);
  if (!parsed) {
    KEELSON_ASSERT(!parsed.error().text.empty());
    return 0;
  }
  KEELSON_ASSERT(parsed->rest.size() <= arguments.size());
  if (parsed->help) return 0;
  check_options(parsed->options);
  check_selection(parsed->options.controllers);
  return 0;
}
