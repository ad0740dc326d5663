/** Commands about catalogues and embeddings, in the situation that prints them. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from '../helpers/run-cli.js'
import { at, call, commandsIn, csv, follow, nightly, patient, startServer, story } from './scene.js'

describe('a command about data that is printed runs', () => {
  // Covers cli/data-import.ts, cli/data-init.ts.
  it('where no file is named, from the file to its import', patient, async () => {
    copyFileSync(at('mine.csv'), at('my list.csv'))
    const { code, text } = await call('data import')
    expect(code).toBe(2)
    const [written] = await follow(text, { FILE: "'my list.csv'" })
    const [imported] = await follow(written?.text ?? '')
    expect(imported?.text).toContain('anime: 30 entries')
  })

  // Covers data/datasets/known/recognize.ts, data/datasets/known/recognize-csv.ts.
  it.each([
    ['nobody knows', 'my notes.csv', 'nr;titel;beschreibung\n1;Flut;' + story],
    ['is nearly known', 'mal.csv', 'mal_id,title,score,genres,synopsis\n1,Flut,7,Drama,' + story],
  ])('for a file that %s', nightly, async (_, name, content) => {
    writeFileSync(at(name), content)
    const { code, text } = await call(`data import '${name}'`)
    expect(code, text).toBe(1)
    await follow(text)
  })

  // Covers cli/data-import-report.ts, cli/data-import-run.ts.
  it.each([
    ['are guessed', `name,plot,volumes\nTide,${story},3\n`, 0],
    ['are guessed badly', `name,plot,volumes\nTide,,3\nFlood,,4\nEbb,${story},5\n`, 2],
  ])('for a table whose columns %s', nightly, async (_, content, status) => {
    writeFileSync(at('my table.csv'), content)
    const { code, text } = await call("data import 'my table.csv'")
    expect(code, text).toBe(status)
    await follow(text, { FILE: "--force 'my table.csv'" })
  })

  // Covers data/datasets/guess-mapping.ts.
  it('for a list of titles without texts', patient, async () => {
    writeFileSync(at('my titles.csv'), 'title,year\nTide,2001\nFlood,2002\n')
    const { code, text } = await call("data import 'my titles.csv'")
    expect(code, text).toBe(1)
    await follow(text)
  })

  it("for a person's list", nightly, async () => {
    const list =
      '<myanimelist><anime><series_animedb_id>1</series_animedb_id></anime></myanimelist>'
    writeFileSync(at('my list.xml'), list)
    const { text } = await call("data import 'my list.xml'")
    const [command] = commandsIn(text)
    const server = await startServer(`${command} --port 0 --workers 1`)
    expect(await server.stop()).toBe(0)
  })

  // Covers base/errors/CatalogueError, base/errors/EmbeddingsMissingError.
  it('where there is no catalogue, and then no embeddings', patient, async () => {
    rmSync(at('my data'), { recursive: true })
    rmSync(at('vectors'), { recursive: true })
    const missing = await call('embed status')
    expect(missing.code).toBe(1)
    expect(missing.text).toContain('there is no catalogue')
    // The whole of the included works is imported by another test.
    const sample = missing.text.replaceAll('/data/works/', '/data/sample/')
    await follow(sample)
    const query = JSON.stringify({ description: 'a notebook that kills', title: 'Death Note' })
    writeFileSync(at('asked.jsonl'), query)
    const evaluate = 'eval --dataset anime --descriptions asked.jsonl --mode semantic'
    const unbuilt = await call(evaluate)
    expect(unbuilt.text).toContain('has no embeddings')
    await follow(unbuilt.text)
    expect((await call(evaluate)).code).toBe(0)
  })

  // Covers base/errors/DatasetMissingError.
  it('where a dataset is not imported', nightly, async () => {
    const { code, text } = await call('eval --dataset manga')
    expect(code).toBe(1)
    const [imported] = await follow(text)
    expect(imported?.text).toMatch(/anime: 30 entries, unchanged/)
    expect(imported?.text).toMatch(/manga: \d{4} entries/)
  })

  // Covers base/errors/EmbeddingsStaleError, data/embed/status.ts.
  it('where embeddings are older than the catalogue', patient, async () => {
    writeFileSync(at('mine.csv'), csv(31))
    await call('data import mine.json')
    const stale = await call('embed status')
    expect(stale).toMatchObject({ code: 1 })
    const refused = await call('eval')
    expect(refused.text).toContain('out of date')
    expect(commandsIn(refused.text)).toEqual(commandsIn(stale.text))
    await follow(refused.text)
    expect(await call('embed status')).toMatchObject({ code: 0 })
  })

  // Covers base/errors/EmbeddingsBrokenError.
  it('where embeddings are damaged', nightly, async () => {
    const matrix = at('vectors/anime/builtin/static-en/synopsis.npy')
    writeFileSync(matrix, readFileSync(matrix).subarray(0, -100))
    const { code, text } = await call('eval')
    expect(code, text).toBe(1)
    await follow(text)
    expect(await call('eval')).toMatchObject({ code: 0 })
  })

  // Covers data/embed/build.ts.
  it('where embeddings of other software lack texts', nightly, async () => {
    const columns = mergedColumns()
    const write = (rows: number) => {
      const lines = Array.from({ length: rows }, (_, i) => [
        `${i + 1}`,
        `Tide ${i}`,
        `${i} ${story}`,
      ])
      const cells = lines.map((line) => columns.map((_, column) => line[column] ?? '').join(','))
      writeFileSync(at('merged_anime_dataset.csv'), [columns.join(','), ...cells].join('\n'))
    }
    const mapping = join(program, '..', 'data/sources/merged-anime.json')
    const build = async (rows: number) => {
      write(rows)
      const words = `data import '${mapping}' --from . --works off`
      expect(await call(words)).toMatchObject({ code: 0 })
      expect(await call('embed build')).toMatchObject({ code: 0 })
    }
    await build(3)
    mkdirSync(at('old'))
    const matrix = at('vectors/anime/builtin/static-en/synopsis.npy')
    copyFileSync(matrix, at('old/embeddings_synopsis.npy'))
    await build(4)
    write(3)
    const words =
      'embed import old --csv merged_anime_dataset.csv --dataset anime --model static-en'
    const { code, text: printed } = await call(words)
    expect(code, printed).toBe(1)
    const [imported] = await follow(printed, { FOLDER: '.' })
    expect(imported?.text).toContain('anime: 3 entries')
  })
})

/** All columns that the mapping reads: the id, the title, the first text, and the rest. */
function mergedColumns(): string[] {
  const mapping = JSON.parse(
    readFileSync(join(program, '..', 'data/sources/merged-anime.json'), 'utf8'),
  ) as { fields: Record<string, string | string[]>; texts: Record<string, string> }
  const { id, title, ...fields } = mapping.fields
  const [first, ...texts] = Object.values(mapping.texts)
  return [id, title, first, ...Object.values(fields), ...texts]
    .flat()
    .filter((name) => name !== undefined)
}
