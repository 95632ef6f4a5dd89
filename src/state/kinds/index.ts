/** Kinds of objects that a file can have, in the order of a plan's output. */
import type { Kind } from '../kind'
import { firewallKind } from './firewalls'
import { profileKind } from './profile'
import { rdnsKind } from './rdns'
import { sshKeyKind } from './sshkeys'
import { volumeKind } from './volumes'

export const kinds: readonly Kind[] = [volumeKind, firewallKind, sshKeyKind, rdnsKind, profileKind]
