import type { Command } from '../engine/command'
import { Problem } from '../errors'
import { isForPeople } from '../output/formats'
import { didYouMean } from '../rules/nearest'
import { topics } from './topics'

const names = Object.keys(topics)

const help: Command = {
  name: 'help',
  summary: 'Help on a command or a topic',
  details: `Topics: ${names.join(', ')}.`,
  arguments: [
    { name: 'topic', description: 'A topic, or the words of a command', optional: true, many: true, values: names },
  ],
  flags: [],
  examples: [
    { what: 'The same as skyctl volumes create --help', line: 'skyctl help volumes create' },
    { what: 'What exit codes mean', line: 'skyctl help exit-codes' },
  ],
  async run({ arguments: [topic = 'help', ...rest] }, context) {
    const text = rest.length === 0 && Object.hasOwn(topics, topic) ? topics[topic] : undefined
    if (text !== undefined) {
      const whole = isForPeople(context.format) ? text : `${JSON.stringify({ topic, text })}\n`
      return context.stdout.write(whole)
    }
    const hint = didYouMean(topic, names) ?? `The topics are: ${names.join(', ')}`
    throw new Problem('usage', `no help on "${[topic, ...rest].join(' ')}"`, { hint })
  },
}

export default help
