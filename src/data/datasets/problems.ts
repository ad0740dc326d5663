/** Skipped rows by reason, with the first lines of each. */
export class Problems {
  readonly #byReason = new Map<string, { count: number; lines: number[] }>()

  add(reason: string, line: number): void {
    const entry = this.#byReason.get(reason) ?? { count: 0, lines: [] }
    this.#byReason.set(reason, entry)
    entry.count += 1
    if (entry.lines.length < 5) entry.lines.push(line)
  }

  has(reason: string): boolean {
    return this.#byReason.has(reason)
  }

  get count(): number {
    return [...this.#byReason.values()].reduce((sum, { count }) => sum + count, 0)
  }

  /** E.g. `2 no title (lines 3, 17); 1 broken JSON (line 9)`. */
  describe(): string {
    return [...this.#byReason]
      .map(([reason, { count, lines }]) => {
        const more = count > lines.length ? ', …' : ''
        return `${count} ${reason} (${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})`
      })
      .join('; ')
  }
}
