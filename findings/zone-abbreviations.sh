#!/usr/bin/env bash
# A nightly job at 02:00 "BST", as London calls its summer time: these names are old aliases of ICU.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact \
  luxon@3.7.2 date-fns@4.4.0 date-fns-tz@3.2.0 moment-timezone@0.6.6 croner@11.0.1 cron-parser@5.10.6 >>install.log
program <<'JS'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import { fromZonedTime } from 'date-fns-tz'
import { DateTime } from 'luxon'
import moment from 'moment-timezone'
const [time, currentDate] = ['2026-07-01T02:00', '2026-06-01T00:00:00Z']
const readers = {
  luxon: (zone) => DateTime.fromISO(time, { zone }).toJSDate(),
  'date-fns-tz': (zone) => fromZonedTime(time, zone),
  croner: (timezone) => new Cron('0 2 1 7 *', { timezone }).nextRun(new Date(currentDate)),
  'cron-parser': (tz) => CronExpressionParser.parse('0 2 1 7 *', { tz, currentDate }).next().toDate(),
  'moment-timezone': (zone) => moment.tz(time, zone).toDate(),
}
moment.suppressDeprecationWarnings = true
console.error = () => {}
for (const zone of ['BST', 'PST', 'CEST'])
  for (const [name, read] of Object.entries(readers)) {
    let result
    try {
      result = read(zone).toISOString()
    } catch {
      result = 'throws'
    }
    console.log(zone, name, result)
  }
JS
expect 'for four of five, 02:00 BST is 02:00 in Dhaka, five hours before that of London, and PST is an hour off in summer; for the fifth, both are UTC, and CEST, too' <<'TEXT'
BST luxon 2026-06-30T20:00:00.000Z
BST date-fns-tz 2026-06-30T20:00:00.000Z
BST croner 2026-06-30T20:00:00.000Z
BST cron-parser 2026-06-30T20:00:00.000Z
BST moment-timezone 2026-07-01T02:00:00.000Z
PST luxon 2026-07-01T09:00:00.000Z
PST date-fns-tz 2026-07-01T09:00:00.000Z
PST croner 2026-07-01T09:00:00.000Z
PST cron-parser 2026-07-01T09:00:00.000Z
PST moment-timezone 2026-07-01T02:00:00.000Z
CEST luxon throws
CEST date-fns-tz throws
CEST croner throws
CEST cron-parser throws
CEST moment-timezone 2026-07-01T02:00:00.000Z
TEXT
