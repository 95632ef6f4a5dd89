# shellcheck shell=bash
# Common parts of the findings, which install their packages into the folder in which they run.
set -euo pipefail

# Runs the program on stdin as an ECMAScript module, and keeps its output.
program() {
  cat >observe.mjs
  observed=$(node observe.mjs)
}

# Prints the versions, the behaviour and the output; fails if the output differs from the one on stdin.
expect() {
  printf 'version: node %s, %s\n' "$(node --version)" "$(npm pkg get dependencies | tr -d '{}" \n')"
  printf 'behaviour: %s\n%s\n' "$1" "$observed"
  diff <(cat) <(printf '%s\n' "$observed") >changes || { echo 'CHANGED (< on record, > now):'; cat changes; exit 1; }
}
