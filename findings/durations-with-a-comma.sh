#!/usr/bin/env bash
# Durations for the life of an opening, in three libraries that read them; values in minutes.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact parse-duration@2.1.9 timestring@7.0.0 ms@2.1.3 >>install.log
program <<'JS'
import ms from 'ms'
import parseDuration from 'parse-duration'
import timestring from 'timestring'
const minutes = (milliseconds) => (milliseconds === undefined ? 'none' : milliseconds / 60_000)
for (const text of ['1.5h', '1,5h', '1h30m', '1h-30m', '1m30', '90'])
  console.log(text, minutes(parseDuration(text)), minutes(timestring(text) * 1000), minutes(ms(text)))
JS
expect 'parse-duration and timestring read 1,5h as 15 hours, drop a minus, and differ in 1m30; a number alone is milliseconds' <<'TEXT'
1.5h 90 90 90
1,5h 900 900 none
1h30m 90 90 none
1h-30m 90 90 none
1m30 1.5 1 none
90 0.0015 0.0015 0.0015
TEXT
