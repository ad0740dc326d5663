/**
 * A rule of oxlint: a regular expression takes time that grows no faster than its input. One that backtracks, or that
 * starts again at each character of a long run, lets a few kilobytes of foreign text hold a thread for seconds.
 * scslre finds the quantifier and the character that has to be repeated.
 */
import { analyse } from 'scslre'

const linearTime = {
  create(context) {
    const report = (node, source, flags) => {
      for (const { character, type } of reportsOf(source, flags)) {
        const cause = type === 'Move' ? 'it starts again at each of them' : 'it backtracks'
        const { source: repeated } = character.literal
        const message = `Expected linear time; a run of /${repeated}/ takes its square or more: ${cause}.`
        context.report({ node, message })
      }
    }
    return {
      Literal(node) {
        if (node.regex) report(node, node.regex.pattern, node.regex.flags)
      },
      NewExpression(node) {
        const [source, flags] = node.arguments.map((argument) => argument.value)
        const isConstant = node.callee.name === 'RegExp' && typeof source === 'string'
        if (isConstant) report(node, source, flags ?? '')
      },
    }
  },
}

/** None of an invalid one, which is the subject of another rule. */
function reportsOf(source, flags) {
  try {
    return analyse({ source, flags }).reports
  } catch {
    return []
  }
}

export default { meta: { name: 'regexp' }, rules: { 'linear-time': linearTime } }
