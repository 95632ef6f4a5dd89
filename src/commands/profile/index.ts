import type { Group } from '../../engine/command'
import apps from './apps'
import devices from './devices'
import { viewGrants } from './grants'
import logins from './logins'
import phone from './phone'
import preferences from './preferences'
import securityQuestions from './security-questions'
import sshkeys from './sshkeys'
import tfa from './tfa'
import { updateProfile } from './update'
import { viewProfile } from './view'

const group: Group = {
  name: 'profile',
  summary: 'Who you are, and how you sign in',
  commands: [
    viewProfile,
    updateProfile,
    viewGrants,
    apps,
    devices,
    logins,
    phone,
    preferences,
    securityQuestions,
    sshkeys,
    tfa,
  ],
}

export default group
