#include "keelson/controller/all_of.hpp"

#include <algorithm>

#include "keelson/base/assert.hpp"
#include "keelson/controller/basic_pass.hpp"

namespace keelson::controller {

Error joined(std::vector<Error> errors) {
  KEELSON_ASSERT(!errors.empty());
  std::ranges::stable_partition(errors, [](const Error& error) { return !is_waiting(error); });
  auto all = errors.front();
  auto& text = all.server_text.empty() ? all.text : all.server_text;
  for (auto other = errors.begin() + 1; other != errors.end(); ++other) text += "; and " + other->message();
  return all;
}

}  // namespace keelson::controller
