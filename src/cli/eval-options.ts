/** The options of `synoptic eval`, checked before any file is opened. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DatasetName, expectedName, isDatasetName } from '../data/catalogue/catalogue.js'
import { SettingsError } from '../base/errors/index.js'
import { type Choice, modes } from '../search/eval/systems.js'
import { builtinModel, type ModelsLocation } from '../models/registry/registry.js'
import { builtinRanker } from '../search/ranking/builtin-ranker.js'
import { checkEncoderName, wholeName } from './model-name.js'
import { parseOptions } from './parse-words.js'

export interface EvalOptions extends Choice {
  readonly dataset: DatasetName | undefined
  /** Columns whose texts are the queries; each column in turn if empty. */
  readonly queryColumns: readonly string[]
  /** File of descriptions that are the queries instead. */
  readonly descriptions: string | undefined
  /** File of queries of several kinds, which /search answers instead. */
  readonly queries: string | undefined
  /** The models as they were named; undefined where none was. */
  readonly namedModels: readonly string[] | undefined
  readonly json: string | undefined
  readonly plot: string | undefined
}

const noReranker = 'none'

/** Options that change how texts are searched; a file of queries tests /search as it is. */
const notWithQueries = ['query-column', 'descriptions', 'mode', 'reranker', 'plot'] as const

const one = { type: 'string' } as const
const several = { type: 'string', multiple: true } as const

/** @throws SettingsError with every problem */
export function readEvalOptions(argv: readonly string[], location: ModelsLocation): EvalOptions {
  const values = parseOptions('eval', argv, {
    dataset: one,
    'query-column': several,
    descriptions: one,
    queries: one,
    model: several,
    mode: several,
    reranker: several,
    json: one,
    plot: one,
  })
  const { model = [builtinModel], mode = modes, reranker = [noReranker, builtinRanker] } = values
  const { 'query-column': queryColumns = [], descriptions, queries, json, plot } = values
  const { dataset } = values
  const chosenModes = modes.filter((allowed) => mode.includes(allowed))
  const problems = [
    ...(dataset === undefined || isDatasetName(dataset)
      ? []
      : [`--dataset: expected ${expectedName}, received ${dataset}`]),
    ...model
      .flatMap((name) => checkEncoderName(name, location))
      .map((problem) => `--model: ${problem}`),
    ...mode
      .filter((name) => !modes.some((allowed) => allowed === name))
      .map((name) => `--mode: expected one of ${modes.join(', ')}, received ${name}`),
    ...Object.entries({ json, plot })
      .filter(([, file]) => file !== undefined && !existsSync(dirname(file)))
      .map(([name, file]) => `--${name}: expected a file in an existing folder, received ${file}`),
    ...(queryColumns.length > 0 && descriptions !== undefined
      ? ['expected --query-column or --descriptions, received both']
      : []),
    ...notWithQueries
      .filter((name) => queries !== undefined && values[name] !== undefined)
      .map((name) => `--${name}: has no meaning with --queries`),
  ]
  if (problems.length > 0) throw new SettingsError(problems.map((problem) => `eval: ${problem}`))
  return {
    dataset,
    queryColumns: distinct(queryColumns),
    descriptions,
    queries,
    json,
    plot,
    models: distinct(model.map((name) => wholeName(name, location))),
    namedModels: values.model && distinct(model.map((name) => wholeName(name, location))),
    modes: chosenModes,
    rerankers: distinct(reranker).map((name) => (name === noReranker ? null : name)),
  }
}

const distinct = (words: readonly string[]) => [...new Set(words)]
