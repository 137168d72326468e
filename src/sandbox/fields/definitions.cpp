#include "src/sandbox/fields/definitions.hpp"

#include <zlib.h>

#include <algorithm>

#include "keelson/detail/base/assert.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kQuotedReference = "\"#/components/schemas/";
constexpr std::string_view kEmptyDescription = "\"description\":\"\"";
// Where the words of the trailer begin, in bytes before the end.
constexpr std::size_t kChecksum = 8;
constexpr std::size_t kSize = 4;

// Reads a little-endian number.
std::uint32_t trailer_word(std::string_view bytes, std::size_t from_end) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= std::uint32_t{static_cast<unsigned char>(bytes[bytes.size() - from_end + i])} << (8 * i);
  }
  return word;
}

// Inflates data that our build compressed (raw deflate, RFC 1951); bytes after its end are ignored.
std::string inflate(std::string_view compressed) {
  std::string out(trailer_word(compressed, kSize), '\0');
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

// Lines of a name, a space and the data of this name.
std::vector<Definition> read_lines(std::string_view rest) {
  std::vector<Definition> all;
  while (!rest.empty()) {
    auto end = rest.find('\n');
    auto space = rest.find(' ');
    KEELSON_ASSERT(space < end && end != std::string_view::npos);
    all.push_back({rest.substr(0, space), rest.substr(space + 1, end - space - 1)});
    rest.remove_prefix(end + 1);
  }
  return all;
}

const Definition* find_line(const std::vector<Definition>& sorted, std::string_view name) {
  auto found = std::ranges::lower_bound(sorted, name, {}, &Definition::name);
  return found != sorted.end() && found->name == name ? &*found : nullptr;
}

// The descriptions of a definition in their order, divided by tabs.
std::string_view descriptions_of(std::string_view definition) {
  static const std::string text = inflate(compressed_descriptions());
  static const std::vector<Definition> all = read_lines(text);
  const auto* found = find_line(all, definition);
  return found != nullptr ? found->json : "";
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

std::string Definition::described() const {
  auto texts = descriptions_of(name);
  std::string made;
  made.reserve(json.size() + texts.size());
  std::size_t written = 0;
  for (auto at = json.find(kEmptyDescription); at != std::string_view::npos;
       at = json.find(kEmptyDescription, written)) {
    const auto text = texts.substr(0, texts.find('\t'));
    const auto before_quote = at + kEmptyDescription.size() - 1;
    made.append(json.substr(written, before_quote - written)).append(text);
    written = before_quote;
    texts.remove_prefix(std::min(text.size() + 1, texts.size()));
  }
  return made.append(json.substr(written));
}

const std::vector<Definition>& definitions() {
  static const std::string text = inflate(compressed_definitions());
  static const std::vector<Definition> all = read_lines(text);
  return all;
}

const Definition* find_definition(std::string_view name) { return find_line(definitions(), name); }

std::string definition_name(const std::string& group, const std::string& version, const std::string& kind) {
  auto package = group.empty() ? std::string("core") : group.substr(0, group.find('.'));
  std::string folder = "io.k8s.api.";
  if (group == "apiextensions.k8s.io") folder = "io.k8s.apiextensions-apiserver.pkg.apis.";
  if (group == "apiregistration.k8s.io") folder = "io.k8s.kube-aggregator.pkg.apis.";
  return folder + package + "." + version + "." + kind;
}

std::uint32_t definitions_checksum() {
  return trailer_word(compressed_definitions(), kChecksum) ^ trailer_word(compressed_descriptions(), kChecksum);
}

}  // namespace keelson::sandbox
