#!/usr/bin/env bash
# A nightly job at 02:30 in the night in which clocks go from 02:00 to 03:00.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact cron-parser@5.10.6 croner@11.0.1 >>install.log
program <<'JS'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
const [line, tz, currentDate] = ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z']
const runs = CronExpressionParser.parse(line, { currentDate, tz })
console.log('cron-parser', runs.next().toISOString(), runs.next().toISOString())
const [first, second] = new Cron(line, { timezone: tz }).nextRuns(2, new Date(currentDate))
console.log('croner', first.toISOString(), second.toISOString())
JS
expect 'both run the job once, at different times: cron-parser half an hour after the gap (03:30), croner at its end (03:00)' <<'TEXT'
cron-parser 2026-03-29T01:30:00.000Z 2026-03-30T00:30:00.000Z
croner 2026-03-29T01:00:00.000Z 2026-03-30T00:30:00.000Z
TEXT
