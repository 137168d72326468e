#include "src/kube/server_warnings.hpp"

#include "keelson/detail/kube/limits.hpp"

namespace keelson::kube {

namespace {

bool is_warning(std::string_view name) {
  return name.size() == 7 && (name[0] == 'W' || name[0] == 'w') && name.substr(1) == "arning";
}

}  // namespace

void ServerWarnings::log_from(const net::Headers& headers) {
  for (const auto& [name, value] : headers) {
    if (!is_warning(name)) continue;
    auto text = warning_text(value);
    if (text.empty() || logged_.size() >= limits::kServerWarnings) continue;
    // As in controller-runtime, the server's text is the message.
    if (logged_.insert(text).second) log_.info(text);
  }
}

std::string warning_text(std::string_view header) {
  if (header.substr(0, 4) != "299 ") return {};
  auto quote = header.find('"');
  if (quote == std::string_view::npos) return {};
  std::string text;
  for (auto rest = header.substr(quote + 1); !rest.empty(); rest.remove_prefix(1)) {
    if (rest.front() == '"') return text;
    if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
    text += rest.front();
  }
  return {};
}

}  // namespace keelson::kube
