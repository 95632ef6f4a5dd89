#!/bin/sh
# Puts skyctl on the PATH of a job, for action.yml. The archive comes from the runner's tool cache, or else from BASE_URL.
# Either way, only its checksum decides whether it is used.
set -eu

# Paths of Windows have backslashes and a drive letter: echo of some shells and sha256sum change the first, and tar takes
# the second for a host. So paths are printed by printf, and both read stdin.
fail() {
  printf 'setup-skyctl: %s\n' "$*" >&2
  exit 1
}

sum() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# The version becomes a part of paths and of a URL.
case $VERSION in '' | *[!0-9A-Za-z.+-]*) fail "\"$VERSION\" is not a version, such as 0.1.0" ;; esac
case $RUNNER_OS-$RUNNER_ARCH in
  Linux-X64) target=linux-x64 ;;
  Linux-ARM64) target=linux-aarch64 ;;
  macOS-X64) target=darwin-x64 ;;
  macOS-ARM64) target=darwin-aarch64 ;;
  Windows-X64) target=windows-x64 ;;
  *) fail "there is no skyctl for $RUNNER_OS on $RUNNER_ARCH" ;;
esac
# Only musl's ldd prints its name; other systems may have no ldd.
case $(ldd --version 2>&1) in *musl*) target=$target-musl ;; esac
file=skyctl-$VERSION-$target.tar.gz

# SHA256 is a sum, or the content of SHA256SUMS for jobs on several systems.
expected=$(printf '%s\n' "$SHA256" | tr -d '\r' |
  awk -v file="$file" 'NF == 1 || $2 == file || $2 == "*" file { print tolower($1); exit }')
[ -n "$expected" ] || fail "the checksums have no line for $file"

cache=$RUNNER_TOOL_CACHE/skyctl/$VERSION
cached=$cache/$file
mkdir -p "$RUNNER_TEMP"
temporary=$(mktemp -d "$RUNNER_TEMP/skyctl-XXXXXX")
archive=$temporary/$file
trap 'rm -rf "$temporary"' EXIT
# Another job may change the cached file at any time: a copy is verified and unpacked.
if ! cp "$cached" "$archive" 2>/dev/null || [ "$(sum "$archive")" != "$expected" ]; then
  curl --fail --location --silent --show-error --retry 3 --output "$archive" "${BASE_URL%/}/$file" ||
    fail "the tool cache has no $file with this checksum, and it could not be downloaded from $BASE_URL"
  actual=$(sum "$archive")
  [ "$actual" = "$expected" ] || fail "the checksum of $file is $actual instead of $expected"
  mkdir -p "$cache"
  # Other jobs see the old file or the whole new one.
  draft=$cache/$(basename "$temporary")
  cp "$archive" "$draft"
  mv -f "$draft" "$cached" || rm -f "$draft"
fi
bin=$RUNNER_TEMP/skyctl-$VERSION
mkdir -p "$bin"
(cd "$bin" && tar -xzf -) <"$archive"
printf '%s\n' "$bin" >>"$GITHUB_PATH"
