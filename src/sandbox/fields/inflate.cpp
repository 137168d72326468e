#include "src/sandbox/fields/inflate.hpp"

#include <zlib.h>

#include "keelson/detail/base/assert.hpp"

namespace keelson::sandbox {

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

}  // namespace keelson::sandbox
