#!/usr/bin/env bash
# A phone number in letters, as companies of the USA print it, read with the same metadata by two libraries.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact libphonenumber-js@1.13.16 google-libphonenumber@3.2.47 >>install.log
program <<'JS'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import google from 'google-libphonenumber'
const util = google.PhoneNumberUtil.getInstance()
for (const text of ['1-800-356-9377', '1-800-FLOWERS']) {
  const parsed = util.parse(text, 'US')
  const { E164 } = google.PhoneNumberFormat
  const { number } = parsePhoneNumberFromString(text, 'US')
  console.log(text, 'libphonenumber-js', number, 'google-libphonenumber', util.format(parsed, E164))
}
JS
expect 'libphonenumber-js cuts the number at its first letter, and returns the rest of it without an error; Google maps letters to digits' <<'TEXT'
1-800-356-9377 libphonenumber-js +18003569377 google-libphonenumber +18003569377
1-800-FLOWERS libphonenumber-js +11800 google-libphonenumber +18003569377
TEXT
