/** Lists as data sets write them: JSON arrays, Python lists and sets, or words with a separator. */

/**
 * Returns the distinct members in order, trimmed, without empty ones.
 * @param separator splits what is not bracketed; null keeps it whole
 */
export function parseList(value: unknown, separator: string | null = '|'): string[] {
  if (Array.isArray(value)) return distinct(value.map(memberText))
  if (typeof value !== 'string') return []
  const text = value.trim()
  if (text === 'set()') return []
  if (!/^[[{]/.test(text)) return distinct(separator === null ? [text] : text.split(separator))
  return distinct(parseJsonList(text) ?? parsePythonList(text))
}

/** Members may be objects with one of these, as several exports write genres, titles and people. */
const memberNames = ['name', 'title', 'genre', 'full', 'node'] as const

function memberText(member: unknown): string {
  if (typeof member === 'string') return member
  if (typeof member === 'number') return String(member)
  if (typeof member !== 'object' || member === null) return ''
  const object: Readonly<Record<string, unknown>> = { ...member }
  const name = memberNames.find((one) => object[one] !== undefined)
  return name === undefined ? '' : memberText(object[name])
}

function parseJsonList(text: string): string[] | undefined {
  // JSON has no single quotes. Checking here is much faster than a failing JSON.parse.
  if (!text.startsWith('[') || /^\[\s*'/.test(text)) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map(memberText) : undefined
  } catch {
    return undefined
  }
}

/** In either quote, with backslash escapes. */
const quoted = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/.source
/** Bare members end at a comma. */
const pythonMember = new RegExp(`${quoted}|([^\\s,'"][^,]*)`, 'gs')
const pythonName = new RegExp(`(?:'name'|"name")\\s*:\\s*(?:${quoted})`, 'gs')

/** Of `[{'id': 1, 'name': 'Action'}]` the names; a set has no keys. */
function parsePythonList(text: string): string[] {
  const isOfObjects = /^\[?\s*\{\s*(?:'\w+'|"\w+")\s*:/.test(text)
  const inner = text.slice(1).replace(/[\]}]\s*$/, '')
  const members = inner.matchAll(isOfObjects ? pythonName : pythonMember)
  return Array.from(members, ([, single, double, bare = '']) => {
    const inQuotes = single ?? double
    return inQuotes === undefined ? bare : inQuotes.replace(/\\(.)/gs, '$1')
  })
}

const isTrimmed = /^[^\s,](?:.*[^\s,])?$/s

/** Some exports leave the comma of a list inside its members. */
function distinct(members: readonly string[]): string[] {
  const trimmed = members.map((member) =>
    isTrimmed.test(member) ? member : member.replace(/(?<![\s,])[\s,]+$/, '').trimStart(),
  )
  return [...new Set(trimmed.filter((member) => member !== ''))]
}
