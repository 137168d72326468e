#include "src/sandbox/fields/definitions.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "src/sandbox/fields/inflate.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kTrailer = 8;
constexpr std::string_view kQuotedReference = "\"#/components/schemas/";

// Reads a little-endian number that starts `from_end` bytes before the end.
std::uint32_t trailer_word(std::size_t from_end) {
  auto bytes = compressed_definitions();
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= std::uint32_t{static_cast<unsigned char>(bytes[bytes.size() - from_end + i])} << (8 * i);
  }
  return word;
}

const std::string& definition_text() {
  static const std::string text = inflate(compressed_definitions(), trailer_word(kTrailer - 4));
  return text;
}

std::vector<std::string_view> references_of(std::string_view json) {
  std::vector<std::string_view> found;
  for (auto at = json.find(kQuotedReference); at != std::string_view::npos; at = json.find(kQuotedReference, at)) {
    at += kQuotedReference.size();
    auto name = json.substr(at, json.find('"', at) - at);
    if (std::ranges::find(found, name) == found.end()) found.push_back(name);
  }
  return found;
}

std::vector<Definition> read_definitions() {
  std::vector<Definition> all;
  std::string_view rest = definition_text();
  while (!rest.empty()) {
    auto end = rest.find('\n');
    auto space = rest.find(' ');
    KEELSON_ASSERT(space < end && end != std::string_view::npos);
    auto json = rest.substr(space + 1, end - space - 1);
    all.push_back({rest.substr(0, space), json, references_of(json)});
    rest.remove_prefix(end + 1);
  }
  return all;
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = read_definitions();
  return all;
}

const Definition* find_definition(std::string_view name) {
  const auto& all = definitions();
  auto found = std::ranges::lower_bound(all, name, {}, &Definition::name);
  return found != all.end() && found->name == name ? &*found : nullptr;
}

std::string definition_name(const std::string& group, const std::string& version, const std::string& kind) {
  auto package = group.empty() ? std::string("core") : group.substr(0, group.find('.'));
  std::string folder = "io.k8s.api.";
  if (group == "apiextensions.k8s.io") folder = "io.k8s.apiextensions-apiserver.pkg.apis.";
  if (group == "apiregistration.k8s.io") folder = "io.k8s.kube-aggregator.pkg.apis.";
  return folder + package + "." + version + "." + kind;
}

std::uint32_t definitions_checksum() { return trailer_word(kTrailer); }

}  // namespace keelson::sandbox
