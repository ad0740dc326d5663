/**
 * Tokens of texts as a model reads them, for requests that name a prompt, cut long texts at the start, or want the
 * tokens themselves. The tokenizers are opened at their first use, in this process: `tokenizers` works on its own threads.
 */
import { LRUCache } from 'lru-cache'
import type { Encoding, Tokenizer } from 'tokenizers'
import { UnsupportedValueError } from '../../base/errors/index.js'
import { type Pipeline, readPipeline } from '../../models/format/pipeline.js'
import type { ResolvedModel } from '../../models/registry/registry.js'

/** One token of a text. */
export interface Token {
  readonly id: number
  /** Of a special token its name, else the part of the text. */
  readonly text: string
  readonly special: boolean
  /** Where the part begins and ends, in Unicode code points of the text with its prompt; null of special tokens. */
  readonly start: number | null
  readonly stop: number | null
}

/** How texts become tokens where it is not as the model does by itself. */
export interface ReadOptions {
  /** Name of one of the model's prompts, which is put before each text; undefined for the default one. */
  readonly promptName?: string | undefined
  /** Where a text that is too long loses its tokens. */
  readonly cut?: 'start' | 'end'
}

interface CutIds {
  /** Special tokens included. */
  readonly ids: readonly number[]
  readonly isCut: boolean
}

export interface CallerTokenizers {
  /** Rejects with an UnsupportedValueError where the model has no such prompt, or as the files of the model do. */
  idsOf(model: Named, texts: readonly string[], options: ReadOptions): Promise<CutIds[]>
  /** The tokens of the whole texts. Rejects as `idsOf` does. */
  tokensOf(
    model: Named,
    texts: readonly string[],
    options: { readonly promptName?: string | undefined; readonly specialTokens: boolean },
  ): Promise<Token[][]>
  /** Names of the model's prompts. Rejects as its files do. */
  promptsOf(model: Named): Promise<readonly string[]>
}

type Named = Pick<ResolvedModel, 'name' | 'folder'>

/** Tokenizers that stay open: each holds some 20 MB. */
const maxOpen = 4
const maxPipelines = 64

type Cut = 'none' | 'start' | 'end'

export function createCallerTokenizers(): CallerTokenizers {
  const tokenizers = new LRUCache<string, Promise<Tokenizer>>({ max: maxOpen })
  const pipelines = new LRUCache<string, Promise<Pipeline>>({ max: maxPipelines })

  /** Its files are read once, not for every request. */
  function pipelineOf({ name, folder }: Named): Promise<Pipeline> {
    const known = pipelines.get(name)
    if (known !== undefined) return known
    const reading = readPipeline(folder)
    pipelines.set(name, reading)
    reading.catch(() => pipelines.delete(name))
    return reading
  }

  function open(model: Named, cut: Cut): Promise<Tokenizer> {
    const key = `${cut} ${model.name}`
    const known = tokenizers.get(key)
    if (known !== undefined) return known
    const opening = pipelineOf(model).then((pipeline) => openPipeline(pipeline, cut))
    tokenizers.set(key, opening)
    opening.catch(() => tokenizers.delete(key))
    return opening
  }

  /** Puts the prompt before each text. */
  async function withPrompt(
    model: Named,
    texts: readonly string[],
    promptName: string | undefined,
  ): Promise<string[]> {
    const prompt = promptOf(model.name, await pipelineOf(model), promptName)
    return texts.map((text) => prompt + text)
  }

  return {
    async idsOf(model, texts, { promptName, cut = 'end' }) {
      const prompted = await withPrompt(model, texts, promptName)
      const encodings = await (await open(model, cut)).encodeBatch(prompted)
      return encodings.map((encoding) => ({
        ids: encoding.getIds(),
        isCut: encoding.getOverflowing().length > 0,
      }))
    },
    async tokensOf(model, texts, { promptName, specialTokens }) {
      const prompted = await withPrompt(model, texts, promptName)
      const tokenizer = await open(model, 'none')
      const options = { addSpecialTokens: specialTokens }
      const encodings = await tokenizer.encodeBatch(prompted, options)
      return encodings.map((encoding, at) => tokensIn(encoding, prompted[at] ?? ''))
    },
    promptsOf: async (model) => Object.keys((await pipelineOf(model)).prompts),
  }
}

async function openPipeline(
  { kind, tokenizerFolder, lowerCase, maxTokens }: Pipeline,
  cut: Cut,
): Promise<Tokenizer> {
  // Loads a native library, which most servers do not need in this process.
  const { openTokenizer } = await import('../../models/encoders/tokenizer.js')
  const { tokenizer } = await openTokenizer(tokenizerFolder, lowerCase)
  if (cut === 'none') return tokenizer
  // A static model does not read the special tokens, so its maximum does not count them.
  const unread = kind === 'static' ? (await tokenizer.encode('')).getLength() : 0
  const direction = cut === 'start' ? 'left' : 'right'
  tokenizer.setTruncation(maxTokens + unread, { direction })
  return tokenizer
}

function tokensIn(encoding: Encoding, text: string): Token[] {
  const characters = Array.from(text)
  const names = encoding.getTokens()
  const isSpecial = encoding.getSpecialTokensMask()
  const offsets = encoding.getOffsets()
  return encoding.getIds().map((id, at) => {
    if (isSpecial[at] === 1)
      return { id, text: names[at] ?? '', special: true, start: null, stop: null }
    const [start = 0, stop = 0] = offsets[at] ?? []
    return { id, text: characters.slice(start, stop).join(''), special: false, start, stop }
  })
}

function promptOf(
  model: string,
  { prompts, prompt: defaultPrompt }: Pick<Pipeline, 'prompt' | 'prompts'>,
  name: string | undefined,
): string {
  if (name === undefined) return defaultPrompt
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  if (prompt !== undefined) return prompt
  const names = Object.keys(prompts)
  const expected = names.length === 0 ? 'null' : `null, ${names.join(', ')}`
  const received = JSON.stringify(name.slice(0, 40))
  const message = `expected ${expected}, the prompts of ${model}; received ${received}`
  throw new UnsupportedValueError([{ path: 'prompt_name', message }])
}
