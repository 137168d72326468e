#include "src/sandbox/fields/simple_path.hpp"

#include <algorithm>

namespace keelson::sandbox {

std::vector<std::string> path_of(const std::string& json_path) {
  std::vector<std::string> names;
  std::size_t begin = json_path.empty() || json_path[0] != '.' ? 0 : 1;
  while (begin < json_path.size()) {
    auto end = std::min(json_path.find('.', begin), json_path.size());
    names.push_back(json_path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

const Tree* at_path(const Tree& object, std::string_view json_path) {
  const Tree* at = &object;
  if (json_path.starts_with('.')) json_path.remove_prefix(1);
  while (at != nullptr && !json_path.empty()) {
    const auto name = json_path.substr(0, json_path.find('.'));
    at = at->find(name);
    json_path.remove_prefix(std::min(name.size() + 1, json_path.size()));
  }
  return at;
}

void put_at(Tree& object, const std::string& json_path, const Tree& value) {
  Tree* at = &object;
  for (const auto& name : path_of(json_path)) at = &(*at)[name];
  *at = value;
}

}  // namespace keelson::sandbox
