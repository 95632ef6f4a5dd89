#!/bin/sh
# Puts skyctl on the PATH of a job, for action.yml. The archive comes from the runner's tool cache, or else from BASE_URL.
# Either way, only its checksum decides whether it is used.
set -eu

fail() {
  echo "setup-skyctl: $*" >&2
  exit 1
}

sum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
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
case $SHA256 in
  *' '*) expected=$(echo "$SHA256" | awk -v file="$file" '$2 == file { print $1 }') ;;
  *) expected=$SHA256 ;;
esac
[ -n "$expected" ] || fail "the checksums have no line for $file"

cache=$RUNNER_TOOL_CACHE/skyctl/$VERSION
archive=$cache/$file
# Another job may have changed the cached file.
if [ ! -f "$archive" ] || [ "$(sum "$archive")" != "$expected" ]; then
  mkdir -p "$cache"
  curl --fail --location --silent --show-error --retry 3 --output "$archive.part" "${BASE_URL%/}/$file" ||
    fail "the tool cache has no $file with this checksum, and it could not be downloaded from $BASE_URL"
  actual=$(sum "$archive.part")
  if [ "$actual" != "$expected" ]; then
    rm "$archive.part"
    fail "the checksum of $file is $actual instead of $expected"
  fi
  mv "$archive.part" "$archive"
fi
bin=$RUNNER_TEMP/skyctl-$VERSION
mkdir -p "$bin"
tar -xzf "$archive" -C "$bin"
echo "$bin" >>"$GITHUB_PATH"
