#!/usr/bin/env bash
# A QR code as a dark terminal shows it: light modules on black, in three readers. One reader is asked twice.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact uqr@0.1.3 jsqr@1.4.0 @zxing/library@0.21.3 @undecaf/zbar-wasm@0.11.0 >>install.log
program <<'JS'
import { scanGrayBuffer } from '@undecaf/zbar-wasm'
import zxing from '@zxing/library'
import jsQR from 'jsqr'
import { encode } from 'uqr'
const { data, size } = encode('otpauth://totp/example:owner?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', { border: 4 })
const scale = 6
const width = size * scale
/** Draws squares of a byte for each pixel. */
const picture = (dark, light) =>
  Uint8ClampedArray.from({ length: width * width }, (_, at) => {
    const [row, column] = [at / width, at % width].map((place) => Math.floor(place / scale))
    return data[row][column] ? dark : light
  })
const pictures = { 'dark on light': picture(0, 255), 'light on dark': picture(255, 0) }
const colors = (gray) => Uint8ClampedArray.from([...gray].flatMap((shade) => [shade, shade, shade, 255]))
const readers = {
  jsQR: (gray) => jsQR(colors(gray), width, width) !== null,
  'zbar-wasm': async (gray) => (await scanGrayBuffer(gray.slice().buffer, width, width)).length === 1,
  '@zxing/library': (gray) => {
    const source = new zxing.RGBLuminanceSource(gray, width, width)
    return new zxing.QRCodeReader().decode(new zxing.BinaryBitmap(new zxing.HybridBinarizer(source))) !== null
  },
}
for (const [name, read] of Object.entries(readers))
  for (const [form, gray] of Object.entries(pictures))
    console.log(`${name}, ${form}: ${await (async () => read(gray))().catch(() => false)}`)
jsQR(colors(pictures['dark on light']), width, width, { inversionAttempts: 'dontInvert' })
console.log(`jsQR, light on dark, after a call with dontInvert: ${readers.jsQR(pictures['light on dark'])}`)
JS
expect 'zbar and zxing do not read a light code on a dark background; jsQR does, until one call passes dontInvert: it keeps the options for all later calls' <<'TEXT'
jsQR, dark on light: true
jsQR, light on dark: true
zbar-wasm, dark on light: true
zbar-wasm, light on dark: false
@zxing/library, dark on light: true
@zxing/library, light on dark: false
jsQR, light on dark, after a call with dontInvert: false
TEXT
