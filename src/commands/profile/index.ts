import type { CommandGroup } from '../../engine/command'

const group: CommandGroup = {
  name: 'profile',
  summary: 'Your profile, SSH keys and sign-in security',
  commands: {
    view: async () => (await import('./view')).viewProfile,
    update: async () => (await import('./update')).updateProfile,
    grants: async () => (await import('./grants')).viewGrants,
    apps: async () => (await import('./apps')).default,
    devices: async () => (await import('./devices')).default,
    logins: async () => (await import('./logins')).default,
    phone: async () => (await import('./phone')).default,
    preferences: async () => (await import('./preferences')).default,
    'security-questions': async () => (await import('./security-questions')).default,
    sshkeys: async () => (await import('./sshkeys')).default,
    tfa: async () => (await import('./tfa')).default,
  },
}

export default group
