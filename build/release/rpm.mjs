/** An RPM package, made by rpmbuild. It runs nothing on installation or removal. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { systemFiles } from './system-files.mjs'

const run = promisify(execFile)

/** Returns the reason why no RPM package can be built here; undefined if one can. */
export async function missingForRpm() {
  const isInstalled = await run('rpmbuild', ['--version']).catch(() => undefined)
  return isInstalled ? undefined : 'rpmbuild is not installed (Debian: apt install rpm)'
}

/**
 * @param {string} folder holds the executable and its licences
 * @param {{ temporary: string }} release an empty folder for rpmbuild, besides facts about the release
 * @returns {Promise<{ name: string, data: Buffer }>}
 */
export async function rpm(folder, release) {
  const { seconds, architecture: names, temporary } = release
  const files = await systemFiles(folder, 'fedora')
  const stage = join(temporary, 'stage')
  for (const file of files) await place(join(stage, file.path), file, seconds)
  const spec = join(temporary, 'skyctl.spec')
  await writeFile(spec, specOf(files, { ...release, stage }))
  const words = ['-bb', '--target', `${names.rpm}-linux`, '--define', `_topdir ${temporary}/top`, spec]
  await run('rpmbuild', words, { env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds), LC_ALL: 'C', TZ: 'UTC' } })
  const name = `skyctl-${versionOf(release)}-1.${names.rpm}.rpm`
  return { name, data: await readFile(join(temporary, 'top/RPMS', names.rpm, name)) }
}

/** Returns the version in RPM's form: without hyphens, and with a tilde that sorts before the release. */
const versionOf = ({ version }) => version.replace('-', '~')

async function place(path, { data, mode = 0o644 }, seconds) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, data)
  await chmod(path, mode)
  await utimes(path, seconds, seconds)
}

function specOf(files, { version, description, maintainer, stage }) {
  return `
# The executable carries the program behind its last section: stripping would remove it.
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
# The same files give the same package, whatever the machine, its clock and its configuration.
%global _buildhost localhost
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global source_date_epoch_from_changelog 0
%global _binary_payload w6.gzdio
Name: skyctl
Version: ${versionOf({ version })}
Release: 1
Summary: ${description.split(':')[0]}
License: MIT
Packager: ${maintainer}
AutoReqProv: no
Requires: glibc >= 2.17
%description
${description}.
%install
mkdir -p %{buildroot}
cp -a '${stage}/.' %{buildroot}/
%files
%dir %attr(0755,root,root) /usr/share/doc/skyctl
%dir %attr(0755,root,root) /usr/share/licenses/skyctl
${files.map(({ path, mode = 0o644 }) => `%attr(0${mode.toString(8)},root,root) /${path}`).join('\n')}
`
}
