// The YAML writer, in the style of controller-gen. It does not use yaml-cpp, whose emitter indents lists.
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/writer.hpp"
#include "src/json/yaml_scalar.hpp"

namespace keelson::json {
namespace {

bool is_block(View value) { return (value.is_object() || value.is_array()) && value.size() > 0; }

class YamlWriter {
 public:
  std::string run(View value) {
    if (is_block(value)) {
      block(value, 0);
    } else {
      scalar(value, 0);
    }
    return std::move(out_);
  }

 private:
  // The first line continues the current line; the following lines start with `indent` spaces.
  void block(View value, std::size_t indent) {
    bool is_first = true;
    const auto begin_line = [&] {
      if (!is_first) out_.append(indent, ' ');
      is_first = false;
    };
    for (const auto& [name, member] : value.members()) {
      begin_line();
      out_ += key(name) + ":";
      after_key(member, indent);
    }
    for (const View item : value.items()) {
      begin_line();
      out_ += "- ";
      if (is_block(item)) {
        block(item, indent + 2);
      } else {
        scalar(item, indent);
      }
    }
  }

  void after_key(View value, std::size_t indent) {
    if (!is_block(value)) {
      out_ += ' ';
      scalar(value, indent);
      return;
    }
    // A list starts in the column of its key.
    const std::size_t inner = value.is_array() ? indent : indent + 2;
    out_ += '\n';
    out_.append(inner, ' ');
    block(value, inner);
  }

  void scalar(View value, std::size_t indent) {
    if (value.is_object()) {
      out_ += "{}\n";
    } else if (value.is_array()) {
      out_ += "[]\n";
    } else if (const auto text = value.string()) {
      string(*text, indent + 2);
    } else {
      out_ += value.text() + "\n";
    }
  }

  void string(std::string_view text, std::size_t indent) {
    if (text.find('\n') != std::string_view::npos && is_literal_fit(text)) {
      literal(text, indent);
    } else {
      out_ += one_line(text) + "\n";
    }
  }

  // `|-`: no newline at the end, `|`: one, `|+`: several.
  void literal(std::string_view text, std::size_t indent) {
    const bool ends_line = text.ends_with('\n');
    const bool ends_lines = text.ends_with("\n\n") || text == "\n";
    out_ += "|";
    if (text.starts_with(' ') || text.starts_with('\n')) out_ += "2";
    out_ += ends_lines ? "+\n" : ends_line ? "\n" : "-\n";
    if (ends_line) text.remove_suffix(1);
    while (true) {
      const std::size_t length = std::min(text.find('\n'), text.size());
      if (length > 0) out_.append(indent, ' ');
      out_ += text.substr(0, length);
      out_ += '\n';
      if (length == text.size()) return;
      text.remove_prefix(length + 1);
    }
  }

  static std::string key(std::string_view name) { return one_line(name); }
  static std::string escaped(std::string_view text);
  static std::string one_line(std::string_view text);
  static bool is_literal_fit(std::string_view text);
  static bool is_printable(std::string_view text);
  static bool is_plain_fit(std::string_view text);

  std::string out_;
};

std::string YamlWriter::one_line(std::string_view text) {
  // The quotes of go-yaml: double if the text would be read as another type, single if it could not be parsed.
  if (!is_printable(text) || text.empty() || is_plain_ambiguous(text)) return escaped(text);
  if (is_plain_fit(text)) return std::string(text);
  std::string out = "'";
  for (const char byte : text) {
    out += byte;
    if (byte == '\'') out += byte;
  }
  return out + "'";
}

// JSON's escapes are valid in YAML, but YAML requires more bytes to be escaped.
std::string YamlWriter::escaped(std::string_view text) {
  std::string out;
  for (const char byte : quoted(text)) {
    const bool is_c1 = out.ends_with('\xC2') && static_cast<unsigned char>(byte) < 0xA0;
    if (is_c1) out.pop_back();
    if (is_c1 || byte == 0x7F) {
      out += "\\x";
      base::append_hex(out, static_cast<unsigned char>(byte), 2);
    } else {
      out += byte;
      if (out.ends_with("\uFEFF")) out.replace(out.size() - 3, 3, "\\ufeff");
      if (out.ends_with("\uFFFE")) out.replace(out.size() - 3, 3, "\\ufffe");
      if (out.ends_with("\uFFFF")) out.replace(out.size() - 3, 3, "\\uffff");
    }
  }
  return out;
}

// Editors remove trailing spaces, and unprintable characters need escapes.
bool YamlWriter::is_literal_fit(std::string_view text) {
  if (text.ends_with(' ') || text.find(" \n") != std::string_view::npos) return false;
  std::string without_lines(text);
  std::erase(without_lines, '\n');
  return is_printable(without_lines);
}

bool YamlWriter::is_printable(std::string_view text) {
  if (!base::is_utf8(text)) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (base::is_control(static_cast<char>(byte))) return false;
    // C1 controls, the line separators U+2028 and U+2029, and the byte order mark.
    if (byte == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0) return false;
    const std::string_view three = text.substr(at, 3);
    if (three == "\u2028" || three == "\u2029" || three == "\uFEFF" || three == "\uFFFE" || three == "\uFFFF") {
      return false;
    }
  }
  return true;
}

bool YamlWriter::is_plain_fit(std::string_view text) {
  constexpr std::string_view kIndicators = ",[]{}#&*!|>'\"%@`";
  if (text.starts_with(' ') || text.ends_with(' ') || text.ends_with(':')) return false;
  if (text.starts_with("---") || text.starts_with("...")) return false;
  if (kIndicators.find(text[0]) != std::string_view::npos) return false;
  const bool begins_like_list = text[0] == '-' || text[0] == '?' || text[0] == ':';
  if (begins_like_list && (text.size() == 1 || text[1] == ' ')) return false;
  return text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos;
}

}  // namespace

std::string to_yaml(View value) { return YamlWriter().run(value); }

}  // namespace keelson::json
