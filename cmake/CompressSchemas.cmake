# Compresses DEFAULTS, FORMS, INTERNAL, INPUT, MESSAGES, in the order of the names in them, and RULES in a line (deflate,
# RFC 1951), and writes them as a C++ source to OUTPUT. CMake's own gzip compresses, so the build machine needs no other
# tool, also when it cross-compiles.
set(archive "${OUTPUT}.gz")
execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${DEFAULTS}" "${FORMS}" "${INTERNAL}" "${INPUT}" "${MESSAGES}" OUTPUT_FILE "${OUTPUT}.txt" COMMAND_ERROR_IS_FATAL ANY)
# A definition is a line, so the lines of the rules end with the byte 1.
string(ASCII 1 line_end)
file(READ "${RULES}" rules)
string(REPLACE "\n" "${line_end}" rules "${rules}")
file(APPEND "${OUTPUT}.txt" "validation.rules ${rules}\n")
file(ARCHIVE_CREATE OUTPUT "${archive}" PATHS "${OUTPUT}.txt" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
# The header of ten bytes is removed, because it contains the time: the same input must give the same source.
file(READ "${archive}" header LIMIT 4 HEX)
if(NOT header STREQUAL "1f8b0800")
  message(FATAL_ERROR "${archive} begins with ${header}: a gzip header that this script does not know")
endif()
file(READ "${archive}" bytes OFFSET 10 HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"src/sandbox/fields/definitions.hpp\"

namespace keelson::sandbox {

std::string_view compressed_definitions() { return {\"${bytes}\", ${size}}; }

}  // namespace keelson::sandbox
")
