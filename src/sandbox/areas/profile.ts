import { apps } from '../../catalogue/profile/apps'
import { devices } from '../../catalogue/profile/devices'
import { logins } from '../../catalogue/profile/logins'
import { phone } from '../../catalogue/profile/phone'
import { preferences } from '../../catalogue/profile/preferences'
import { profile } from '../../catalogue/profile/profile'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tfa } from '../../catalogue/profile/tfa'
import { tokens } from '../../catalogue/tokens'
import { serve } from '../handler'
import { appHandlers } from '../profile/apps'
import { deviceHandlers } from '../profile/devices'
import { loginHandlers } from '../profile/logins'
import { phoneHandlers } from '../profile/phone'
import { preferenceHandlers } from '../profile/preferences'
import { profileHandlers } from '../profile/profile'
import { securityQuestionHandlers } from '../profile/security-questions'
import { sshKeyHandlers } from '../profile/sshkeys'
import { tfaHandlers } from '../profile/tfa'
import { tokenHandlers } from '../tokens'

export const served = [
  ...serve(profile, profileHandlers),
  ...serve(apps, appHandlers),
  ...serve(devices, deviceHandlers),
  ...serve(logins, loginHandlers),
  ...serve(phone, phoneHandlers),
  ...serve(preferences, preferenceHandlers),
  ...serve(securityQuestions, securityQuestionHandlers),
  ...serve(sshkeys, sshKeyHandlers),
  ...serve(tfa, tfaHandlers),
  ...serve(tokens, tokenHandlers),
]
