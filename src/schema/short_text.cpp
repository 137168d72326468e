#include "keelson/detail/schema/short_text.hpp"

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/utf8.hpp"

namespace keelson::kube {

std::string short_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  return std::string(base::cut_utf8(text, limit)) + "...";
}

std::string short_quote(std::string_view text) { return base::quote_go(short_text(text)); }

}  // namespace keelson::kube
