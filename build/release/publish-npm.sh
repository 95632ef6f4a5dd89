#!/bin/sh
# Publishes the npm package with its provenance: publish-npm.sh REGISTRY FOLDER
set -eu
npm publish "$2"/skyctl-*.tgz --provenance --access public --registry "$1"
