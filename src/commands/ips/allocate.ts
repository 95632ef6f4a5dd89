import * as actions from '../../account/actions/ips'
import { changeCommand } from '../../engine/change-command'
import { Problem } from '../../errors'
import { ipColumns } from './columns'

export const allocateIp = changeCommand({
  name: 'allocate',
  aliases: ['create', 'add'],
  action: actions.allocateIp,
  columns: ipColumns,
  input: {
    names: { public: '--public or --private' },
    flags: (derived) => [
      ...derived.filter(({ name }) => name !== 'type' && name !== 'public'),
      { name: 'public', negative: 'also', description: 'Reachable from outside' },
      { name: 'private', description: 'Not reachable from outside; an instance has at most one' },
    ],
    complete(body, { flags }) {
      if (flags.private && body.public !== undefined) {
        throw new Problem('usage', '--private and --public contradict each other')
      }
      return { type: 'ipv4', ...body, ...(flags.private === true && { public: false }) }
    },
  },
  done: ({ address, compute_id }, { body }) =>
    `Allocated ${address} to compute instance ${compute_id ?? body.compute_id}. The API cannot release it again`,
  help: {
    details: 'Either --public or --private is required. The API cannot release it again.',
    examples: [
      { what: 'A second public address', line: 'skyctl ips allocate --compute-id 1001 --public' },
      { what: 'A private one, for traffic within the region', line: 'skyctl ips allocate --compute-id 1002 --private' },
    ],
  },
})
