/** The kinds of objects that a file can hold, in the order in which a plan names them. */
import type { Kind } from '../kind'
import { firewallKind } from './firewalls'
import { profileKind } from './profile'
import { rdnsKind } from './rdns'
import { sshKeyKind } from './sshkeys'
import { volumeKind } from './volumes'

export const kinds: readonly Kind[] = [volumeKind, firewallKind, sshKeyKind, rdnsKind, profileKind]
