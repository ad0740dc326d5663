/** The three parts of the works: what is trained with one is not judged by it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const purposes = ['training', 'fitting', 'reporting'] as const

interface Split {
  readonly partOf: (franchise: string) => string
  readonly worksFor: (purpose: string, part?: string) => Line[]
  readonly refuseOthers: (texts: string[], purpose: string) => void
}
interface Line {
  readonly franchise: string
  readonly descriptions: string[]
}

// A tool is no part of the tests' project: its types are declared here.
const script = pathToFileURL(join(root, 'tools/works/split.js')).href
const { partOf, worksFor, refuseOthers } = (await import(script)) as Split

const works = ['anime', 'manga'].flatMap((dataset) =>
  readFileSync(join(root, 'data/works', `${dataset}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line),
)
const descriptionOf = (part: string) =>
  works.find(({ franchise }) => partOf(franchise) === part)?.descriptions[0] ?? ''

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-parts-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function run(program: string, ...words: string[]) {
  const done = spawnSync(program, words, { cwd: root, encoding: 'utf8' })
  return { status: done.status, said: done.stdout + done.stderr }
}

describe('the parts of the works', () => {
  it('have three fifths, a fifth and a fifth of the franchises', () => {
    const franchises = [...new Set(works.map(({ franchise }) => franchise))]
    const shares = purposes.map((part) => {
      const own = franchises.filter((franchise) => partOf(franchise) === part)
      return own.length / franchises.length
    })
    expect(shares).toEqual([0.6, 0.2, 0.2].map((share) => expect.closeTo(share, 1) as number))
  })

  it.each(purposes)('are given out for their own purpose: %s', (purpose) => {
    const own = worksFor(purpose)
    expect(own.length).toBeGreaterThan(500)
    expect(own.filter(({ franchise }) => partOf(franchise) !== purpose)).toEqual([])
  })

  it.each(purposes.flatMap((purpose) => purposes.map((part) => [purpose, part] as const)))(
    'for %s: the %s part',
    (purpose, part) => {
      const read = () => worksFor(purpose, part)
      const found = () => refuseOthers(['a boy meets a girl', descriptionOf(part)], purpose)
      if (part === purpose) {
        expect(read).not.toThrow()
        expect(found).not.toThrow()
      } else {
        expect(read).toThrow(`the descriptions of the ${part} part are for ${part} alone`)
        expect(found).toThrow(`a description of the ${part} part, not for ${purpose}`)
      }
    },
  )

  it('knows a description in other case and spacing', () => {
    const text = ` ${descriptionOf('reporting').toUpperCase().replaceAll(' ', '\n ')} `
    expect(() => refuseOthers([text], 'training')).toThrow('refused')
  })

  it('has no part of another name', () => {
    expect(() => worksFor('training', 'testing')).toThrow('expected a part (training, fitting')
  })
})

describe('fitting the ranker', () => {
  function fit(...lines: object[]) {
    mkdirSync(join(folder, 'queries/merged'), { recursive: true })
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    writeFileSync(join(folder, 'queries/merged/descriptions.0.jsonl'), text)
    const catalogues = ['--work', folder, '--data', join(folder, 'nothing')]
    return run(process.execPath, 'tools/fit-ranker/features.js', ...catalogues)
  }

  it.each([
    ['training', undefined],
    ['reporting', 'fit'],
    ['fitting', 'report'],
  ])('refuses a description of the %s part in the split %s', (part, split) => {
    const { status, said } = fit({ description: descriptionOf(part), split })
    expect(said).toContain(`refused: a description of the ${part} part`)
    expect(status).toBe(1)
  })

  it('takes those of the fitting and the reporting part, each for its purpose', () => {
    const { said } = fit(
      { description: descriptionOf('fitting'), split: 'fit' },
      { description: descriptionOf('reporting'), split: 'report' },
    )
    expect(said).not.toContain('refused')
    expect(said).toContain('catalogues') // which the folder lacks
  })
})

const python = spawnSync('python3', ['--version']).status === 0 ? 'python3' : undefined
if (python === undefined) console.warn('skipped: the parts in Python, for want of python3')

describe.skipIf(python === undefined)('training the encoder', () => {
  it.each([
    ['static-en/continue.py', 'fitting'],
    ['static-en/continue.py', 'reporting'],
    ['minilm-anime/prepare.py', 'fitting'],
    ['minilm-anime/prepare.py', 'reporting'],
  ])('%s refuses the %s part', (script, part) => {
    const { status, said } = run('python3', `tools/${script}`, '--part', part)
    expect(said).toContain(
      `refused: the descriptions of the ${part} part are for ${part} alone, not for training`,
    )
    expect(status).toBe(1)
  })

  it('divides the works as JavaScript does, and takes one part', () => {
    const script = `import sys; sys.path.insert(0, "tools/works"); import parts
for purpose in ("training", "fitting", "reporting"):
    print(",".join(sorted({work["franchise"] for work in parts.works_for(purpose)})))`
    const { said } = run('python3', '-c', script)
    const expected = purposes.map((purpose) => {
      const own = works.filter(({ franchise }) => partOf(franchise) === purpose)
      return [...new Set(own.map(({ franchise }) => franchise))].sort().join(',')
    })
    expect(said.trim().split('\n')).toEqual(expected)
  })

  it.each([
    ['training', 0],
    ['reporting', 1],
  ])('knows a description of the %s part', (part, expected) => {
    const script = `import sys; sys.path.insert(0, "tools/works"); import parts
parts.refuse_others([sys.argv[1]], "training")`
    expect(run('python3', '-c', script, descriptionOf(part)).status).toBe(expected)
  })
})
