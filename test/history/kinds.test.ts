/** Kinds of changes: their undo, their command to check them, and the ids in their paths (interface.md, history). */
import { describe, expect, test } from 'vitest'
import type { Action } from '../../src/account/action'
import { actionNamed } from '../../src/account/actions'
import { cloneVolume } from '../../src/account/actions/volumes'
import type { Resource } from '../../src/account/resource'
import * as addresses from '../../src/account/resources/address'
import * as firewalls from '../../src/account/resources/firewall'
import * as profiles from '../../src/account/resources/profile'
import * as tokens from '../../src/account/resources/token'
import * as volumeObjects from '../../src/account/resources/volume'
import { volumeResource } from '../../src/account/resources/volume'
import { firewallDevices } from '../../src/catalogue/firewalls'
import { volumes } from '../../src/catalogue/volumes'
import { sentences } from '../../src/commands/change-messages'
import { type ChangeKind, changeKinds, kindOf, kindOfObject, pathParametersIn } from '../../src/commands/history/kinds'
import { program } from '../../src/commands/index'
import type { Command } from '../../src/engine/command'
import { nodeAt } from '../../src/engine/command-nodes'
import { catalogued } from '../support/catalogue'

// A recorded path may come from another version of skyctl, or from a user.
test.for<[string, object]>([
  ['/networking/firewalls/9100/devices/7', { firewallId: '9100', deviceId: '7' }],
  ['/networking/firewalls/a%2Fb/devices/7/', { firewallId: 'a/b', deviceId: '7' }],
  ['/networking/firewalls/%zz/devices/7', { firewallId: '%zz', deviceId: '7' }],
  ['/networking/firewalls/{firewallId}/devices/{deviceId}', { firewallId: '', deviceId: '' }],
])('The path %s has the ids %j', ([path, ids]) => {
  expect(pathParametersIn(path, firewallDevices.delete)).toEqual(ids)
})

/** Returns the command of a line: its words up to the first placeholder or flag. */
async function commandOf(line: string): Promise<Command | undefined> {
  const words = line.split(' ')
  const end = words.findIndex((word) => /^[-{A-Z]/.test(word))
  return (await nodeAt(program, end === -1 ? words : words.slice(0, end)))?.command
}

const resources = [addresses, firewalls, profiles, tokens, volumeObjects]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((one): one is Resource => typeof one === 'object' && one !== null && 'noun' in one)

const restoring = ({ action: { undo } }: ChangeKind) => (undo.by === 'restoring' ? undo : undefined)

describe('Each change', () => {
  test('has a kind, and nothing else has one', () => {
    const changes = catalogued.filter(({ operation: { method } }) => method !== 'GET')
    for (const { name, operation } of changes)
      expect([name, kindOf(operation.method, operation.path)?.action.operation]).toEqual([name, operation])
    expect(changeKinds).toHaveLength(changes.length)
  })

  test('of an object that the API cannot list is checked with a view of its source', () => {
    const operation = { ...volumes.clone, path: '/volumes/{volumeId}/snapshot', creates: 'snapshot' } as const
    expect(kindOfObject({ ...cloneVolume, operation })).toMatchObject([
      { kind: 'snapshot', isCreation: true, look: 'volumes view {volumeId}' },
    ])
  })

  test('that creates an object below another is checked with the list there', () => {
    const listed = { noun: 'snapshot', parameter: 'snapshotId', list: volumes.list, view: volumes.list }
    const resource = { ...listed, parent: volumeResource, listedBy: 'volumes snapshots' }
    const operation = { ...volumes.clone, path: '/volumes/{volumeId}/snapshot', creates: 'snapshot' } as const
    expect(kindOfObject({ ...cloneVolume, operation, resource })).toMatchObject([
      { kind: 'snapshot', isCreation: true, look: 'volumes snapshots {volumeId} --filter label={label}' },
    ])
  })

  test('is checked with an existing command that only reads', async () => {
    for (const { kind, look } of changeKinds) {
      expect(kind).toMatch(/^[A-Za-z]/)
      const methods = (await commandOf(look))?.operations?.map(({ method }) => method)
      expect([look, new Set(methods)]).toEqual([look, new Set(['GET'])])
    }
  })

  test('has an undo by an existing command, or advice with an existing command', async () => {
    for (const { operation, undo } of changeKinds.map(({ action }) => action)) {
      if (undo.by === 'rules') {
        expect(operation.path).toBe('/networking/firewalls/{firewallId}/rules')
      } else if (undo.by === 'restoring') {
        expect([undo.view.method, undo.view.path]).toEqual(['GET', operation.path])
        expect([actionNamed(undo.does), (await commandOf(undo.does))?.name]).toEqual([undo.does, expect.any(String)])
      } else {
        const line = / skyctl (.+)$/.exec(undo.by === 'hand' ? undo.advice : undo.otherwise)?.[1] ?? ''
        expect([undo, (await commandOf(line))?.name]).toEqual([undo, expect.any(String)])
      }
    }
  })

  // The history has a hash of the answer to a PUT only, so it cannot tell whether other values are still current.
  test('by another method than PUT has no undo by its previous values', () => {
    const undo = { by: 'restoring', view: volumes.view, does: 'volumes resize' } as const
    // @ts-expect-error The compiler refuses it.
    const resize: Action<typeof volumes.resize> = { operation: volumes.resize, undo }
    expect(resize.undo).toBe(undo)
    expect(changeKinds.filter(restoring).map(({ action }) => action.operation.method)).toEqual(
      restored.map(() => 'PUT'),
    )
  })

  test('that creates an object names a kind that commands know', () => {
    const nouns = resources.map(({ noun }) => noun)
    const created = catalogued.flatMap(({ operation: { creates } }) => creates ?? [])
    expect(created.filter((kind) => !nouns.includes(kind))).toEqual([])
  })

  const restored = [
    ['volumes.update', 'volumes update'],
    ['firewalls.update', 'firewalls update'],
    ['ips.rdns', 'ips rdns'],
    ['profile.update', 'profile update'],
    ['preferences.update', 'profile preferences set'],
    ['sshkeys.update', 'profile sshkeys update'],
    ['tokens.update', 'tokens update'],
  ] as const

  test.for(restored)('%s is undone by skyctl %s', ([name, command]) => {
    const operation = catalogued.find((one) => one.name === name)?.operation
    const kind = changeKinds.find(({ action }) => action.operation === operation)
    expect(kind && restoring(kind)).toMatchObject({ does: command })
  })

  test('with an undo by its previous values is one of these', () => {
    const operations = changeKinds.filter(restoring).map(({ action }) => action.operation)
    const names = catalogued.filter(({ operation }) => operations.includes(operation)).map(({ name }) => name)
    expect(names.sort()).toEqual(restored.map(([name]) => name).sort())
  })

  test('of the profile lists the fields without an undo, with the reason', () => {
    const lasting = changeKinds.flatMap((kind) => Object.entries(restoring(kind)?.lasting ?? {}))
    expect(Object.fromEntries(lasting)).toEqual({
      ip_whitelist_enabled: expect.stringContaining('cannot'),
      two_factor_auth: expect.stringContaining('skyctl profile tfa setup'),
    })
  })
})

test('A step of a plan or an undo has the name of the equivalent command', async () => {
  for (const name of Object.keys(sentences))
    expect([name, (await nodeAt(program, name.split(' ')))?.command]).toEqual([name, expect.anything()])
})

describe('A recorded request', () => {
  const operationOf = (method: string, path: string) => kindOf(method, path)?.action.operation

  test('is recognized by method and path, with any id and a slash at the end', () => {
    expect(operationOf('PUT', '/volumes/7')).toBe(volumes.update)
    expect(operationOf('DELETE', '/volumes/7')).toBe(volumes.delete)
    expect(operationOf('DELETE', '/volumes/7/')).toBe(volumes.delete)
    expect(operationOf('POST', '/volumes/7/resize')).toBe(volumes.resize)
  })

  test.for(['/volumes/7/more', '/x/volumes/7', '/volumes//', '/nothing'])('has no kind: DELETE %s', (path) => {
    expect(kindOf('DELETE', path)).toBeUndefined()
  })
})
