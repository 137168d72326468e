// The example in the header of room zpages: a page of facts.
#include "keelson/detail/zpages/page.hpp"

namespace keelson::examples {

// [page]
std::string backups_page(int done, int failed) {
  zpages::Page page{.title = "backups", .program = "greeter"};
  const auto tone = failed > 0 ? zpages::Tone::kBad : zpages::Tone::kGood;
  page.sections.push_back(
      {.title = "Backups", .facts = {{"done", std::to_string(done)}, {"failed", std::to_string(failed), tone}}});
  return zpages::html_of(page);
}
// [end]

}  // namespace keelson::examples
