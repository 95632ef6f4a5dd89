/** Kinds of objects that a file can have, in the order of a plan's output. */
import type { Kind } from '../kind'
import { firewallKind } from './firewalls'
import { ipKind } from './ips'
import { profileKind } from './profile'
import { rdnsKind } from './rdns'
import { sshKeyKind } from './sshkeys'
import { tokenKind } from './tokens'
import { volumeKind } from './volumes'

export const kinds: readonly Kind[] = [volumeKind, firewallKind, sshKeyKind, ipKind, rdnsKind, tokenKind, profileKind]
