// text_packer FILE OUTPUT: writes FILE as the packed text of src/program/packed_text.hpp, in the source file OUTPUT.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/program/packed_text.hpp"

namespace keelson::program {

namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::cerr << "text_packer: " << why << "\n";
  std::exit(EXIT_FAILURE);
}

// Where each sequence of kShortestMatch bytes occurs in the text so far.
using Places = std::unordered_map<std::string, std::vector<std::size_t>>;

struct Match {
  std::size_t size = 0;
  std::size_t distance = 0;
};

Match longest_match(const std::string& text, std::size_t at, const Places& places) {
  Match best;
  const auto found = places.find(text.substr(at, kShortestMatch));
  if (found == places.end()) return best;
  const auto limit = std::min(kLongestMatch, text.size() - at);
  for (const auto place : found->second) {
    if (at - place > kFarthestMatch) continue;
    std::size_t size = 0;
    while (size < limit && text[place + size] == text[at + size]) ++size;
    if (size >= best.size) best = {size, at - place};
  }
  return best.size < kShortestMatch ? Match{} : best;
}

void flush_literals(std::string& packed, std::string& literals) {
  for (std::size_t at = 0; at < literals.size(); at += kMostLiterals) {
    const auto run = literals.substr(at, kMostLiterals);
    packed.push_back(static_cast<char>(run.size() - 1));
    packed.append(run);
  }
  literals.clear();
}

std::string pack(const std::string& text) {
  std::string packed;
  std::string literals;
  Places places;
  for (std::size_t at = 0; at < text.size();) {
    auto match = longest_match(text, at, places);
    places[text.substr(at, kShortestMatch)].push_back(at);
    // A longer match at the next byte is worth a literal.
    if (match.size > 0 && longest_match(text, at + 1, places).size > match.size + 1) match = {};
    if (match.size == 0) {
      literals.push_back(text[at++]);
      continue;
    }
    flush_literals(packed, literals);
    packed.push_back(static_cast<char>(kMatch + match.size - kShortestMatch));
    packed.push_back(static_cast<char>(match.distance));
    packed.push_back(static_cast<char>(match.distance >> 8));
    for (std::size_t i = 1; i < match.size; ++i) places[text.substr(at + i, kShortestMatch)].push_back(at + i);
    at += match.size;
  }
  flush_literals(packed, literals);
  return packed;
}

void write_source(std::ostream& out, const std::string& packed) {
  out << "#include \"src/program/notices.hpp\"\n\nnamespace keelson::program {\n\nnamespace {\n\n"
         "constexpr unsigned char kPacked[] = {\n";
  for (std::size_t i = 0; i < packed.size(); ++i) {
    out << unsigned{static_cast<unsigned char>(packed[i])} << (i % 32 == 31 ? ",\n" : ",");
  }
  out << "};\n\n}  // namespace\n\nconst std::span<const unsigned char> kPackedNotices = kPacked;\n\n"
         "}  // namespace keelson::program\n";
}

}  // namespace

}  // namespace keelson::program

int main(int argc, char** argv) {
  using namespace keelson::program;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 2) give_up("usage: text_packer FILE OUTPUT");
  std::ifstream file(arguments[0], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) give_up("cannot read " + arguments[0]);
  const auto packed = pack(text);
  const std::vector<unsigned char> bytes(packed.begin(), packed.end());
  if (unpack_text(bytes) != text) give_up("the packed text differs");
  std::ofstream out(arguments[1], std::ios::trunc);
  write_source(out, packed);
  out.close();
  if (!out) give_up("cannot write " + arguments[1]);
}
