/**
 * Pairs to token ids by the model's own template. The query stays whole and the text is cut, where
 * transformers would cut whichever is longer: every text is compared with the whole query.
 */
import type { Encoding, Tokenizer } from 'tokenizers'
import { ModelFileError } from '../format/model-files.js'
import { type TokenizedText, openTokenizer } from './tokenizer.js'

export interface PairTokenizer {
  readonly padId: number
  /** One answer a text. Any strings are fine; lone surrogates count as U+FFFD. */
  tokenize(query: string, texts: readonly string[]): Promise<TokenizedText[]>
}

export interface PairTokenizerOptions {
  /** Longest pair in tokens, special tokens included. */
  readonly maxTokens: number
  readonly lowerCase: boolean
}

/** @param folder holds tokenizer.json and what says which token pads */
export async function loadPairTokenizer(
  folder: string,
  { maxTokens, lowerCase }: PairTokenizerOptions,
): Promise<PairTokenizer> {
  const { tokenizer, padId } = await openTokenizer(folder, lowerCase)
  const room = maxTokens - (await countSpecials(tokenizer))
  // What a text is left with, if it is that long, however long the query.
  const textRoom = Math.floor(maxTokens / 4)
  if (textRoom < 1 || room - textRoom < 1) {
    throw new ModelFileError(
      `expected a maximum length with room for two texts, got ${maxTokens} tokens, and ` +
        `${maxTokens - room} of them are special`,
    )
  }

  return {
    padId,
    async tokenize(query, texts) {
      const cutQuery = await prepareCuts(tokenizer, query)
      const encodings = await tokenizer.encodeBatch([...texts], withoutSpecials)
      return Promise.all(
        encodings.map(async (text) => {
          const { encoding: first, truncated: queryTruncated } = await cutQuery(
            room - Math.min(text.getLength(), textRoom),
          )
          const left = room - first.getLength()
          const truncated = text.getLength() > left
          if (truncated) cutEnd(text, left)
          const pair = tokenizer.postProcess(first, text, true)
          return { ids: pair.getIds(), types: pair.getTypeIds(), truncated, queryTruncated }
        }),
      )
    },
  }
}

const withoutSpecials = { addSpecialTokens: false }

async function countSpecials(tokenizer: Tokenizer): Promise<number> {
  const empty = await tokenizer.encode('', null, withoutSpecials)
  return tokenizer.postProcess(empty, empty, true).getLength() - 2 * empty.getLength()
}

/** By default the library cuts the beginning. */
const cutEnd = (encoding: Encoding, limit: number) => encoding.truncate(limit, 0, 'right')

interface Cut {
  readonly encoding: Encoding
  readonly truncated: boolean
}

/** The query is tokenised once, and once more for each length that it has to be cut to. */
async function prepareCuts(
  tokenizer: Tokenizer,
  query: string,
): Promise<(limit: number) => Promise<Cut>> {
  const encode = () => tokenizer.encode(query, null, withoutSpecials)
  const encoding = await encode()
  const whole: Cut = { encoding, truncated: false }
  const cuts = new Map<number, Promise<Cut>>()
  const cut = async (limit: number): Promise<Cut> => {
    const shorter = await encode()
    cutEnd(shorter, limit)
    return { encoding: shorter, truncated: true }
  }
  return async (limit) => {
    if (encoding.getLength() <= limit) return whole
    const known = cuts.get(limit) ?? cut(limit)
    cuts.set(limit, known)
    return known
  }
}
