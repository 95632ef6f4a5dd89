#!/bin/sh
# Joins the artefacts of several machines in one folder: join.sh TO FROM...
# A file that two machines have built must have the same bytes.
set -eu
to=$1
shift
mkdir -p "$to"
for from in "$@"; do
  (cd "$from" && sha256sum --check --quiet SHA256SUMS)
  for file in "$from"/*; do
    name=${file##*/}
    [ "$name" = SHA256SUMS ] && continue
    if [ -e "$to/$name" ] && ! cmp -s "$file" "$to/$name"; then
      echo "$name differs between machines" >&2
      exit 1
    fi
    cp "$file" "$to/$name"
  done
done
rm -f "$to/SHA256SUMS"
(cd "$to" && sha256sum -- * >.sums && mv .sums SHA256SUMS)
