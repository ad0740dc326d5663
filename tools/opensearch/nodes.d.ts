import type { ChildProcess } from 'node:child_process'

export interface Node {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  readonly log: () => string
}

export interface Cluster {
  /** One a node. */
  readonly urls: readonly string[]
  readonly nodes: Node[]
  restart(i: number): Node
  waitFor(members: number, from?: number): Promise<void>
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly home: string
  readonly folder: string
  readonly count?: number
  /** Of each node, such as `512m`. */
  readonly heap?: string
}

export declare function findOpenSearch(): string | undefined
export declare function startCluster(options: ClusterOptions): Promise<Cluster>
