#!/bin/sh
# Builds the artefacts of a tag twice, compares the builds, and tries what this machine can run:
#     build.sh TAG BASE_URL MAINTAINER [TARGET...]
set -eu
tag=$1 base=$2 maintainer=$3
shift 3
version=$(node -p 'require("./package.json").version')
if [ "$tag" != "v$version" ]; then
  echo "The tag is $tag, and package.json has version $version." >&2
  exit 1
fi
for target in "$@"; do
  shift
  set -- "$@" --target "$target"
done
# In a container, the checkout may belong to another user: without this, git names no commit.
git config --global --add safe.directory "$PWD"
npm ci
npm run release -- --dry-run --twice --base-url "$base" --maintainer "$maintainer" "$@"
npm run release -- --try
