// The YAML reader: builds a Tree from yaml-cpp's events. The only file that uses yaml-cpp, whose exceptions end here.
#include "keelson/detail/json/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <map>
#include <ranges>
#include <streambuf>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/json/tree_size.hpp"
#include "src/json/yaml_scalar.hpp"

namespace keelson::json {
namespace {

// What the documents of a text have in common.
struct Progress {
  int last_start = -1;         // where the document before began
  std::size_t memory = 0;      // of all nodes and copies of anchors, also of those that are not needed any more
  std::size_t separators = 0;  // that were read since the last event
  std::vector<std::string>* repeated = nullptr;  // receives the keys that occur again in their map
};

constexpr std::size_t kMostRepeated = 100;

constexpr const char* kTooMuchMemory = "the values, with the copies of anchors, take too much memory";

// yaml-cpp stores the tokens of a flow collection until its end, at 140 bytes each, because the collection could be a
// key. These are the characters between them that it may have read ahead; a long string may have as many.
constexpr std::size_t kSeparatorsAhead = 200'000;

// The text in small parts. It ends early if yaml-cpp stores too many tokens.
class TextParts : public std::streambuf {
 public:
  TextParts(std::string_view text, Progress& progress) : text_(text), progress_(progress) {}

  [[nodiscard]] bool has_given_up() const { return has_given_up_; }

 protected:
  int_type underflow() override {
    const auto part = text_.substr(0, kPart);
    text_.remove_prefix(part.size());
    for (const char c : part) progress_.separators += std::string_view(",[]{}").find(c) != std::string_view::npos;
    has_given_up_ = has_given_up_ || progress_.separators > kSeparatorsAhead;
    if (part.empty() || has_given_up_) return traits_type::eof();
    auto* const begin = const_cast<char*>(part.data());  // of the interface; a get area is not written to
    setg(begin, begin, begin + part.size());
    return traits_type::to_int_type(part.front());
  }

 private:
  static constexpr std::size_t kPart = 4096;

  std::string_view text_;
  Progress& progress_;
  bool has_given_up_ = false;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Progress& progress) : progress_(progress) {}

  [[nodiscard]] Tree take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // At a stray comma or bracket yaml-cpp 0.7 begins an empty document again and again.
    if (mark.pos == progress_.last_start) fail(mark, "unexpected token");
    progress_.last_start = mark.pos;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark, node_memory(0));
    put(mark, anchor, Tree());
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(mark, anchor, Tree::array());
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(mark, anchor, Tree::object());
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    YAML::Mark mark;
    YAML::anchor_t anchor;
    Tree tree;
    std::vector<Tree> merged;  // values of << keys
    bool has_name = false;
    bool is_merge = false;
    std::string name;
  };

  void begin(const YAML::Mark& mark, YAML::anchor_t anchor, Tree empty);
  void end();
  void put(const YAML::Mark& mark, YAML::anchor_t anchor, Tree value, bool is_plain = false);
  void put_name(const YAML::Mark& mark, const Tree& value, bool is_plain);
  void note_repeated(const YAML::Mark& mark, const Open& map);
  void merge(Open& map);
  void count(const YAML::Mark& mark, std::size_t memory);

  [[noreturn]] static void fail(const YAML::Mark& mark, const char* reason) {
    throw YAML::ParserException(mark, reason);
  }

  Progress& progress_;
  Tree root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Tree> anchors_;
};

Error error_of(const YAML::Exception& exception) {
  return malformed_error("yaml: line " + std::to_string(exception.mark.line + 1) + ", column " +
                         std::to_string(exception.mark.column + 1) + ": " + exception.msg);
}

constexpr const char* kNull = "null";

}  // namespace

namespace {

enum class Documents { kFirst, kAll };

// The documents as JSON, also empty ones.
Result<std::vector<std::string>> read_documents(std::string_view text, Documents which,
                                                std::vector<std::string>* repeated = nullptr) {
  if (text.size() > limits::kLocalFileBytes) return malformed_error("yaml: the text is too large");
  std::vector<std::string> documents;
  Progress progress{.repeated = repeated};
  TextParts parts(text, progress);
  try {
    std::istream stream(&parts);
    YAML::Parser parser(stream);
    while (true) {
      TreeBuilder builder(progress);
      const bool is_document = parser.HandleNextDocument(builder);
      if (parts.has_given_up()) return malformed_error(std::string("yaml: ") + kTooMuchMemory);
      if (!is_document) return documents;
      documents.push_back(builder.take().text());
      if (which == Documents::kFirst) return documents;
    }
  } catch (const YAML::Exception& exception) {
    if (parts.has_given_up()) return malformed_error(std::string("yaml: ") + kTooMuchMemory);
    return error_of(exception);
  }
}

}  // namespace

Result<std::vector<std::string>> yaml_documents_to_json(std::string_view text) {
  KEELSON_LET(auto documents, read_documents(text, Documents::kAll));
  std::erase(documents, kNull);
  return documents;
}

Result<std::string> first_yaml_document_to_json(std::string_view text) {
  KEELSON_LET(auto documents, read_documents(text, Documents::kFirst));
  return documents.empty() ? std::string(kNull) : std::move(documents.front());
}

namespace {

Result<std::string> only_document(std::vector<std::string> documents) {
  std::erase(documents, kNull);
  if (documents.empty()) return std::string(kNull);
  if (documents.size() > 1) return malformed_error("yaml: expected one document, found several");
  return std::move(documents.front());
}

}  // namespace

Result<std::string> yaml_to_json(std::string_view text) {
  KEELSON_LET(auto documents, read_documents(text, Documents::kAll));
  return only_document(std::move(documents));
}

Result<std::string> yaml_to_json(std::string_view text, std::vector<std::string>& repeated) {
  KEELSON_LET(auto documents, read_documents(text, Documents::kAll, &repeated));
  return only_document(std::move(documents));
}

namespace {

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) fail(mark, "an alias inside of its own anchor");
  count(mark, memory_of(found->second));
  put(mark, YAML::NullAnchor, found->second);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  // yaml-cpp tags plain scalars "?" and quoted ones "!".
  const bool is_plain = tag == "?";
  const bool is_resolved = is_plain || tag == "tag:yaml.org,2002:int" || tag == "tag:yaml.org,2002:float" ||
                           tag == "tag:yaml.org,2002:bool" || tag == "tag:yaml.org,2002:null";
  const auto json = is_resolved ? plain_scalar_json(value) : std::nullopt;
  if (json && json->empty()) fail(mark, "JSON cannot represent this number");
  count(mark, node_memory(value.size()));
  put(mark, anchor, json ? Tree::raw(*json) : Tree(value), is_plain);
}

void TreeBuilder::begin(const YAML::Mark& mark, YAML::anchor_t anchor, Tree empty) {
  if (open_.size() == limits::kJsonDepth) fail(mark, "nested too deep");
  const bool is_name = !open_.empty() && open_.back().tree.is_object() && !open_.back().has_name;
  if (is_name) fail(mark, "a key must be a scalar");
  count(mark, node_memory(0));
  open_.push_back({mark, anchor, std::move(empty), {}, false, false, {}});
}

void TreeBuilder::end() {
  Open closed = std::move(open_.back());
  open_.pop_back();
  merge(closed);
  put(closed.mark, closed.anchor, std::move(closed.tree));
}

void TreeBuilder::put(const YAML::Mark& mark, YAML::anchor_t anchor, Tree value, bool is_plain) {
  if (anchor != YAML::NullAnchor) {
    count(mark, memory_of(value));
    anchors_[anchor] = value;
  }
  if (open_.empty()) {
    root_ = std::move(value);
    return;
  }
  Open& parent = open_.back();
  // The copy of an anchor is as deep as the original.
  if (open_.size() + depth_of(value) > limits::kJsonDepth) fail(mark, "nested too deep");
  if (parent.tree.is_array()) {
    parent.tree.items().push_back(std::move(value));
  } else if (!parent.has_name) {
    put_name(mark, value, is_plain);
  } else {
    parent.has_name = false;
    if (parent.is_merge) {
      parent.merged.push_back(std::move(value));
    } else {
      if (progress_.repeated != nullptr) note_repeated(mark, parent);
      parent.tree[parent.name] = std::move(value);
    }
  }
}

// The line is that of the value.
void TreeBuilder::note_repeated(const YAML::Mark& mark, const Open& map) {
  if (progress_.repeated->size() == kMostRepeated || std::as_const(map.tree).find(map.name) == nullptr) return;
  progress_.repeated->push_back("line " + std::to_string(mark.line + 1) + ": key " + base::quote_go(map.name) +
                                " already set in map");
}

void TreeBuilder::put_name(const YAML::Mark& mark, const Tree& value, bool is_plain) {
  if (value.is_object() || value.is_array()) fail(mark, "a key must be a scalar");
  Open& map = open_.back();
  map.has_name = true;
  map.name = value.is_null() ? kNull : value.scalar();
  map.is_merge = is_plain && map.name == "<<";
}

void set_members(Tree& map, const Tree& source) {
  for (const auto& [name, member] : source.members()) map[name] = member;
}

// The members of the map itself take precedence over merged ones, and earlier merged ones over later ones.
void TreeBuilder::merge(Open& map) {
  if (map.merged.empty()) return;
  std::vector<const Tree*> sources;
  for (const Tree& source : map.merged) {
    if (source.is_array()) {
      for (const Tree& item : source.items()) sources.push_back(&item);
    } else {
      sources.push_back(&source);
    }
  }
  // The last of equal names counts, so the map that takes precedence is added last.
  Tree more = Tree::object();
  for (const Tree* source : std::views::reverse(sources)) {
    if (!source->is_object()) fail(map.mark, "<< requires a map");
    set_members(more, *source);
  }
  set_members(more, map.tree);
  map.tree = std::move(more);
}

// Each alias of an alias doubles the size ("billion laughs"), and a node takes many times its text, so the memory of
// all nodes and copies together is limited.
void TreeBuilder::count(const YAML::Mark& mark, std::size_t memory) {
  progress_.separators = 0;
  progress_.memory += memory;
  if (progress_.memory > kTreeMemory) fail(mark, kTooMuchMemory);
}

}  // namespace
}  // namespace keelson::json
