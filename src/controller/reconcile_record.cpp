#include "src/controller/reconcile_record.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "src/controller/event_json.hpp"

namespace keelson::controller {

namespace {

constexpr std::array<std::string_view, 9> kResultNames = {
    "success", "requeue", "error", "terminal error", "panic", "timeout", "superseded", "paused", "gone"};

// A duration has a mantissa of 11 bits and an exponent of 5 bits, in microseconds: up to 50 days.
constexpr int kMantissaBits = 11;

std::uint16_t short_duration(async::Duration duration) {
  const auto exact = static_cast<std::uint64_t>(
      std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(duration).count(), 0));
  for (unsigned exponent = 0; exponent < 32; ++exponent) {
    const auto mantissa = (exact + (std::uint64_t{1} << exponent) / 2) >> exponent;
    if (mantissa >> kMantissaBits == 0) return static_cast<std::uint16_t>(exponent << kMantissaBits | mantissa);
  }
  return 0xFFFF;
}

async::Duration long_duration(std::uint64_t packed) {
  const auto mantissa = static_cast<std::int64_t>(packed & ((1U << kMantissaBits) - 1));
  return std::chrono::microseconds(mantissa << (packed >> kMantissaBits));
}

class Bytes {
 public:
  explicit Bytes(std::size_t limit) : limit_(limit) {}

  void put(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) text_ += static_cast<char>(value >> 8 * i & 0xFF);
  }
  // Seven bits a byte.
  void put_number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7F) | 0x80);
    text_ += static_cast<char>(value);
  }
  void put_name(const RecordedName& name) {
    put(static_cast<std::uint64_t>(name.form) << 6 | name.text.size(), 1);
    text_ += name.text;
  }
  // Writes a list with the number of its items in front. Returns false if some do not fit; `rest` bytes stay free.
  template <class List, class Write>
  bool put_list(const List& list, std::size_t rest, Write write) {
    const auto place = text_.size();
    std::size_t count = 0;
    put(0, 1);
    for (const auto& item : list) {
      const auto before = text_.size();
      write(item);
      if (text_.size() + rest > limit_) {
        text_.resize(before);
        break;
      }
      ++count;
    }
    text_[place] = static_cast<char>(count);
    return count == list.size();
  }
  void put_reason(const RecordedReason& reason) {
    put_number(reason.reason);
    put_name(reason.object);
  }
  void set(std::size_t place, std::uint8_t value) { text_[place] = static_cast<char>(value); }

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::size_t limit_;
  std::string text_;
};

class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << 8 * i;
    return value;
  }
  TextTable::Id id() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto next = byte();
      value |= std::uint64_t{next & 0x7FU} << shift;
      if (next < 0x80) return static_cast<TextTable::Id>(value);
    }
  }
  RecordedName name() {
    const auto head = byte();
    const std::size_t size = std::min<std::size_t>(head & 0x3FU, bytes_.size());
    RecordedName name{static_cast<RecordedName::Form>(head >> 6), std::string(bytes_.substr(0, size))};
    bytes_.remove_prefix(size);
    return name;
  }
  RecordedReason reason() {
    const auto text = id();
    return {text, name()};
  }

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  std::string_view bytes_;
};

constexpr std::size_t kFlagsPlace = 10;
constexpr std::uint8_t kIncomplete = 0x10;
constexpr std::uint8_t kHasError = 0x20;

void put_write(Bytes& bytes, const RecordedWrite& write) {
  bytes.put(static_cast<std::uint64_t>(write.verb) | static_cast<std::uint64_t>(write.effect) << 4, 1);
  bytes.put_number(write.kind);
  bytes.put_name(write.object);
  bytes.put(write.fields.size(), 1);
  for (const auto field : write.fields) bytes.put_number(field);
}

RecordedWrite read_write(RecordReader& source) {
  RecordedWrite write;
  const auto head = source.number(1);
  write.verb = static_cast<kube::Verb>(head & 0xF);
  write.effect = static_cast<RecordedWrite::Effect>(head >> 4);
  write.kind = source.id();
  write.object = source.name();
  for (auto left = source.number(1); left > 0; --left) write.fields.push_back(source.id());
  return write;
}

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
  if (text.size() > kBytes) text = cut(std::move(text), kBytes - 3) + "…";
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
  Bytes bytes(limit);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(record.began.time_since_epoch()).count();
  bytes.put(static_cast<std::uint64_t>(seconds), 4);
  bytes.put(short_duration(record.waited), 2);
  bytes.put(short_duration(record.lasted), 2);
  bytes.put(short_duration(record.after), 2);
  auto flags = static_cast<std::uint8_t>(record.result);
  bytes.put(0, 1);
  bytes.put(static_cast<std::uint64_t>(std::min(record.retries, 255)), 1);
  if (record.error != 0) {
    flags |= kHasError;
    bytes.put(record.error, 4);
  }
  // Each list leaves a byte for the number of items of those that follow.
  bool is_complete = record.is_complete;
  is_complete &= bytes.put_list(record.reasons, 2, [&](const auto& reason) { bytes.put_reason(reason); });
  is_complete &= bytes.put_list(record.writes, 1, [&](const auto& write) { put_write(bytes, write); });
  is_complete &= bytes.put_list(record.reads, 0, [&](const auto& read) {
    bytes.put_number(read.kind);
    bytes.put(read.cached, 1);
    bytes.put(read.consistent, 1);
  });
  if (!is_complete) flags |= kIncomplete;
  bytes.set(kFlagsPlace, flags);
  return std::move(bytes).take();
}

ReconcileRecord unpack(std::string_view bytes) {
  RecordReader source(bytes);
  ReconcileRecord record;
  record.began = async::WallTime(std::chrono::seconds(source.number(4)));
  record.waited = long_duration(source.number(2));
  record.lasted = long_duration(source.number(2));
  record.after = long_duration(source.number(2));
  const auto flags = source.number(1);
  record.result = static_cast<ReconcileResult>(flags & 0xF);
  record.is_complete = (flags & kIncomplete) == 0;
  record.retries = static_cast<int>(source.number(1));
  if ((flags & kHasError) != 0) record.error = static_cast<ErrorTable::Id>(source.number(4));
  for (auto left = source.number(1); left > 0; --left) record.reasons.push_back(source.reason());
  for (auto left = source.number(1); left > 0; --left) record.writes.push_back(read_write(source));
  for (auto left = source.number(1); left > 0; --left) {
    RecordedRead read;
    read.kind = source.id();
    read.cached = static_cast<std::uint8_t>(source.number(1));
    read.consistent = static_cast<std::uint8_t>(source.number(1));
    record.reads.push_back(read);
  }
  return record;
}

ReconcileResult result_of(std::string_view bytes) {
  return static_cast<ReconcileResult>(static_cast<std::uint8_t>(bytes[kFlagsPlace]) & 0xF);
}

std::string pack_reasons(const std::vector<RecordedReason>& reasons, std::size_t limit) {
  Bytes bytes(limit);
  static_cast<void>(bytes.put_list(reasons, 0, [&](const auto& reason) { bytes.put_reason(reason); }));
  return std::move(bytes).take();
}

std::vector<RecordedReason> unpack_reasons(std::string_view bytes) {
  RecordReader source(bytes);
  std::vector<RecordedReason> reasons;
  for (auto left = source.number(1); left > 0; --left) reasons.push_back(source.reason());
  return reasons;
}

}  // namespace keelson::controller
