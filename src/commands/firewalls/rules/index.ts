import type { Group } from '../../../engine/command'
import { addRule } from './add'
import { diffRulesWithFile } from './diff'
import { editRules } from './edit'
import { listRules } from './list'
import { moveRule } from './move'
import { removeRules } from './remove'
import { undoRules } from './undo'
import { updateRules } from './update'

export const rules: Group = {
  name: 'rules',
  aliases: ['rule'],
  summary: 'Rules and policies of a firewall',
  commands: [listRules, updateRules, diffRulesWithFile, editRules, addRule, removeRules, moveRule, undoRules],
}
