/** Loaded into a server before its own code: SIGUSR2 sets its clock on by an hour, then back by two, and so on. */
const now = Date.now.bind(Date)
const jumpsMs = [3_600_000, -7_200_000]
let jumps = 0
let setMs = 0

globalThis.Date = class extends Date {
  constructor(...words) {
    if (words.length === 0) super(now() + setMs)
    else super(...words)
  }
  static now = () => now() + setMs
}
process.on('SIGUSR2', () => {
  setMs += jumpsMs[jumps++ % jumpsMs.length]
})
