import registryClient, { type Manifest, type RegistryClientV2 } from "docker-registry-client";

/** A manifest as docker-registry-client reads it. */
export interface PeerManifest {
  readonly manifest: Manifest;
  /** Reckoned from what was sent. */
  readonly digest: string;
}

/** Who asks, where the registry wants to know. */
export interface PeerLogin {
  readonly username: string;
  readonly password: string;
}

/** One repository through docker-registry-client, with promises; they reject with its errors. */
export class PeerRegistryClient implements Disposable {
  readonly #client: RegistryClientV2;

  /** `url` is the registry's, with its scheme. */
  constructor(url: string, repository: string, login?: PeerLogin) {
    const name = `${url}/${repository}`;
    const options = { maxSchemaVersion: 2, acceptManifestLists: true } as const;
    this.#client = registryClient.createClientV2({ ...options, ...login, name });
  }

  tags(): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#client.listTags((error, list) => (error ? reject(error) : resolve(list.tags)));
    });
  }

  /** Of a tag or a digest. */
  manifest(ref: string): Promise<PeerManifest> {
    return new Promise((resolve, reject) => {
      this.#client.getManifest({ ref }, (error, manifest, _, text) => {
        if (error) {
          reject(error);
        } else {
          resolve({ manifest, digest: registryClient.digestFromManifestStr(text) });
        }
      });
    });
  }

  /** The text of a blob. Rejects where it is not what the digest says. */
  blob(digest: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#client.createBlobReadStream({ digest }, (error, stream) => {
        if (error) {
          reject(error);
          return;
        }
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        // What is wrong with the content is told before its end.
        stream.on("error", reject).on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
        stream.resume();
      });
    });
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}
