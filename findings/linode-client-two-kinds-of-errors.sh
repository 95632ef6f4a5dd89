#!/usr/bin/env bash
# What the official client of a cloud throws for a body that it refuses itself, and for an answer with a status of 400.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact @linode/api-v4@0.158.0 >>install.log
program <<'JS'
import http from 'node:http'
import * as client from '@linode/api-v4'
const sent = []
const server = http.createServer((request, response) => {
  sent.push(`${request.method} ${request.url}`)
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end('{"errors":[{"field":"size","reason":"too large"}]}')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}`
client.baseRequest.interceptors.request.use((config) => ({ ...config, url: config.url.replace(/^https:\/\/[^/]+/, base) }))
for (const size of [20, 20_000]) {
  const error = await client.createVolume({ label: 'data', region: 'us-east', size }).catch((reason) => reason)
  const kind = Array.isArray(error) ? JSON.stringify(error) : `${error.name}: ${error.message}`
  console.log(`${size} GB: ${error instanceof Error} ${kind}; sent: ${sent.splice(0).join() || 'nothing'}`)
}
server.close()
server.closeAllConnections()
JS
expect 'a size over its own limit is refused without a request, with an array that is no Error; the answer of the service is an Error whose message lacks the reason' <<'TEXT'
20 GB: true AxiosError: Request failed with status code 400; sent: POST /v4/volumes
20000 GB: false [{"reason":"Size must be between 10 and 16384.","field":"size"}]; sent: nothing
TEXT
