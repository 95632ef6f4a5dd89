/** A Debian package, written directly: an ar archive of two tar archives. It runs nothing on installation or removal. */
import { createHash } from 'node:crypto'
import { ar, gzip, tar } from './archive.mjs'
import { systemFiles } from './system-files.mjs'

/** @returns {Promise<{ name: string, data: Buffer }>} */
export async function deb(folder, { version, description, seconds, architecture, maintainer }) {
  // A hyphen would begin a revision of Debian, and a tilde sorts before the release.
  const debianVersion = version.replace('-', '~')
  const changelog = await debianChangelog({ debianVersion, maintainer, seconds })
  const files = [...(await systemFiles(folder, 'debian')), changelog]
  const kibibytes = files.reduce((sum, { data }) => sum + Math.ceil(data.length / 1024), 0)
  const control = [
    'Package: skyctl',
    `Version: ${debianVersion}`,
    `Architecture: ${architecture.debian}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kibibytes}`,
    // The newest symbol that the executable needs is of glibc 2.17.
    'Depends: libc6 (>= 2.17)',
    'Section: admin',
    'Priority: optional',
    `Description: ${description.split(':')[0].toLowerCase()}`,
    ...wrap(`${description}.`),
    '',
  ].join('\n')
  const sums = files.map(({ path, data }) => `${createHash('md5').update(data).digest('hex')}  ${path}\n`).join('')
  const members = [
    { name: 'debian-binary', data: Buffer.from('2.0\n') },
    { name: 'control.tar.gz', data: await pack({ control, md5sums: sums }, seconds) },
    { name: 'data.tar.gz', data: await gzip(tar(files.map(below), seconds)) },
  ]
  return { name: `skyctl_${debianVersion}_${architecture.debian}.deb`, data: ar(members, seconds) }
}

/** Returns a changelog in Debian's form. Ours is installed beside it. */
async function debianChangelog({ debianVersion, maintainer, seconds }) {
  const date = new Date(seconds * 1000).toUTCString().replace('GMT', '+0000')
  const text = `skyctl (${debianVersion}) stable; urgency=medium

  * CHANGELOG.md.gz lists the changes.

 -- ${maintainer}  ${date}
`
  return { path: 'usr/share/doc/skyctl/changelog.gz', data: await gzip(Buffer.from(text), 9) }
}

/** Lines of an extended description begin with a space and have at most 80 characters. */
function wrap(text) {
  return text.match(/.{1,78}(?:\s|$)/g).map((line) => ` ${line.trimEnd()}`)
}

const pack = (texts, seconds) =>
  gzip(
    tar(
      Object.entries(texts).map(([path, text]) => below({ path, data: Buffer.from(text) })),
      seconds,
    ),
  )

const below = (file) => ({ ...file, path: `./${file.path}` })
