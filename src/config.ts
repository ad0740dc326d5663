/** Settings of the server and the CLI. */
export interface Settings {
  /** Folder of the catalogue, `catalogue.sqlite` in it. */
  readonly dataDir: string
  /** Folder of the embeddings store. */
  readonly embeddingsDir: string
  /** Folder of downloaded and own models. */
  readonly modelsDir: string
}
