#include "src/sandbox/fields/definitions.hpp"

#include <zlib.h>

#include <algorithm>

#include "keelson/detail/base/assert.hpp"

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

// Inflates data that our build compressed (raw deflate, RFC 1951); bytes after its end are ignored.
std::string inflate(std::string_view compressed, std::size_t expected_size) {
  std::string out(expected_size, '\0');
  z_stream stream{};
  // zlib does not write to its input, although without ZLIB_CONST the type is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  constexpr int kRaw = -15;
  KEELSON_ASSERT(inflateInit2(&stream, kRaw) == Z_OK);
  KEELSON_ASSERT(::inflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

const std::string& definition_text() {
  static const std::string text = inflate(compressed_definitions(), trailer_word(kTrailer - 4));
  return text;
}

std::vector<Definition> read_definitions() {
  std::vector<Definition> all;
  std::string_view rest = definition_text();
  while (!rest.empty()) {
    auto end = rest.find('\n');
    auto space = rest.find(' ');
    KEELSON_ASSERT(space < end && end != std::string_view::npos);
    all.push_back({rest.substr(0, space), rest.substr(space + 1, end - space - 1)});
    rest.remove_prefix(end + 1);
  }
  return all;
}

}  // namespace

std::vector<std::string_view> Definition::references() const {
  std::vector<std::string_view> found;
  for (auto at = json.find(kQuotedReference); at != std::string_view::npos; at = json.find(kQuotedReference, at)) {
    at += kQuotedReference.size();
    auto other = json.substr(at, json.find('"', at) - at);
    if (std::ranges::find(found, other) == found.end()) found.push_back(other);
  }
  return found;
}

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
