/** Finds the supported versions of Node. */
import { execFileSync } from 'node:child_process'

/**
 * @param {string} major `22`
 * @returns the path of its program: the current one, or that of the package `node`
 */
export function nodeOf(major) {
  if (process.versions.node.split('.')[0] === major) return process.execPath
  const words = ['--yes', '--package', `node@${major}`, '--', 'node', '--print', 'process.execPath']
  return execFileSync('npx', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

/** @returns `22.23.3` */
export const versionOf = (node) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)
