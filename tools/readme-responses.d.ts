interface Example {
  readonly path: string
  readonly body: string
  readonly printed: string
}
export function readmeExamples(text?: string): readonly Example[]
export function responseTo(origin: string, example: Example): Promise<unknown>
export function withoutTimes(value: unknown): unknown
