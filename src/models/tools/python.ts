/**
 * Python for what only its libraries do, such as quantising: the interpreter that SYNOPTIC_PYTHON names,
 * else uv, which brings the packages for one run, else a python3 that has them, else one with an
 * environment of its own.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PythonError } from '../../base/errors/index.js'

export interface PythonTask {
  /** File in tools/python. */
  readonly script: string
  readonly words: readonly string[]
  /** As pip writes them. */
  readonly packages: readonly string[]
  /** Modules that show that the packages are there. */
  readonly modules: readonly string[]
  /** Where an environment of the task's own may be kept. */
  readonly environmentFolder: string
  /** Called with each step and each line that Python prints. */
  readonly onLine: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Rejects with a PythonError. */
export async function runPython(task: PythonTask): Promise<void> {
  const script = join(
    fileURLToPath(new URL('../../../tools/python/', import.meta.url)),
    task.script,
  )
  const [program, words] = await findPython(task)
  const lines: string[] = []
  const onLine = (line: string) => {
    lines.push(line)
    task.onLine(line)
  }
  const status = await run(program, [...words, script, ...task.words], { ...task, onLine })
  if (status === 0) return
  const last = lines.filter((line) => line.trim() !== '').at(-1) ?? 'it said nothing'
  throw new PythonError(`${task.script} failed with exit status ${status}: ${last}`)
}

type Call = readonly [program: string, words: readonly string[]]

async function findPython(task: PythonTask): Promise<Call> {
  const named = process.env.SYNOPTIC_PYTHON
  if (named !== undefined && named !== '') {
    if (await hasModules(named, task)) return [named, []]
    const required = `${task.modules.join(', ')} (pip install ${task.packages.join(' ')})`
    throw new PythonError(`SYNOPTIC_PYTHON: expected a Python that can import ${required}`)
  }
  if (isOnPath('uv')) {
    const packages = task.packages.flatMap((name) => ['--with', name])
    return ['uv', ['run', '--no-project', ...packages, 'python']]
  }
  const python = ['python3', 'python'].find(isOnPath)
  if (python === undefined) {
    throw new PythonError(
      'this needs Python 3.10 or later: install uv (https://docs.astral.sh/uv) or Python, or set ' +
        'SYNOPTIC_PYTHON to an interpreter',
    )
  }
  return (await hasModules(python, task)) ? [python, []] : ownEnvironment(python, task)
}

/** Kept for the next time; one that was not finished is made again. */
async function ownEnvironment(python: string, task: PythonTask): Promise<Call> {
  const folder = task.environmentFolder
  const own = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  if (existsSync(own) && (await hasModules(own, task))) return [own, []]
  await rm(folder, { recursive: true, force: true })
  task.onLine(`installing ${task.packages.join(' ')} into ${folder}`)
  for (const [program, words] of [
    [python, ['-m', 'venv', folder]],
    [own, ['-m', 'pip', 'install', '--quiet', ...task.packages]],
  ] as const) {
    const status = await run(program, words, task)
    if (status !== 0) {
      throw new PythonError(`${program} ${words.join(' ')} failed with exit status ${status}`)
    }
  }
  return [own, []]
}

async function hasModules(python: string, task: PythonTask): Promise<boolean> {
  const quiet = { ...task, onLine: () => undefined }
  const words = ['-c', `import ${task.modules.join(', ')}`]
  return (await run(python, words, quiet).catch(() => 1)) === 0
}

function isOnPath(program: string): boolean {
  const names = process.platform === 'win32' ? [`${program}.exe`] : [program]
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
}

/** Answers the exit status. */
function run(
  program: string,
  words: readonly string[],
  { onLine, signal }: Pick<PythonTask, 'onLine' | 'signal'>,
): Promise<number> {
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  })
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split(/\r?\n|\r/)
      rest = lines.pop() ?? ''
      lines.forEach(onLine)
    })
    stream.on('end', () => {
      if (rest !== '') onLine(rest)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      if (signal?.aborted) reject(signal.reason as Error)
      else reject(new PythonError(`${program} cannot be started: ${cause.message}`, { cause }))
    })
    child.once('close', (status) => resolve(status ?? 1))
  })
}
