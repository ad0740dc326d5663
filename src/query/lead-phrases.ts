/** The ways to say who leads a story: `villain protagonist`, `villain as the mc`, `main character is a villain`. */
import { stemsOf } from './query-words.js'

const roles = ['main character', 'protagonist', 'mc']
/** Words that say it already: `villain as protagonist`, `villain is the main character`. */
const links = new Set('a an the as is'.split(' '))

/** What else says the same as a phrase: all of these where it ends in such a role, nothing otherwise. */
export function otherLeads(phrase: string): readonly string[] {
  const stems = stemsOf(phrase).join(' ')
  const role = roles.find((words) => stems.endsWith(` ${words}`))
  if (role === undefined) return []
  const who = stems.slice(0, -role.length - 1)
  if (who.split(' ').some((word) => links.has(word))) return []
  return roles.flatMap((words) => [
    `${who} ${words}`,
    ...['as', 'as a', 'as the'].map((link) => `${who} ${link} ${words}`),
    ...['is', 'is a', 'is an'].map((link) => `${words} ${link} ${who}`),
  ])
}
