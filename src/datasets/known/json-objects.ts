/** The objects of a list in a JSON document, cut out one by one: the document is never in memory whole. */
import { DataImportError } from '../../errors/index.js'
import { parseObject, splitLines } from '../jsonl-rows.js'
import { maximumRowCharacters } from '../raw-rows.js'
import { readTextFile } from '../text-file.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** How the objects of a file are written: one a line, or in a list of one document. */
export type JsonShape = 'lines' | 'document'

/** One object of the file; undefined where it is broken. Of a document, objects are counted and not lines. */
export interface NumberedObject {
  readonly line: number
  readonly object: JsonObject | undefined
}

/** @param member name of the list, where the document is an object */
export async function* readObjects(
  path: string,
  shape: JsonShape,
  member: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<NumberedObject> {
  const text = readTextFile(path, 'utf-8', onBytes)
  let line = 0
  if (shape === 'document') {
    for await (const object of readMembers(path, text, member)) yield { line: (line += 1), object }
    return
  }
  for await (const source of splitLines(path, text)) {
    line += 1
    if (source.trim() !== '') yield { line, object: parseObject(source) }
  }
}

/**
 * Members of the outermost list, or of the list that a member of the outermost object holds. Yields undefined
 * for a member that is no valid object.
 * @param member name of the list in an outermost object
 * @throws DataImportError where the document ends in the middle
 */
async function* readMembers(
  path: string,
  text: AsyncIterable<string>,
  member: string,
): AsyncGenerator<JsonObject | undefined> {
  const cutter = createCutter(member)
  for await (const piece of text) {
    yield* cutter.add(piece).map(parseObject)
    if (cutter.pending > maximumRowCharacters) {
      const problem = `expected entries of at most ${maximumRowCharacters} characters, found a longer one`
      throw new DataImportError(path, problem)
    }
  }
  if (cutter.isOpen()) {
    throw new DataImportError(path, 'the JSON ends in the middle; fetch the file again')
  }
}

/** The whole members at the beginning of a document. */
export const firstMembers = (text: string, member: string): readonly JsonObject[] =>
  createCutter(member)
    .add(text)

    .map(parseObject)
    .filter((object) => object !== undefined)

/** What changes the depth, or begins and ends a string. */
const marks = /["\\{}[\]]/g

function createCutter(member: string) {
  let buffer = ''
  let position = 0
  let depth = 0
  /** Depth of the members of the list; undefined outside of it. */
  let listDepth: number | undefined
  let start: number | undefined
  let stringStart: number | undefined
  let name = ''

  function keepRest(): void {
    const keep = Math.min(start ?? position, stringStart ?? position)
    buffer = buffer.slice(keep)
    position -= keep
    if (start !== undefined) start -= keep
    if (stringStart !== undefined) stringStart -= keep
  }

  /** Returns whether the mark ends a member of the list. */
  function isEndOfMember(mark: string): boolean {
    if (mark === '{' || mark === '[') {
      const isList = mark === '[' && (depth === 0 || (depth === 1 && name === member))
      if (isList) listDepth = depth + 1
      else if (depth === listDepth) start = position - 1
      depth += 1
      return false
    }
    depth -= 1
    if (listDepth !== undefined && depth < listDepth) listDepth = undefined
    return depth === listDepth && start !== undefined
  }

  function endString(): void {
    if (depth === 1 && listDepth === undefined && stringStart !== undefined) {
      name = buffer.slice(stringStart, position - 1)
    }
    stringStart = undefined
  }

  return {
    get pending() {
      return buffer.length
    },
    isOpen: () => depth > 0,
    /** Returns the members that end in it. */
    add(piece: string): string[] {
      buffer += piece
      const members: string[] = []
      let isCut = false
      marks.lastIndex = position
      for (let mark = marks.exec(buffer); mark !== null; mark = marks.exec(buffer)) {
        const [found] = mark
        if (found === '\\') {
          // The character after it may be in the next piece.
          isCut = mark.index + 2 > buffer.length
          if (isCut) break
          position = marks.lastIndex = mark.index + 2
          continue
        }
        position = mark.index + 1
        if (found === '"') {
          if (stringStart === undefined) stringStart = position
          else endString()
        } else if (stringStart === undefined && isEndOfMember(found)) {
          members.push(buffer.slice(start, position))
          start = undefined
        }
      }
      if (!isCut) position = buffer.length
      keepRest()
      return members
    },
  }
}
