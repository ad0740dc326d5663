import type { DatasetInfo } from '#synoptic/data/catalogue/catalogue.js'
import type { VectorIndex } from '#synoptic/native/addon/vector-index.js'
import type { Engine } from '#synoptic/search/opensearch/engine.js'
import type { Published } from '#synoptic/search/opensearch/publish.js'

export interface Material {
  readonly dataset: DatasetInfo
  readonly embeddings: object
}

export interface Remote {
  readonly index: VectorIndex
  readonly engine: Engine
  readonly name: string
}

export interface PublishWords {
  readonly shards: number
  readonly replicas: number
  readonly prefix?: string
  readonly hasGraph?: boolean
}

export declare function makeCentres(dimension: number): Float32Array
export declare function randomVector(
  dimension: number,
  seed: number,
  centres: Float32Array,
): Float32Array
export declare function makeMaterial(
  folder: string,
  size: {
    readonly rows: number
    readonly dimension: number
    readonly columns?: number
    readonly share?: number
  },
): Material
export declare function publish(
  material: Material,
  urls: readonly string[],
  options: PublishWords,
): Promise<Published>
export declare function openRemote(
  material: Material,
  urls: readonly string[],
  options?: {
    readonly timeoutMs?: number
    readonly prefix?: string
    readonly candidates?: number
  },
): Promise<Remote>
export declare function openLocal(material: Material): Promise<VectorIndex>
