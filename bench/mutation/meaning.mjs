/**
 * Mutators that change the meaning of code instead of its operators: they remove a guard or a call, swallow an error,
 * move a bound by one, swap a field or an argument with its neighbour, or one error code with another.
 */
import { createRequire } from 'node:module'

const instrumenter = import.meta.resolve('@stryker-mutator/instrumenter')
// The instrumenter reads its mutators from this array, and has no other way to add some.
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

/** Adds these mutators to the instrumenter, and returns the names of the existing ones. */
export function addMeaning() {
  const before = allMutators.map(({ name }) => name)
  for (const [name, mutate] of Object.entries(meaning)) allMutators.push({ name, mutate })
  return before
}

/**
 * Reports expressions that only the types require: the fallback in `?? ''`, and the key before `key && record[key]`.
 */
const isFormality = ({ operator, left, right }) =>
  operator === '??'
    ? types.isStringLiteral(right, { value: '' }) || types.isNumericLiteral(right, { value: 0 })
    : types.isIdentifier(left) &&
      types.isMemberExpression(right, { computed: true }) &&
      right.property.name === left.name

/**
 * Reports whether a node is the `x && { x }` of `...(x && { x })`, which only the types require: without the condition,
 * the field is there and undefined, and nothing distinguishes that from a missing field. So only the field is removed.
 */
const isOptionalField = ({ node: { operator, left, right }, parentPath }) =>
  operator === '&&' &&
  parentPath.isSpreadElement() &&
  types.isIdentifier(left) &&
  types.isObjectExpression(right) &&
  right.properties.length === 1 &&
  types.isObjectProperty(right.properties[0], { shorthand: true }) &&
  right.properties[0].key.name === left.name

/** Reports whether a mutant moves a number in the sandbox's initial records: these are arbitrary, not bounds. */
export const isMadeUp = ({ fileName, mutatorName, replacement }) =>
  mutatorName === 'BoundMoved' &&
  /^src\/sandbox\/(fixed-records|tables)\b/.test(fileName) &&
  /^[\d_]+$/.test(replacement)

/** Reports whether a branch ends the function, or continues the loop. */
function leaves(branch) {
  const last = types.isBlockStatement(branch) ? branch.body.at(-1) : branch
  return types.isThrowStatement(last) || types.isReturnStatement(last) || types.isContinueStatement(last)
}

/** Reports calls, except `super(…)`: a class does not work without it, or with it in a branch. */
const isCall = (node) =>
  (types.isCallExpression(node) && !types.isSuper(node.callee)) ||
  types.isOptionalCallExpression(node) ||
  (types.isAwaitExpression(node) && isCall(node.argument))

/** Reports whether another mutant removes the whole branch with its guard. */
const isGuarded = ({ parentPath }) =>
  parentPath.isIfStatement() || (parentPath.isBlockStatement() && parentPath.parentPath.isIfStatement())

const isRead = ({ node, parentPath }) =>
  !node.computed && types.isIdentifier(node.object) && !parentPath.isAssignmentExpression({ left: node })

/** Returns another field that the same function reads from the same object. */
function neighbour(path) {
  const scope = path.getFunctionParent()
  const { object, property } = path.node
  let field
  scope?.traverse({
    MemberExpression(other) {
      const { node } = other
      const isSame = isRead(other) && node.object.name === object.name && types.isIdentifier(node.property)
      const isCalled =
        other.parentPath.isCallExpression({ callee: node }) !== path.parentPath.isCallExpression({ callee: path.node })
      if (isSame && !isCalled && node.property.name !== property.name) field ??= node.property.name
    },
  })
  return field
}
