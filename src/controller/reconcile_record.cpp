#include "src/controller/reconcile_record.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "keelson/detail/base/utf8.hpp"

namespace keelson::controller {

namespace {

constexpr std::array<std::string_view, 9> kResultNames = {
    "success", "requeue", "error", "terminal error", "panic", "timeout", "superseded", "paused", "gone"};

using std::chrono::microseconds;
using std::chrono::seconds;

// Numbers have seven bits a byte, the lowest first, because most of them are small.
class Packer {
 public:
  explicit Packer(std::size_t limit) : limit_(limit) {}

  void number(const auto& value) {
    auto left = static_cast<std::uint64_t>(value);
    for (; left >= 0x80; left >>= 7) bytes_ += static_cast<char>((left & 0x7F) | 0x80);
    bytes_ += static_cast<char>(left);
  }
  void time(async::WallTime time) { number(std::chrono::duration_cast<seconds>(time.time_since_epoch()).count()); }
  void duration(async::Duration duration) {
    number(std::max<std::int64_t>(std::chrono::duration_cast<microseconds>(duration).count(), 0));
  }
  void text(const std::string& text) {
    number(text.size());
    bytes_ += text;
  }
  void list(const auto& items, const auto& item) {
    number(items.size());
    for (const auto& each : items) item(*this, each);
  }
  // The items that fit.
  void list_in_limit(const auto& items, const auto& item) {
    const auto place = bytes_.size();
    number(0);
    --reserved_;
    char count = 0;
    for (const auto& each : items) {
      const auto before = bytes_.size();
      item(*this, each);
      if (bytes_.size() + reserved_ > limit_) {
        bytes_.resize(before);
        is_cut_ = true;
        break;
      }
      ++count;
    }
    bytes_[place] = count;
  }
  void is_complete(bool is_complete) { number(is_complete && !is_cut_); }

  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  std::size_t limit_;
  std::size_t reserved_ = 4;  // for the counts of the lists that follow, and for is_complete()
  bool is_cut_ = false;
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  void number(auto& value) { value = static_cast<std::remove_reference_t<decltype(value)>>(next()); }
  void time(async::WallTime& time) { time = async::WallTime(seconds(next())); }
  void duration(async::Duration& duration) { duration = microseconds(next()); }
  void text(std::string& text) {
    text = bytes_.substr(0, next());
    bytes_.remove_prefix(text.size());
  }
  void list(auto& items, const auto& item) {
    for (auto left = next(); left > 0; --left) item(*this, items.emplace_back());
  }
  void list_in_limit(auto& items, const auto& item) { list(items, item); }
  void is_complete(bool& is_complete) { number(is_complete); }

 private:
  std::uint64_t next() {
    std::uint64_t value = 0;
    for (int shift = 0; !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::string_view bytes_;
};

// Each of these packs a value with a Packer, and reads it again with an Unpacker.
constexpr auto kPackedId = [](auto& bytes, auto& id) { bytes.number(id); };
constexpr auto kPackedName = [](auto& bytes, auto& name) {
  bytes.number(name.form);
  bytes.text(name.text);
};
constexpr auto kPackedReason = [](auto& bytes, auto& reason) {
  bytes.number(reason.reason);
  kPackedName(bytes, reason.object);
};
constexpr auto kPackedWrite = [](auto& bytes, auto& write) {
  bytes.number(write.verb);
  bytes.number(write.effect);
  bytes.number(write.kind);
  kPackedName(bytes, write.object);
  bytes.list(write.fields, kPackedId);
};
constexpr auto kPackedRead = [](auto& bytes, auto& read) {
  bytes.number(read.kind);
  bytes.number(read.cached);
  bytes.number(read.consistent);
};
constexpr auto kPackedRecord = [](auto& bytes, auto& record) {
  bytes.number(record.result);  // the first byte, for result_of()
  bytes.time(record.began);
  bytes.duration(record.waited);
  bytes.duration(record.lasted);
  bytes.duration(record.after);
  bytes.number(record.retries);
  bytes.number(record.error);
  bytes.list_in_limit(record.reasons, kPackedReason);
  bytes.list_in_limit(record.writes, kPackedWrite);
  bytes.list_in_limit(record.reads, kPackedRead);
  bytes.is_complete(record.is_complete);
};

}  // namespace

std::string_view result_name(ReconcileResult result) { return kResultNames[static_cast<std::size_t>(result)]; }

bool is_failure(ReconcileResult result) {
  return result == ReconcileResult::kError || result == ReconcileResult::kTerminal ||
         result == ReconcileResult::kPanic || result == ReconcileResult::kTimeout;
}

RecordedName RecordedName::of(const kube::Key& object, const kube::Key& reconciled) {
  if (object == reconciled) return {Form::kSelf, ""};
  const bool is_longer = object.ns == reconciled.ns && object.name.starts_with(reconciled.name);
  auto text = is_longer ? object.name.substr(reconciled.name.size()) : object.text();
  if (text.size() > kBytes) text = std::string(base::cut_utf8(text, kBytes - 3)) + "…";
  return {is_longer ? Form::kSuffix : Form::kOther, std::move(text)};
}

std::string RecordedName::text_for(const kube::Key& reconciled) const {
  switch (form) {
    case Form::kNone:
      return "";
    case Form::kSelf:
      return reconciled.text();
    case Form::kSuffix:
      return reconciled.text() + text;
    case Form::kOther:
      return text;
  }
  return text;
}

std::string pack(const ReconcileRecord& record, std::size_t limit) {
  Packer bytes(limit);
  kPackedRecord(bytes, record);
  return std::move(bytes).take();
}

ReconcileRecord unpack(std::string_view bytes) {
  Unpacker source(bytes);
  ReconcileRecord record;
  kPackedRecord(source, record);
  return record;
}

ReconcileResult result_of(std::string_view bytes) { return static_cast<ReconcileResult>(bytes.front()); }

}  // namespace keelson::controller
