/** Files that a package of a Linux distribution installs: the executable, man pages, completions, licences. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzip } from './archive.mjs'

const root = join(import.meta.dirname, '../..')

/** Folders of zsh completions and of licences in distributions. */
const layouts = {
  debian: { zsh: 'usr/share/zsh/vendor-completions', licences: 'usr/share/doc/skyctl/copyright' },
  fedora: { zsh: 'usr/share/zsh/site-functions', licences: 'usr/share/licenses/skyctl/LICENSES' },
}

/**
 * Returns the files. None of them is in a home.
 *
 * @param {string} folder holds `skyctl` and `LICENSES`, as `npm run executable` writes them
 * @param {'debian' | 'fedora'} distribution
 */
export async function systemFiles(folder, distribution) {
  const { zsh, licences } = layouts[distribution]
  const completion = (shell) => readFile(join(root, `completions/skyctl.${shell}`))
  return [
    { path: 'usr/bin/skyctl', data: await readFile(join(folder, 'skyctl')), mode: 0o755 },
    { path: 'usr/share/bash-completion/completions/skyctl', data: await completion('bash') },
    { path: 'usr/share/fish/vendor_completions.d/skyctl.fish', data: await completion('fish') },
    { path: `${zsh}/_skyctl`, data: await completion('zsh') },
    { path: licences, data: await readFile(join(folder, 'LICENSES')) },
    { path: 'usr/share/doc/skyctl/CHANGELOG.md.gz', data: await gzip(await readFile(join(root, 'CHANGELOG.md')), 9) },
    ...(await manPages()),
  ]
}

/** The build writes man pages to docs/man. */
async function manPages() {
  const names = (await readdir(join(root, 'docs/man'))).sort()
  return Promise.all(
    names.map(async (name) => ({
      path: `usr/share/man/man1/${basename(name)}.gz`,
      data: await gzip(await readFile(join(root, 'docs/man', name)), 9),
    })),
  )
}
