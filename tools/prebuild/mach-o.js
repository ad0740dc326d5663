/** What a library of macOS needs of its system, from its load commands and its table of symbols. */

/** The first macOS of Macs with Apple's processors. */
export const oldestMac = '11.0'

const magic64 = 0xfeedfacf
const processors = { 0x01000007: 'x64', 0x0100000c: 'arm64' }
const commands = { symbols: 0x2, load: 0xc, name: 0xd, signature: 0x1d, build: 0x32 }
/** Of a symbol: is it for others, and is it defined here. */
const [external, kindOf, defined] = [0x01, 0x0e, 0x0e]
/** Instead of the number of a library: whatever in the process has the symbol, which is Node. Zig's linker says 0. */
const lookedUp = [0xfe, 0]

/**
 * @param {Buffer} file
 * @returns the processor, the oldest system, its own name, whether it is signed, the libraries it loads, the symbols
 *   that it has for others, and those that it takes from libraries (`system`) and from Node (`process`)
 */
export function readMachO(file) {
  if (file.length < 32 || file.readUInt32LE(0) !== magic64)
    throw new Error('expected a library of macOS of 64 bits, found something else')
  const found = {
    processor: processors[file.readUInt32LE(4)],
    oldest: undefined,
    name: undefined,
    isSigned: false,
    libraries: [],
    exports: [],
    system: [],
    process: [],
  }
  let at = 32
  for (let number = file.readUInt32LE(16); number > 0; number -= 1) {
    // The highest bit says that the loader has to know the command.
    const command = file.readUInt32LE(at) & 0x7fffffff
    if (command === commands.load) found.libraries.push(textOf(file, at))
    if (command === commands.name) found.name = textOf(file, at)
    if (command === commands.signature) found.isSigned = true
    if (command === commands.build) {
      const version = file.readUInt32LE(at + 12)
      found.oldest = `${version >>> 16}.${(version >>> 8) & 0xff}`
    }
    if (command === commands.symbols) readSymbols(file, at, found)
    at += file.readUInt32LE(at + 4)
  }
  return found
}

function textOf(file, at) {
  const start = at + file.readUInt32LE(at + 8)
  return file.toString('latin1', start, file.indexOf(0, start))
}

function readSymbols(file, at, found) {
  const [table, count, names] = [8, 12, 16].map((offset) => file.readUInt32LE(at + offset))
  for (let entry = table; entry < table + count * 16; entry += 16) {
    const kind = file[entry + 4]
    if ((kind & external) === 0) continue
    const start = names + file.readUInt32LE(entry)
    const symbol = file.toString('latin1', start, file.indexOf(0, start))
    const library = file.readUInt16LE(entry + 6) >> 8
    if ((kind & kindOf) === defined) found.exports.push(symbol)
    else found[lookedUp.includes(library) ? 'process' : 'system'].push(symbol)
  }
}

/**
 * Why a Mac of that processor does not load an addon; empty where it does.
 * @param {Buffer} file
 * @param {string} processor
 */
export function problemsOfMachO(file, processor) {
  const found = readMachO(file)
  const strange = found.process.filter((symbol) => !/^_(napi|node_api)_/.test(symbol))
  const foreign = found.libraries.filter((path) => path !== '/usr/lib/libSystem.B.dylib')
  const [major, minor] = (found.oldest ?? '999.0').split('.').map(Number)
  const [oldMajor, oldMinor] = oldestMac.split('.').map(Number)
  return [
    [found.processor !== processor, `is for ${found.processor}`],
    [major > oldMajor || (major === oldMajor && minor > oldMinor), `needs macOS ${found.oldest}`],
    [!found.exports.includes('_napi_register_module_v1'), 'has no _napi_register_module_v1'],
    [strange.length > 0, `expects of Node ${strange.join(', ')}`],
    [foreign.length > 0, `loads ${foreign.join(', ')}`],
    [found.name?.startsWith('/') === true, `has the path ${found.name}`],
    // Macs with Apple's processors load nothing without one.
    [processor === 'arm64' && !found.isSigned, 'is not signed'],
  ].flatMap(([isWrong, problem]) => (isWrong ? [problem] : []))
}
