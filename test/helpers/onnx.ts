/**
 * Writes ONNX models of a few nodes, so that tests need no model from elsewhere. Only the protobuf
 * fields that these models use.
 */

export interface TinyGraph {
  /** Rows of float32, `vocabulary` x `dimension`. */
  readonly table: Float32Array
  readonly dimension: number
  /** `tokens`: a row a token. `texts`: the sum of a text's rows. */
  readonly output: 'tokens' | 'texts'
  /** Names of the inputs, for models that ask for something else. */
  readonly inputs?: readonly string[]
  /** Name of the output. */
  readonly outputName?: string
  /** Where the table lies, if not in the model itself: a path from the model's folder. */
  readonly externalTable?: string
}

/** The bytes of a model that looks token ids up in a table. */
export function writeOnnx(graph: TinyGraph): Buffer {
  const { table, dimension, output } = graph
  const inputs = graph.inputs ?? ['input_ids', 'attention_mask']
  const name =
    graph.outputName ?? (output === 'tokens' ? 'last_hidden_state' : 'sentence_embedding')
  const [ids = '', mask = ''] = inputs
  const nodes =
    output === 'tokens'
      ? [node('Gather', ['table', ids], name)]
      : [
          node('Gather', ['table', ids], 'rows'),
          node('Cast', [mask], 'weights', integer('to', 1)),
          node('Unsqueeze', ['weights', 'last'], 'columns'),
          node('Mul', ['rows', 'columns'], 'masked'),
          node('ReduceSum', ['masked', 'middle'], name, integer('keepdims', 0)),
        ]
  const initializers = [
    tensor('table', 1, [table.length / dimension, dimension], table, graph.externalTable),
    tensor('last', 7, [1], new BigInt64Array([2n])),
    tensor('middle', 7, [1], new BigInt64Array([1n])),
  ]
  const outputAxes = output === 'tokens' ? ['batch', 'sequence', dimension] : ['batch', dimension]
  const body = [
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, 'tiny'),
    ...initializers.map((bytes) => field(5, bytes)),
    ...inputs.map((input) => field(11, valueInfo(input, 7, ['batch', 'sequence']))),
    field(12, valueInfo(name, 1, outputAxes)),
  ]
  const opset = Buffer.concat([field(1, ''), field(2, 17)])
  return Buffer.concat([field(1, 8), field(7, Buffer.concat(body)), field(8, opset)])
}

function node(type: string, inputs: readonly string[], output: string, attribute?: Buffer): Buffer {
  return Buffer.concat([
    ...inputs.map((input) => field(1, input)),
    field(2, output),
    field(4, type),
    ...(attribute === undefined ? [] : [field(5, attribute)]),
  ])
}

const integer = (name: string, value: number) =>
  Buffer.concat([field(1, name), field(3, value), field(20, 2)])

function tensor(
  name: string,
  type: number,
  dims: readonly number[],
  data: Float32Array | BigInt64Array,
  location?: string,
): Buffer {
  const place = (key: string, value: string) =>
    field(13, Buffer.concat([field(1, key), field(2, value)]))
  return Buffer.concat([
    ...dims.map((dim) => field(1, dim)),
    field(2, type),
    field(8, name),
    ...(location === undefined
      ? [field(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength))]
      : [place('location', location), place('length', String(data.byteLength)), field(14, 1)]),
  ])
}

function valueInfo(name: string, type: number, axes: readonly (string | number)[]): Buffer {
  const shape = axes.map((axis) => field(1, field(typeof axis === 'number' ? 1 : 2, axis)))
  const tensorType = Buffer.concat([field(1, type), field(2, Buffer.concat(shape))])
  return Buffer.concat([field(1, name), field(2, field(1, tensorType))])
}

/** A number as a varint, anything else with its length before it. */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)])
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0))
    rest >>>= 7
  } while (rest > 0)
  return Buffer.from(bytes)
}
