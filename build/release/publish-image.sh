#!/bin/sh
# Pushes the images of a folder and an index of them: publish-image.sh REPOSITORY VERSION FOLDER. Prints the name and
# the digest of the index, for the step that signs it.
set -eu
# Registries accept lower case only.
repository=$(echo "$1" | tr '[:upper:]' '[:lower:]')
version=$2 folder=$3
set --
for file in "$folder"/*-image.tar; do
  target=${file##*/skyctl-"$version"-}
  reference="$repository:$version-${target%-image.tar}"
  skopeo copy --preserve-digests "oci-archive:$file" "docker://$reference" >&2
  set -- "$@" "$reference"
done
docker buildx imagetools create --tag "$repository:$version" "$@" >&2
digest=$(skopeo inspect --format '{{.Digest}}' "docker://$repository:$version")
echo "name=$repository"
echo "digest=$digest"
