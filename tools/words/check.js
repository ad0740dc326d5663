/**
 * Finds words that plain English does without. `node tools/words/check.js [FILE...]` reads the comments, texts and
 * identifiers of tracked files, prints each place with the word and its replacement, and exits with 1 if there
 * is any. words.json has the words; exceptions.json the texts that keep one, each with the reason. An exception
 * that no file needs is a fault too.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const words = Object.entries(readJson('words.json'))
const { skipped, texts } = readJson('exceptions.json')

const folders =
  /^(?:(?:src|web|native|tools|bench|clients|deploy|docs|test|\.github)\/|(?:.+\/)?[\w.-]+\.md$)/
const kinds = /\.(?:[jt]sx?|mjs|py|cpp|h|cuh?|sh|ya?ml|css|html|md)$/

// A phrase may go on after a line break and the mark of a comment.
const gap = String.raw`(?:[ _]|\s*\n\s*(?:\*|\/\/|#)?\s?)`
const sameSentence = String.raw`\b[^.;|(){}=]{1,120}?\b`
const patterns = words.map(([word, better]) => {
  const source = word.replaceAll(' ... ', sameSentence).replaceAll(' ', gap)
  return { better, pattern: new RegExp(String.raw`(?<![a-z])${source}(?![a-z])`, 'gi') }
})

/** A comment, or a string with the call of Vitest whose title it is. */
const commentOrString =
  /\/\*[^]*?\*\/|\/\/[^\n]*|(?<title>(?:(?<![.\w])(?:it|test|describe)\b[\w.]*|\])\)?\(\s*)?(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/g

const named = process.argv.slice(2)
const needed = new Set()
const findings = (named.length > 0 ? named : trackedFiles()).flatMap(findingsOf)
for (const { file, line, word, better } of findings) {
  console.log(`${file}:${line}: "${word}"; write ${better}`)
}
const idle = named.length > 0 ? [] : texts.filter((exception) => !needed.has(exception))
for (const { file, text } of idle) {
  console.log(
    `tools/words/exceptions.json: ${file} does not contain "${text}"; remove the exception`,
  )
}
if (findings.length + idle.length > 0) process.exitCode = 1

function trackedFiles() {
  const left = skipped.map(({ path }) => path)
  return execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => folders.test(file) && kinds.test(file))
    .filter((file) => !left.some((path) => file.startsWith(path)))
}

function findingsOf(file) {
  const prose = proseOf(file)
  return patterns
    .flatMap(({ pattern, better }) =>
      [...prose.matchAll(pattern)].map(({ 0: word, index }) => {
        const line = prose.slice(0, index).split('\n').length
        return { file, line, word: word.toLowerCase().replaceAll(/[^a-z']+/g, ' '), better }
      }),
    )
    .toSorted((a, b) => a.line - b.line)
}

/** The text of a file with its lines, without exceptions; words of identifiers are apart. */
function proseOf(file) {
  const source = readFileSync(file, 'utf8')
  const ours = file.startsWith('test/') ? withoutInputs(source) : source
  return withoutExceptions(file, ours).replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
}

/** Strings of tests are inputs and outputs; titles are ours. */
function withoutInputs(source) {
  return source.replaceAll(commentOrString, (found, title) =>
    found.startsWith('/') || title !== undefined ? found : blank(found),
  )
}

function withoutExceptions(file, source) {
  return texts
    .filter((exception) => file === exception.file && source.includes(exception.text))
    .reduce((text, exception) => {
      needed.add(exception)
      return text.replaceAll(exception.text, blank(exception.text))
    }, source)
}

function blank(text) {
  return text.replaceAll(/[^\n]/g, ' ')
}

function readJson(name) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}
