/** Refusals of Node's permission model (`node --permission`). */
import { Problem } from '../errors'

/** Flags of Node by the permission that they give. */
const flags: Readonly<Record<string, string>> = {
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  ChildProcess: '--allow-child-process',
  Net: '--allow-net',
}

/** Converts an error with the code `ERR_ACCESS_DENIED` to a problem that names the missing flag. */
export function missingPermission(error: unknown): Problem {
  const { permission = '', resource = '' }: { permission?: string; resource?: string } = Object(error)
  const flag = flags[permission]
  const isFile = permission.startsWith('FileSystem') && resource !== ''
  return new Problem('local', `Node's permission model denies ${permission}${isFile ? ` of ${resource}` : ''}`, {
    ...(flag && { hint: `Start Node with ${flag}${isFile ? `=${resource}` : ''}` }),
    cause: error,
  })
}
