import type { CommandGroup } from '../../engine/command'

const group: CommandGroup = {
  name: 'history',
  summary: 'Show and undo changes made from this machine',
  defaultCommand: 'list',
  commands: {
    list: async () => (await import('./list')).listChanges,
    view: async () => (await import('./view')).viewChange,
    undo: async () => (await import('./undo')).undoChange,
    clear: async () => (await import('./clear')).clearChanges,
  },
}

export default group
