/**
 * Texts to token ids with Hugging Face's own tokenizers, the library that sentence-transformers
 * uses: the JavaScript port is quicker for one short text, but differs on Greek and on rare
 * ideographs.
 */
import { join } from 'node:path'
import type { Tokenizer } from 'tokenizers'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import {
  ModelFileError,
  maxMebibytes,
  readJson,
  readJsonIfThere,
  readWhole,
} from '../format/model-files.js'
import { tokenizerFile } from '../format/tokenizer-file.js'
import { requireNative } from '../../base/util/native-packages.js'
import type { TokenRow } from './session.js'
import { noVocabulary, type Vocabulary } from './vocabulary.js'

const library = requireNative('tokenizers') as typeof import('tokenizers')

export interface TokenizedText extends TokenRow {
  readonly truncated: boolean
  /** Whether the query of its pair was cut too. */
  readonly queryTruncated?: boolean
}

export interface TextTokenizer {
  /** Id that fills a batch's rows to the longest. */
  readonly padId: number
  readonly vocabulary: Vocabulary
  /** Any string is fine; lone surrogates count as U+FFFD. */
  tokenize(texts: readonly string[]): Promise<TokenizedText[]>
}

export interface TokenizerOptions {
  /** Longest answer in tokens, special tokens included. */
  readonly maxTokens: number
  /** Adds what the model marks its inputs with, e.g. [CLS] and [SEP]. */
  readonly specialTokens: boolean
  /** Lower-cases first, whatever the tokenizer does itself. */
  readonly lowerCase: boolean
}

/** @param folder holds tokenizer.json and what says which token pads */
export async function loadTokenizer(
  folder: string,
  options: TokenizerOptions,
): Promise<TextTokenizer> {
  const { tokenizer, padId } = await openTokenizer(folder, options.lowerCase)
  const specials = options.specialTokens ? (await tokenizer.encode('')).getLength() : 0
  if (options.maxTokens <= specials) {
    throw new ModelFileError(
      `expected a maximum length above the ${specials} special tokens, got ${options.maxTokens}`,
    )
  }
  const vocabulary = await vocabularyOf(tokenizer, options.specialTokens)
  // Without special tokens the library does not report a cut: one token more shows it.
  tokenizer.setTruncation(options.maxTokens + (options.specialTokens ? 0 : 1))
  const encodeOptions = { addSpecialTokens: options.specialTokens }

  /** A batch is spread over threads, whose waking costs more than one short text. */
  async function encodeAll(texts: readonly string[]) {
    const [first = ''] = texts
    if (texts.length === 0) return []
    if (texts.length === 1) return [await tokenizer.encode(first, null, encodeOptions)]
    return tokenizer.encodeBatch([...texts], encodeOptions)
  }

  const recent = new LRUCache<string, TokenizedText>({ max: recentTexts })
  return {
    padId,
    vocabulary,
    async tokenize(texts) {
      const cached = texts.map((text) => recent.get(text))
      const fresh = texts.filter((_, position) => cached[position] === undefined)
      const tokenized = (await encodeAll(fresh)).map((encoding) => ({
        ids: encoding.getIds().slice(0, options.maxTokens),
        truncated: options.specialTokens
          ? encoding.getLength() === options.maxTokens && encoding.getOverflowing().length > 0
          : encoding.getLength() > options.maxTokens,
      }))
      tokenized.forEach((text, position) => recent.set(fresh[position] ?? '', text))
      const next = tokenized.values()
      return cached.map((text) => text ?? (next.next().value as TokenizedText))
    },
  }
}

/** Finds the special tokens by comparing a word's tokens with and without them. */
async function vocabularyOf(tokenizer: Tokenizer, areRead: boolean): Promise<Vocabulary> {
  const [bare, marked] = await Promise.all(
    [false, true].map(async (addSpecialTokens) =>
      (await tokenizer.encode('a', null, { addSpecialTokens })).getIds(),
    ),
  )
  const size = tokenizer.getVocabSize(true)
  if (bare === undefined || marked === undefined) return { ...noVocabulary, size, areRead }
  const begin = marked.findIndex((_, at) => bare.every((id, i) => marked[at + i] === id))
  return { size, areRead, before: marked.slice(0, begin), after: marked.slice(begin + bare.length) }
}

/** A search needs the vector and the tokens of its query; so this holds more queries than run at once. */
const recentTexts = 128

/** The library's tokenizer, which neither pads nor cuts. */
export async function openTokenizer(
  folder: string,
  lowerCase: boolean,
): Promise<{ tokenizer: Tokenizer; padId: number }> {
  const file = await tokenizerFile(folder)
  const tokenizer = await readTokenizer(file)
  tokenizer.disablePadding()
  tokenizer.disableTruncation()
  if (lowerCase) {
    const own = tokenizer.getNormalizer()
    const lower = library.lowercase()
    tokenizer.setNormalizer(own === null ? lower : library.sequenceNormalizer([lower, own]))
  }
  return { tokenizer, padId: await findPadId(folder, file, tokenizer) }
}

async function readTokenizer(file: string): Promise<Tokenizer> {
  const bytes = await readWhole(file, maxMebibytes.tokenizer)
  try {
    return library.Tokenizer.fromString(bytes.toString('utf8'))
  } catch (error) {
    throw new ModelFileError(`tokenizer.json cannot be read: ${String(error)}`)
  }
}

const token = v.union([v.string(), v.object({ content: v.string() })])
const padSource = v.object({ pad_token: v.nullish(token) })

/** As transformers looks for it: the tokenizer's configuration, its map of specials, its own. */
async function findPadId(folder: string, file: string, tokenizer: Tokenizer): Promise<number> {
  for (const source of ['tokenizer_config.json', 'special_tokens_map.json']) {
    const pad = (await readJsonIfThere(join(folder, source), padSource))?.pad_token
    const id = pad && tokenizer.tokenToId(typeof pad === 'string' ? pad : pad.content)
    if (typeof id === 'number') return id
  }
  const { padding } = await readJson(file, ownPadding, maxMebibytes.tokenizer)
  return padding?.pad_id ?? 0
}

const ownPadding = v.object({ padding: v.nullish(v.object({ pad_id: v.number() })) })
