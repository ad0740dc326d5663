/** Draws the points: one call of WebGL, whatever their number. What does not change stays in the device's memory. */
import { paletteSize } from './colours.js'
import { unitOf, type Size, type View } from './view.js'

export interface Renderer {
  /** @param places two coordinates a work, from 0 to 1; the best-known work first */
  setPlaces(places: Float32Array): void
  /** Numbers of the palette, a work. */
  setColours(numbers: Uint8Array): void
  /** Red, green and blue of each number. */
  setPalette(palette: Float32Array): void
  /** 1 for works that are lit; undefined: no search. */
  setLit(lit: Uint8Array | undefined): void
  draw(view: View, size: Size): void
}

const vertexShader = `
attribute vec2 place;
attribute float colour;
attribute float lit;
attribute float fame;
uniform vec2 middle;
uniform vec2 scale;
uniform float size;
uniform float dim;
uniform vec3 palette[${paletteSize}];
varying vec4 shade;
varying float edge;
void main() {
  vec2 at = (place - middle) * scale;
  gl_Position = vec4(at.x, -at.y, 0.0, 1.0);
  float diameter = size * (0.75 + fame) * (1.0 + 0.9 * lit);
  gl_PointSize = diameter + 1.0;
  edge = 1.0 / (diameter + 1.0);
  float alpha = mix(0.82, mix(0.16, 1.0, lit), dim);
  shade = vec4(palette[int(colour)], alpha);
}`

const fragmentShader = `
precision mediump float;
varying vec4 shade;
varying float edge;
void main() {
  float inside = 1.0 - smoothstep(0.5 - edge, 0.5, length(gl_PointCoord - 0.5));
  gl_FragColor = vec4(shade.rgb, 1.0) * shade.a * inside;
}`

/** Undefined where the browser has no WebGL. */
export function createRenderer(canvas: HTMLCanvasElement): Renderer | undefined {
  const gl = canvas.getContext('webgl', { antialias: false, depth: false, alpha: true })
  if (gl === null) return undefined
  const program = link(gl)
  if (program === undefined) return undefined
  gl.useProgram(program)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  const uniform = (name: string) => gl.getUniformLocation(program, name)
  const [middle, scale, size, dim] = ['middle', 'scale', 'size', 'dim'].map(uniform)
  const palette = uniform('palette')
  const buffers = new Map<string, WebGLBuffer | null>()
  let count = 0

  /** The last is drawn on top, so the order is reversed. */
  function upload(name: string, values: Float32Array | Uint8Array, parts: 1 | 2): void {
    if (gl === null || program === undefined) return
    const turned = values.slice()
    const works = values.length / parts
    for (let at = 0; at < works; at++)
      turned.set(values.subarray(at * parts, (at + 1) * parts), (works - 1 - at) * parts)
    const location = gl.getAttribLocation(program, name)
    const buffer = buffers.get(name) ?? gl.createBuffer()
    buffers.set(name, buffer)
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    gl.bufferData(gl.ARRAY_BUFFER, turned, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(location)
    const type = values instanceof Uint8Array ? gl.UNSIGNED_BYTE : gl.FLOAT
    gl.vertexAttribPointer(location, parts, type, false, 0, 0)
  }

  return {
    setPlaces(places) {
      count = places.length / 2
      upload('place', places, 2)
      // The best known half again as large as the others.
      upload(
        'fame',
        Float32Array.from({ length: count }, (_, at) => 1.2 / (1 + at / 150)),
        1,
      )
      upload('lit', new Uint8Array(count), 1)
    },
    setColours: (numbers) => upload('colour', numbers, 1),
    setPalette: (values) => gl.uniform3fv(palette ?? null, values),
    setLit(lit) {
      upload('lit', lit ?? new Uint8Array(count), 1)
      gl.uniform1f(dim ?? null, lit === undefined ? 0 : 1)
    },
    draw(view, { width, height }) {
      const ratio = Math.min(2, devicePixelRatio)
      const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)]
      if (canvas.width !== across || canvas.height !== down) {
        canvas.width = across
        canvas.height = down
      }
      const unit = unitOf(view, { width, height })
      gl.viewport(0, 0, across, down)
      gl.clearColor(0, 0, 0, 0)
      gl.clear(gl.COLOR_BUFFER_BIT)
      gl.uniform2f(middle ?? null, view.x, view.y)
      gl.uniform2f(scale ?? null, (2 * unit) / width, (2 * unit) / height)
      gl.uniform1f(size ?? null, ratio * pointSize(count, unit, view.zoom))
      gl.drawArrays(gl.POINTS, 0, count)
    },
  }
}

/** Few points are large, many small; they grow more slowly than the map. */
function pointSize(count: number, unit: number, zoom: number): number {
  const room = (0.32 * unit) / zoom / Math.sqrt(Math.max(1, count))
  return Math.min(16, Math.min(6, Math.max(1.6, room)) * zoom ** 0.4)
}

function link(gl: WebGLRenderingContext): WebGLProgram | undefined {
  const program = gl.createProgram()
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(kind)
    if (shader === null) return undefined
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : undefined
}
