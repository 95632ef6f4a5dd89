#!/bin/sh
# Publishes the files of a folder as a release on GitHub: publish-release.sh TAG FOLDER
# The notes are the section of the version in CHANGELOG.md.
set -eu
tag=$1 folder=$2
notes=$(awk -v heading="## [${tag#v}]" 'index($0, "## ") == 1 { inside = index($0, heading) == 1; next } inside' CHANGELOG.md)
if [ -z "$notes" ]; then
  echo "CHANGELOG.md has no section [${tag#v}]." >&2
  exit 1
fi
# gh keeps it as a draft until all files are uploaded.
gh release create "$tag" --verify-tag --title "$tag" --notes "$notes" "$folder"/*
