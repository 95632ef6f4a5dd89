import type { CommandGroup } from '../../../engine/command'

export const rules: CommandGroup = {
  name: 'rules',
  aliases: ['rule'],
  summary: 'Rules and policies of a firewall',
  commands: {
    list: async () => (await import('./list')).listRules,
    update: async () => (await import('./update')).updateRules,
    diff: async () => (await import('./diff')).diffRulesWithFile,
    edit: async () => (await import('./edit')).editRules,
    add: async () => (await import('./add')).addRule,
    remove: async () => (await import('./remove')).removeRules,
    move: async () => (await import('./move')).moveRule,
    undo: async () => (await import('./undo')).undoRules,
  },
}
