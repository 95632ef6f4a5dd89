#!/usr/bin/env bash
# What clients do with "429, try again after a second" on loopback: the number of requests until they give up or succeed.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact ky@1.14.3 got@14.6.6 axios@1.21.1 axios-retry@4.5.0 undici@7.30.2 >>install.log
program <<'JS'
import http from 'node:http'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import { Agent, RetryAgent, request } from 'undici'
let requests = 0
const server = http.createServer((_, response) => {
  requests += 1
  if (requests === 1) response.writeHead(429, { 'retry-after': '1' }).end()
  else response.writeHead(200).end('{}')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/`
const retrying = axios.create()
axiosRetry(retrying, { retries: 3 })
const clients = {
  got: () => got(url),
  'got, throwHttpErrors false': () => got(url, { throwHttpErrors: false }),
  ky: () => ky(url),
  'ky, throwHttpErrors false': () => ky(url, { throwHttpErrors: false }),
  'axios-retry': () => retrying.get(url),
  'axios-retry, validateStatus': () => retrying.get(url, { validateStatus: () => true }),
  'undici RetryAgent': () => request(url, { dispatcher: new RetryAgent(new Agent()) }).then(({ body }) => body.dump()),
}
for (const [name, send] of Object.entries(clients)) {
  requests = 0
  await send().catch(() => undefined)
  console.log(`${name}: ${requests}`)
}
server.close()
server.closeAllConnections()
process.exit()
JS
expect 'ky and axios-retry do not retry if a status is no error to them, got does' <<'TEXT'
got: 2
got, throwHttpErrors false: 2
ky: 2
ky, throwHttpErrors false: 1
axios-retry: 2
axios-retry, validateStatus: 1
undici RetryAgent: 2
TEXT
