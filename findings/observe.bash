# shellcheck shell=bash
# Common parts of the findings: a temporary folder, pinned packages, and a comparison with the output on record.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Installs packages of npm with their exact versions, without running their scripts, and prints the versions.
packages() {
  npm init --yes >install.log
  npm install --no-audit --no-fund --ignore-scripts "$@" >>install.log 2>&1 || { cat install.log; exit 1; }
  printf 'version: node %s, %s\n' "$(node --version)" "$*"
}

# Runs the program on stdin as an ECMAScript module, and keeps its output.
program() {
  cat >observe.mjs
  observed=$(node observe.mjs)
}

# Prints the behaviour and the output; fails if the output differs from the one on stdin.
expect() {
  printf 'behaviour: %s\n%s\n' "$1" "$observed"
  diff <(cat) <(printf '%s\n' "$observed") >changes || { echo 'CHANGED (< on record, > now):'; cat changes; exit 1; }
}
