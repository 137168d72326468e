#!/usr/bin/env bash
# Compiles a wrong program and checks what the compiler says: a comment `// expect: TEXT` is about the line below it, which must
# be an error with that text; other lines must be none, and an error has few lines.
#
#   compile_test.sh FILE COMPILER FLAGS...
set -euo pipefail

file=$1
shift
lines_of_an_error=17

fail() {
  printf '%s\n\ncompile: %s: %s\n' "$output" "$(basename "$file")" "$*" >&2
  exit 1
}

status=0
output="$("$@" -fsyntax-only "$file" 2>&1)" || status=$?
((status != 0)) || fail "it compiles"

wanted=()
while IFS=: read -r number text; do
  line=$((number + 1))
  wanted+=("$line")
  grep -qF -- "${text#*expect: }" <<<"$output" || fail "line $line: no error with \"${text#*expect: }\""
  grep -q "$(basename "$file"):$line:" <<<"$output" || fail "line $line: no error names it"
done < <(grep -n '// expect: ' "$file")

while read -r line; do
  [[ " ${wanted[*]} " == *" $line "* ]] || fail "line $line is right, and an error names it"
done < <(grep -o "$(basename "$file"):[0-9]*:[0-9]" <<<"$output" | cut -d: -f2 | sort -u)

errors="$(grep -c ' error: ' <<<"$output")"
lines="$(wc -l <<<"$output")"
((errors >= ${#wanted[@]})) || fail "$errors errors instead of ${#wanted[@]}"
((lines <= errors * lines_of_an_error)) || fail "$lines lines for $errors errors"
printf 'compile: %s: %s errors in %s lines\n' "$(basename "$file")" "$errors" "$lines"
