/** The objects of a list in a JSON document, cut out one by one: the document is never in memory whole. */
import { DataImportError } from '../../../base/errors/index.js'
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

/**
 * Which lists hold the rows of a document, by the path to each: names of members, `*` for a place in a list. The
 * outermost list has the path [].
 */
export type IsRowList = (path: readonly string[]) => boolean

/** The outermost list, or the one that a member of the outermost object holds. */
export const listOfMember =
  (member: string): IsRowList =>
  (path) =>
    path.length === 0 || (path.length === 1 && path[0] === member)

/** Lists at a path as mappings write it, such as `data.Page.media` or `lists.*.entries`; the outermost if empty. */
export function listsAt(path: string): IsRowList {
  const wanted = path === '' ? [] : path.split('.')
  return (found) =>
    found.length === wanted.length && wanted.every((part, position) => part === found[position])
}

/** @param member name of the list, where the document is an object */
export function readObjects(
  path: string,
  shape: JsonShape,
  member: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<NumberedObject> {
  const text = readTextFile(path, 'utf-8', onBytes)
  return shape === 'document'
    ? readDocumentObjects(path, text, listOfMember(member))
    : readLineObjects(path, text)
}

async function* readLineObjects(
  path: string,
  text: AsyncIterable<string>,
): AsyncGenerator<NumberedObject> {
  for await (const { line, source } of splitLines(path, text))
    yield { line, object: parseObject(source) }
}

/**
 * Members of the lists that hold rows; undefined for a member that is not a valid object.
 * @throws DataImportError where the document ends in the middle
 */
export async function* readDocumentObjects(
  path: string,
  text: AsyncIterable<string>,
  isRowList: IsRowList,
): AsyncGenerator<NumberedObject> {
  const cutter = createCutter(isRowList)
  let line = 0
  for await (const piece of text) {
    for (const member of cutter.add(piece)) yield { line: (line += 1), object: parseObject(member) }
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
export const firstMembers = (text: string, isRowList: IsRowList): readonly JsonObject[] =>
  createCutter(isRowList)
    .add(text)
    .map(parseObject)
    .filter((object) => object !== undefined)

/** Paths of all lists in the beginning of a document, outermost first, each once. */
export function listPaths(text: string): readonly string[] {
  const paths = new Set<string>()
  createCutter((path) => {
    paths.add(path.join('.'))
    return false
  }).add(text)
  return [...paths]
}

/** What changes the depth, or begins and ends a string. */
const marks = /["\\{}[\]]/g

function createCutter(isRowList: IsRowList) {
  let buffer = ''
  let position = 0
  /** For each open object or list: the name under which its members are found, undefined for an object. */
  const open: { readonly isList: boolean; readonly name: string }[] = []
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
      const parent = open.at(-1)
      const own = parent === undefined ? '' : parent.isList ? '*' : name
      open.push({ isList: mark === '[', name: own })
      const path = open.slice(1).map((one) => one.name)
      if (listDepth !== undefined) {
        if (open.length === listDepth + 1) start = position - 1
      } else if (mark === '[' && isRowList(path)) listDepth = open.length
      return false
    }
    open.pop()
    if (listDepth !== undefined && open.length < listDepth) listDepth = undefined
    return open.length === listDepth && start !== undefined
  }

  function endString(): void {
    if (listDepth === undefined && stringStart !== undefined)
      name = buffer.slice(stringStart, position - 1)
    stringStart = undefined
  }

  return {
    get pending() {
      return buffer.length
    },
    isOpen: () => open.length > 0,
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
