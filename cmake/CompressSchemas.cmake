# Writes a C++ source to OUTPUT with two texts, each compressed (deflate, RFC 1951): DEFAULTS, FORMS, INTERNAL, INPUT,
# MESSAGES, in the order of the names in them, and RULES in a line; and DESCRIPTIONS. CMake's own gzip compresses, so the
# build machine needs no other tool, also when it cross-compiles.

# Sets NAME_bytes to the compressed file as escapes of a C++ literal, and NAME_size to their number.
function(compress file name)
  set(archive "${file}.gz")
  file(ARCHIVE_CREATE OUTPUT "${archive}" PATHS "${file}" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  # The header of ten bytes is removed, because it contains the time: the same input must give the same source.
  file(READ "${archive}" header LIMIT 4 HEX)
  if(NOT header STREQUAL "1f8b0800")
    message(FATAL_ERROR "${archive} begins with ${header}: a gzip header that this script does not know")
  endif()
  file(READ "${archive}" bytes OFFSET 10 HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  set(${name}_bytes "${bytes}" PARENT_SCOPE)
  set(${name}_size "${size}" PARENT_SCOPE)
endfunction()

execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${DEFAULTS}" "${FORMS}" "${INTERNAL}" "${INPUT}" "${MESSAGES}" OUTPUT_FILE "${OUTPUT}.txt" COMMAND_ERROR_IS_FATAL ANY)
# A definition is a line, so the lines of the rules end with the byte 1.
string(ASCII 1 line_end)
file(READ "${RULES}" rules)
string(REPLACE "\n" "${line_end}" rules "${rules}")
file(APPEND "${OUTPUT}.txt" "validation.rules ${rules}\n")
configure_file("${DESCRIPTIONS}" "${OUTPUT}.descriptions.txt" COPYONLY)
compress("${OUTPUT}.txt" definitions)
compress("${OUTPUT}.descriptions.txt" descriptions)
file(WRITE "${OUTPUT}" "#include \"src/sandbox/fields/definitions.hpp\"

namespace keelson::sandbox {

std::string_view compressed_definitions() { return {\"${definitions_bytes}\", ${definitions_size}}; }

std::string_view compressed_descriptions() { return {\"${descriptions_bytes}\", ${descriptions_size}}; }

}  // namespace keelson::sandbox
")
