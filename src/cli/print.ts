/** What commands print. Titles, names and messages come from files and servers that others write. */
import { printable } from '../base/util/printable.js'
import { runnable } from '../base/util/runnable.js'

export const print = (text: string): void => void process.stdout.write(printable(runnable(text)))

/** Prints to stderr. */
export const printError = (text: string): void =>
  void process.stderr.write(printable(runnable(text)))
