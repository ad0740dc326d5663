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

/** Members may be `{"name": "Action"}`, as several exports write genres. */
function memberText(member: unknown): string {
  if (typeof member === 'string') return member
  if (typeof member === 'number') return String(member)
  if (typeof member === 'object' && member !== null && 'name' in member) {
    return memberText(member.name)
  }
  return ''
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

/** Quoted members with either quote and backslash escapes; bare members end at a comma. */
const pythonMember = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,'"][^,]*)/gs

function parsePythonList(text: string): string[] {
  const inner = text.slice(1).replace(/[\]}]\s*$/, '')
  return [...inner.matchAll(pythonMember)].map((match) => {
    const quoted = match[1] ?? match[2]
    return quoted === undefined ? (match[3] ?? '') : quoted.replace(/\\(.)/gs, '$1')
  })
}

/** Some exports leave the comma of a list inside its members. */
function distinct(members: readonly string[]): string[] {
  const trimmed = members.map((member) => member.replace(/[\s,]+$/, '').trimStart())
  return [...new Set(trimmed.filter((member) => member !== ''))]
}
