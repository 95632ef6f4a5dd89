import type { Group } from '../../engine/command'

const group: Group = {
  name: 'history',
  summary: 'What was changed from this machine, and the way back',
  usual: 'list',
  commands: {
    list: async () => (await import('./list')).listChanges,
    view: async () => (await import('./view')).viewChange,
    undo: async () => (await import('./undo')).undoChange,
    clear: async () => (await import('./clear')).clearChanges,
  },
}

export default group
