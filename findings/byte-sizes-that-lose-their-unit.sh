#!/usr/bin/env bash
# Sizes as people type them for a volume, in three libraries that read them.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact bytes@3.1.2 bytes-iec@3.1.1 filesize-parser@1.5.2 >>install.log
program <<'JS'
import bytes from 'bytes'
import iec from 'bytes-iec'
import filesize from 'filesize-parser'
for (const size of ['20GB', '20 GiB', '20G', '1.5T']) console.log(size, bytes(size), iec(size), filesize(size))
JS
expect 'bytes reads 20 GiB and 20G as 20 bytes and 1.5T as 1; 20GB has 7 % more bytes in two of the three' <<'TEXT'
20GB 21474836480 20000000000 21474836480
20 GiB 20 21474836480 21474836480
20G 20 null 21474836480
1.5T 1 null 1649267441664
TEXT
