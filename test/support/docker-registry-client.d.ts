/** What is used here of docker-registry-client, which brings no types of its own. */
declare module "docker-registry-client" {
  import type { IncomingMessage } from "node:http";

  /** How a repository is reached. */
  export interface ClientOptions {
    /** "host/repository", with "http://" before it where the registry has no TLS. */
    readonly name: string;
    /** 1 where it is not given: then schema 1 alone is asked for. */
    readonly maxSchemaVersion?: 1 | 2;
    readonly acceptManifestLists?: boolean;
    readonly username?: string;
    readonly password?: string;
  }

  /** The parts of a manifest or an index that name others. */
  export interface Manifest {
    readonly schemaVersion: number;
    readonly mediaType?: string;
    readonly config?: { readonly digest: string };
    readonly manifests?: readonly {
      readonly digest: string;
      readonly platform: { readonly architecture: string };
    }[];
  }

  /** An error of a registry, with the answer as far as it is JSON. */
  export interface RegistryFailure extends Error {
    readonly statusCode?: number;
    readonly body?: unknown;
  }

  type Callback<Results extends unknown[]> = (error: RegistryFailure | null, ...results: Results) => void;

  /** Asks about one repository. */
  export interface RegistryClientV2 {
    listTags(callback: Callback<[{ readonly tags: readonly string[] }]>): void;
    getManifest(
      options: { readonly ref: string },
      callback: Callback<[Manifest, IncomingMessage, string]>,
    ): void;
    /** The stream is paused. */
    createBlobReadStream(options: { readonly digest: string }, callback: Callback<[IncomingMessage]>): void;
    close(): void;
  }

  const client: {
    createClientV2(options: ClientOptions): RegistryClientV2;
    /** The digest of a manifest by its text; of schema 1, without the signatures. */
    digestFromManifestStr(text: string): string;
  };
  export default client;
}
