/**
 * PyTorch's activations without parameters, as a Dense module names them:
 * `torch.nn.modules.activation.Tanh`. They have the defaults of their constructors.
 */

type Activation = (x: number) => number

/** Undefined for a name that is not known. */
export function findActivation(path: string): Activation | undefined {
  const [, name] = /^torch\.nn\.(?:modules\.\w+\.)?(\w+)$/.exec(path) ?? []
  return name === undefined ? undefined : activations.get(name)
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
/** Exact for large x too, where exp(x) overflows. */
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
const clamp = (x: number, least: number, most: number) => Math.min(most, Math.max(least, x))
const seluScale = 1.0507009873554805
const seluAlpha = 1.6732632423543772

const activations = new Map<string, Activation>([
  ['CELU', (x) => Math.max(0, x) + Math.min(0, Math.expm1(x))],
  ['ELU', (x) => (x > 0 ? x : Math.expm1(x))],
  ['GELU', (x) => 0.5 * x * (1 + erf(x * Math.SQRT1_2))],
  ['Hardshrink', (x) => (Math.abs(x) > 0.5 ? x : 0)],
  ['Hardsigmoid', (x) => clamp(x / 6 + 0.5, 0, 1)],
  ['Hardswish', (x) => x * clamp(x / 6 + 0.5, 0, 1)],
  ['Hardtanh', (x) => clamp(x, -1, 1)],
  ['Identity', (x) => x],
  ['LeakyReLU', (x) => (x > 0 ? x : 0.01 * x)],
  ['LogSigmoid', (x) => -softplus(-x)],
  ['Mish', (x) => x * Math.tanh(softplus(x))],
  ['ReLU', (x) => Math.max(0, x)],
  ['ReLU6', (x) => clamp(x, 0, 6)],
  ['SELU', (x) => seluScale * (x > 0 ? x : seluAlpha * Math.expm1(x))],
  ['Sigmoid', sigmoid],
  ['SiLU', (x) => x * sigmoid(x)],
  ['Softplus', softplus],
  ['Softshrink', (x) => x - clamp(x, -0.5, 0.5)],
  ['Softsign', (x) => x / (1 + Math.abs(x))],
  ['Tanh', Math.tanh],
  ['Tanhshrink', (x) => x - Math.tanh(x)],
])

export const activationNames = [...activations.keys()]

/** The error function to about 1e-13: its series near zero, a continued fraction beyond. */
function erf(x: number): number {
  const size = Math.abs(x)
  if (size >= 6) return Math.sign(x)
  return Math.sign(x) * (size < 2.5 ? erfSeries(size) : 1 - erfcFraction(size))
}

function erfSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > 1e-18; n++) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

/** Evaluated from its far end; at 2.5 and above 60 terms are plenty. */
function erfcFraction(x: number): number {
  let tail = x
  for (let n = 60; n > 0; n--) tail = x + n / 2 / tail
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail)
}
