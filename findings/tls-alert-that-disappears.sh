#!/usr/bin/env bash
# A service on loopback that requires a client certificate with TLS 1.3, and what two clients of Node report without one.
source "$(dirname "$0")/observe.bash"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >install.log
npm install --no-audit --no-fund --ignore-scripts --save-exact undici@7.30.2 >>install.log
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 \
  -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>>install.log
program <<'JS'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import tls from 'node:tls'
import { Pool } from 'undici'
const [cert, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(name))
const server = tls.createServer({ cert, key, requestCert: true, minVersion: 'TLSv1.3' })
server.on('tlsClientError', () => {})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const own = await new Promise((resolve) => https.get({ host: 'localhost', port, ca: cert }).on('error', resolve))
const pool = new Pool(`https://localhost:${port}`, { connect: { ca: cert } })
const other = await pool.request({ path: '/', method: 'GET' }).catch((error) => error)
await pool.destroy()
console.log(`https ${own.code}; undici ${other.code}`)
server.close()
JS
expect 'undici reports the end of the connection in place of the alert that names the reason' <<'TEXT'
https ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED; undici UND_ERR_SOCKET
TEXT
