/**
 * Mutators that change what code means instead of how it is written: a guard or a call left out, an error swallowed, a
 * bound moved by one, a field or an argument swapped for its neighbour, one cause of failure given for another.
 */
import { createRequire } from 'node:module'

const instrumenter = import.meta.resolve('@stryker-mutator/instrumenter')
// The instrumenter takes its mutators from this array, and exports no other way to add to it.
const { allMutators } = await import(new URL('mutators/index.js', instrumenter))
const { types } = createRequire(instrumenter)('@babel/core')

const codes = ['not_found', 'refused', 'unavailable', 'usage', 'defect', 'outcome_unknown']

const meaning = {
  *GuardDropped(path) {
    if (path.isIfStatement() && !path.node.alternate && leaves(path.node.consequent)) yield types.emptyStatement()
  },
  *CallDropped(path) {
    if (path.isExpressionStatement() && isCall(path.node.expression)) yield types.emptyStatement()
  },
  *ErrorSwallowed(path) {
    if (path.isThrowStatement() && !isGuarded(path)) yield types.returnStatement()
  },
  *BoundMoved(path) {
    const isIndex = path.parentPath?.isMemberExpression() || path.parentPath?.isObjectProperty({ key: path.node })
    if (path.isNumericLiteral() && !isIndex) yield types.numericLiteral(path.node.value + 1)
    const moved = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }[path.node.operator]
    if (path.isBinaryExpression() && moved) yield types.binaryExpression(moved, path.node.left, path.node.right)
  },
  *ConditionDropped(path) {
    if (!path.isLogicalExpression() || isFormality(path.node)) return
    if (isOptionalField(path)) return yield types.objectExpression([])
    yield path.node.left
    if (path.node.operator !== '??') yield path.node.right
  },
  *FieldSwapped(path) {
    const other = path.isMemberExpression() && isRead(path) && neighbour(path)
    if (other) yield types.memberExpression(path.node.object, types.identifier(other))
  },
  *ArgumentsSwapped(path) {
    if (!path.isCallExpression()) return
    const [first, second, ...rest] = path.node.arguments
    const swappable = types.isIdentifier(first) && types.isIdentifier(second)
    if (swappable) yield types.callExpression(path.node.callee, [second, first, ...rest])
  },
  *CauseSwapped(path) {
    if (!path.isStringLiteral() || !codes.includes(path.node.value)) return
    const { parentPath: parent } = path
    const isCause = parent.isNewExpression() || parent.isBinaryExpression() || parent.isArrayExpression()
    if (isCause) yield types.stringLiteral(path.node.value === 'not_found' ? 'refused' : 'not_found')
  },
}

/** Makes them part of what the instrumenter does; returns the names of those that it had before. */
export function addMeaning() {
  const before = allMutators.map(({ name }) => name)
  for (const [name, mutate] of Object.entries(meaning)) allMutators.push({ name, mutate })
  return before
}

/** What only the types ask for: the fallback in `?? ''`, and the key before `key && record[key]`. */
const isFormality = ({ operator, left, right }) =>
  operator === '??'
    ? types.isStringLiteral(right, { value: '' }) || types.isNumericLiteral(right, { value: 0 })
    : types.isIdentifier(left) &&
      types.isMemberExpression(right, { computed: true }) &&
      right.property.name === left.name

/**
 * Whether it is the `x && { x }` of `...(x && { x })`, which only the types ask for: without the condition the field is
 * there and undefined, which nothing tells from a field that is not there. So only the field is left out.
 */
const isOptionalField = ({ node: { operator, left, right }, parentPath }) =>
  operator === '&&' &&
  parentPath.isSpreadElement() &&
  types.isIdentifier(left) &&
  types.isObjectExpression(right) &&
  right.properties.length === 1 &&
  types.isObjectProperty(right.properties[0], { shorthand: true }) &&
  right.properties[0].key.name === left.name

/** Whether it moves a number of the records that the sandbox begins with, which are made up: no bounds. */
export const isMadeUp = ({ fileName, mutatorName, replacement }) =>
  mutatorName === 'BoundMoved' &&
  /^src\/sandbox\/(fixed-records|tables)\b/.test(fileName) &&
  /^[\d_]+$/.test(replacement)

/** Whether a branch ends the function, the turn of a loop or the loop. */
function leaves(branch) {
  const last = types.isBlockStatement(branch) ? branch.body.at(-1) : branch
  return types.isThrowStatement(last) || types.isReturnStatement(last) || types.isContinueStatement(last)
}

/** No `super(…)`: a class does not work without it, nor with it in a branch. */
const isCall = (node) =>
  (types.isCallExpression(node) && !types.isSuper(node.callee)) ||
  types.isOptionalCallExpression(node) ||
  (types.isAwaitExpression(node) && isCall(node.argument))

/** Whether the whole branch goes with the guard already. */
const isGuarded = ({ parentPath }) =>
  parentPath.isIfStatement() || (parentPath.isBlockStatement() && parentPath.parentPath.isIfStatement())

const isRead = ({ node, parentPath }) =>
  !node.computed && types.isIdentifier(node.object) && !parentPath.isAssignmentExpression({ left: node })

/** Another field that the same function reads of the same object. */
function neighbour(path) {
  const scope = path.getFunctionParent()
  const { object, property } = path.node
  let found
  scope?.traverse({
    MemberExpression(other) {
      const { node } = other
      const isSame = isRead(other) && node.object.name === object.name && types.isIdentifier(node.property)
      const isCalled =
        other.parentPath.isCallExpression({ callee: node }) !== path.parentPath.isCallExpression({ callee: path.node })
      if (isSame && !isCalled && node.property.name !== property.name) found ??= node.property.name
    },
  })
  return found
}
