/**
 * Kinds of files that skyctl keeps. `write` creates one. `use` reads and changes it with another version, and then with
 * the first one again; it returns a text if "works" is not the whole outcome. The order matters at the end: any command
 * would print and delete the records of the last kinds.
 */
import { chmodSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { end, watchRecords } from './stage.mjs'

const json = ({ stdout }) => JSON.parse(stdout)
const findByLabel = (list, label) => list.find((one) => one.label === label)

/** Outcome for the files of a version that did not store the user. */
const unknownUser = 'works, and warns that its user is unknown'

/** Waits for a background process. */
async function until(isDone, what, stage) {
  const last = Date.now() + 60_000
  while (!(await isDone())) {
    if (Date.now() > last) stage.expect(false, `after a minute still not: ${what}`)
    await delay(100)
  }
}

const contexts = {
  async write(stage) {
    await stage.served((served) => {
      const signedOutEnv = { ...stage.signedOut, ...served, SKYCTL_TOKEN: undefined }
      for (const name of ['prod', 'staging'])
        stage.write(`auth login --context ${name} --with-token`, { stdin: served.SKYCTL_TOKEN, env: signedOutEnv })
      const env = stage.signedOut
      stage.write('context update prod --region us-east --default-output json --keep-open tcp/22@203.0.113.7', { env })
      stage.write(['context', 'update', 'staging', '--token-command', `echo ${served.SKYCTL_TOKEN}`], { env })
      stage.write('context use prod', { env })
    })
  },
  use: (stage) => stage.served((served) => useContexts(stage, served)),
}

function useContexts(stage, { SKYCTL_BASE_URL }) {
  const env = stage.signedOut
  const path = stage.config('contexts.json')
  const stored = JSON.parse(stage.read(path).replaceAll(keptAddress, SKYCTL_BASE_URL))
  const { prod } = stored.contexts
  // Keys of a version that is newer than both.
  const later = { ...prod, later: 'own', defaults: { ...prod.defaults, later: 'default' } }
  writeFileSync(path, JSON.stringify({ ...stored, later: 'top', contexts: { ...stored.contexts, prod: later } }))
  const listed = () => json(stage.use('context list --json', { env })).map(({ name }) => name)
  stage.expect(
    ['prod', 'staging'].every((name) => listed().includes(name)),
    'a context is not listed',
  )
  for (const name of ['prod', 'staging']) stage.use(`volumes list --json --context ${name}`, { env })
  stage.use('context update prod --region eu-west', { env })
  stage.use('context rename staging test', { env })
  const { later: top, contexts } = JSON.parse(stage.read(path))
  const { later: own, defaults } = contexts.prod
  const left = [top, own, defaults.later, defaults.keep_open.join(), contexts.test.token_command.slice(0, 4)]
  stage.expect(left.join() === 'top,own,default,tcp/22@203.0.113.7,echo', `some of these is lost: ${left}`)
  stage.again('context view prod --json', { env })
  stage.again('context update prod --region us-ord', { env })
  stage.again('volumes list --context test', { env })
}

/** Address of a service in kept files. */
export const keptAddress = 'http://127.0.0.1:1/v4'

const world = {
  write(stage) {
    const env = { ...stage.signedOut, SKYCTL_CONTEXT: 'sandbox' }
    stage.write('volumes create --label kept --region us-east --size 20 --tag one', { env })
    stage.write('firewalls create --label kept --inbound-policy drop --outbound-policy accept', { env })
  },
  use(stage) {
    const env = { ...stage.signedOut, SKYCTL_CONTEXT: 'sandbox' }
    const tags = (result) => findByLabel(json(result), 'kept')?.tags.join()
    stage.expect(tags(stage.use('volumes list --json', { env })) === 'one', 'the volume is not there')
    stage.use('volumes update kept --tag two', { env })
    stage.use('volumes create --label later --region us-east --size 20', { env })
    const listed = stage.again('volumes list --json', { env })
    stage.expect(
      tags(listed) === 'two' && findByLabel(json(listed), 'later'),
      'a change of the other version is not there',
    )
    stage.again('firewalls enable kept', { env })
  },
}

const seed = {
  write(stage) {
    const env = { ...stage.signedOut, SKYCTL_CONTEXT: 'sandbox' }
    stage.file('world.json', JSON.stringify(json(stage.write('sandbox world --json', { env }))))
  },
  async use(stage) {
    const server = await stage.serve(stage.reader, ['--seed', stage.file('world.json')])
    try {
      const ids = (volumes) => volumes.map(({ id }) => id).join()
      const listed = json(stage.use('volumes list --json', { env: { ...stage.signedOut, ...server.env } }))
      const { volumes } = JSON.parse(stage.read(stage.file('world.json')))
      stage.expect(ids(listed) === ids(volumes), 'the seeded world has other volumes')
    } finally {
      await server.close()
    }
  },
}

const journal = {
  write(stage) {
    // The attached volume cannot be deleted yet.
    stage.write(`volumes delete 3002 3001 3004 --yes --concurrency 1 --journal ${stage.file('delete.journal')}`, {
      exit: 9,
    })
    const bodies = ['first', 'second'].map((label) => JSON.stringify({ label, region: 'us-east', size: 20 }))
    const file = stage.file('volumes.ndjson', `${bodies.join('\n')}\n`)
    stage.write(`volumes create --body ${file} --concurrency 1 --journal ${stage.file('create.journal')}`)
    // As after a kill before the last answer.
    for (const name of ['delete.journal', 'create.journal']) {
      const path = stage.file(name)
      writeFileSync(path, stage.read(path).replace(/[^\n]*\n$/, ''))
    }
  },
  use(stage) {
    const line = `volumes delete 3002 3001 3004 --yes --concurrency 1 --resume ${stage.file('delete.journal')}`
    const ids = () =>
      json(stage.use('volumes list --json'))
        .map(({ id }) => id)
        .join()
    const before = ids()
    stage.stranger(line, [2, 6])
    stage.expect(ids() === before, 'another user deleted a volume')
    stage.use('volumes detach 3001 --wait --yes')
    stage.use(line)
    stage.use(
      `volumes create --body ${stage.file('volumes.ndjson')} --concurrency 1 --resume ${stage.file('create.journal')}`,
    )
    const labels = json(stage.use('volumes list --json')).map(({ label }) => label)
    stage.expect(labels.filter((label) => label === 'second').length === 1, 'a volume was created twice')
    stage.again(
      `volumes create --body ${stage.file('volumes.ndjson')} --concurrency 1 --resume ${stage.file('create.journal')}`,
    )
    stage.expect(json(stage.again('volumes list --json')).length === labels.length, 'a volume was created again')
  },
}

const savedPlan = {
  write(stage) {
    stage.file('wanted.yaml', 'volumes:\n  planned: { region: us-east, size: 30, tags: [a] }\n')
    // A relative path, since the plan has the path of the file.
    stage.write(`plan wanted.yaml --out ${stage.file('plan.json')}`)
  },
  use(stage) {
    const line = `apply ${stage.file('plan.json')} --yes`
    const planned = () => json(stage.again('volumes list --json')).filter(({ label }) => label === 'planned').length
    stage.stranger(line, [2, 6])
    stage.expect(planned() === 0, 'another user applied the plan')
    stage.use(line)
    stage.expect(planned() === 1, 'the plan did nothing')
    stage.again(line)
    stage.expect(planned() === 1, 'the plan was applied twice')
  },
}

const history = {
  write(stage) {
    stage.write('volumes update 3003 --tag versions')
    const [{ number }] = json(stage.write('history list --json --limit 1'))
    return number
  },
  use(stage, number) {
    const tags = () => json(stage.use('volumes view 3003 --json')).tags.join()
    const listed = json(stage.use('history list --json'))
    stage.expect(
      listed.some((one) => one.number === number),
      'the change is not listed',
    )
    stage.use(`history view ${number} --json`)
    if (!stage.stranger(`history undo ${number} --yes`, [6])) return unknownUser
    stage.expect(tags() === 'versions', 'another user undid the change')
    stage.use(`history undo ${number} --yes`)
    stage.expect(tags() !== 'versions', 'the undo changed nothing')
    const after = json(stage.again('history list --json'))
    stage.expect(after.length > listed.length, 'the undo of the other version is not listed')
  },
}

const ruleBackups = {
  write(stage) {
    const before = json(stage.write('firewalls rules list 4003 --json'))
    const rules = stage.file('rules.json', JSON.stringify({ inbound_policy: 'DROP', inbound: [] }))
    stage.write(`firewalls rules update 4003 --file ${rules} --yes`)
    return rulesOf(before)
  },
  use(stage, before) {
    const rules = () => rulesOf(json(stage.use('firewalls rules list 4003 --json')))
    const written = rules()
    if (!stage.stranger('firewalls rules undo 4003 --yes', [5, 6, 12])) return unknownUser
    stage.expect(rules() === written, 'another user undid the change')
    stage.use('firewalls rules undo 4003 --yes')
    stage.expect(rules() === before, 'the rules are not those before the change')
    stage.again('firewalls rules undo 4003 --yes')
    stage.expect(rules() === written, 'the undo of the undo did not restore the rules')
  },
}

/** Returns the peers and ports of a list of rules, in any version's format. */
const rulesOf = (document) =>
  JSON.stringify(document)
    .match(/\d+(\.\d+){3}\/\d+|"ports":"[^"]*"/g)
    ?.sort()
    .join() ?? ''

const drafts = {
  write(stage) {
    const editor = stage.file('editor.sh', '#!/bin/sh\necho "inbound: [{action: MAYBE}]" > "$1"\n')
    chmodSync(editor, 0o700)
    stage.write('firewalls rules edit 4006', { exit: 2, env: { EDITOR: editor, VISUAL: undefined } })
  },
  use(stage) {
    const [draft] = stage.names(stage.state('drafts'))
    const left = () => stage.read(stage.state('drafts', draft))
    const before = left()
    stage.use(`firewalls rules diff 4006 --file ${stage.state('drafts', draft)}`, { exit: 2 })
    stage.use('firewalls rules edit 4006', { exit: 2, env: { EDITOR: stage.file('editor.sh'), VISUAL: undefined } })
    stage.expect(left() === before, 'the text of the other version was changed')
    stage.expect(stage.names(stage.state('drafts')).length === 2, 'a text is not kept')
  },
}

const rulesFile = {
  write(stage) {
    stage.file('current-rules.yaml', stage.write('firewalls rules list 4002 -o yaml').stdout)
  },
  use(stage) {
    stage.use(`firewalls rules diff 4002 --file ${stage.file('current-rules.yaml')}`)
  },
}

const accountFile = {
  write(stage) {
    stage.file('account.yaml', stage.write('export').stdout)
  },
  use(stage) {
    const { objects } = json(stage.use(`plan ${stage.file('account.yaml')} --json`))
    stage.expect(objects.length === 0, 'the plan of an export has changes')
  },
}

const nameCache = {
  write: (stage) => void stage.write('completion values volumes'),
  use(stage) {
    stage.use('completion values volumes')
    stage.use('volumes update 3003 --label renamed')
    const listed = stage.again('completion values volumes').stdout
    stage.expect(listed.includes('renamed'), 'the former name is still offered')
  },
}

const codeCache = {
  write(stage) {
    for (const _ of ['compiled', 'cached']) stage.write('volumes list')
  },
  use(stage) {
    const builds = () => stage.names(stage.cache('skyctl', 'code'))
    const before = builds()
    for (const _ of ['compiled', 'cached']) stage.use('volumes list')
    stage.again('volumes list')
    stage.expect(
      before.every((build) => builds().includes(build)),
      'the code of the other version was deleted',
    )
    return builds().length > before.length ? 'ignored: a folder for each version' : 'works'
  },
}

const openings = {
  write: (stage) => void stage.write('firewalls open 4001 --port 22 --from 198.51.100.7 --for 1h'),
  async use(stage) {
    const isOpen = (result) => result.stdout.includes('198.51.100.7')
    stage.expect(isOpen(stage.use('firewalls rules list 4001 --json')), 'the opening is not listed')
    stage.use('firewalls sweep')
    stage.expect(isOpen(stage.use('firewalls rules list 4001 --json')), 'the opening was closed too early')
    stage.use('firewalls close')
    stage.expect(!isOpen(stage.again('firewalls rules list 4001 --json')), 'the opening is not closed')
    stage.again('firewalls open 4001 --port 22 --from 198.51.100.7 --for 2s')
    const records = () => watchRecords(stage.state('watches'))
    await until(() => records().some(({ outcome }) => outcome), 'an outcome', stage)
    stage.expect(
      !isOpen(stage.use('firewalls rules list 4001 --json')),
      'the watcher of the other version closed nothing',
    )
  },
}

const locks = {
  write: (stage) => stage.serve(stage.writer, ['--state', stage.file('locked.ndjson')]),
  async use(stage, server) {
    try {
      stage.use(`sandbox start --state ${stage.file('locked.ndjson')}`, { exit: 12 })
      await server.close('SIGKILL')
      const next = await stage.serve(stage.reader, ['--state', stage.file('locked.ndjson')])
      await next.close()
    } finally {
      await server.close()
    }
  },
}

const backgroundResults = {
  async write(stage) {
    const records = () => watchRecords(stage.state('watches')).filter(({ undoings }) => undoings[0].firewallId !== 4001)
    // It is closed only after the next command, which would report it.
    stage.write('firewalls open 4006 --port 22 --from 198.51.100.9 --for 8s')
    stage.write('firewalls open 4005 --port 22 --from 198.51.100.8 --for 1h')
    end(records().find(({ undoings }) => undoings[0].firewallId === 4005).watcher.pid)
    await until(() => records().some(({ outcome }) => outcome), 'an outcome', stage)
  },
  use(stage) {
    const { stderr } = stage.use('regions list')
    stage.expect(stderr.includes('198.51.100.9'), 'the closed opening is not reported')
    stage.expect(stderr.includes('198.51.100.8'), 'the opening of the killed watcher is not reported')
    stage.use('firewalls close 4005')
    stage.expect(!stage.again('regions list').stderr.includes('198.51.100'), 'a result is reported twice')
  },
}

export const kinds = {
  ...{ contexts, 'world of the sandbox': world, 'seed file': seed, journal, 'saved plan': savedPlan, history },
  ...{ 'rule backup': ruleBackups, draft: drafts, 'rules file': rulesFile },
  ...{
    'account file': accountFile,
    'name cache': nameCache,
    'code cache': codeCache,
    'temporary opening': openings,
    lock: locks,
  },
  'background results': backgroundResults,
}

/** Files that are useful only while they are new. */
export const shortLived = ['name cache', 'code cache', 'temporary opening', 'background results', 'lock']
