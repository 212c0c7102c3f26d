import { createHash } from "node:crypto";
import {
  existsSync,
  type FSWatcher,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { freePortFrom } from "./free-port.ts";

const hourMs = 3_600_000;
const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

/**
 * An image registry in which each tag is an empty file, <folder>/<repository>/<tag>; the file's time is the
 * image's creation time. Creating a file pushes an image.
 */
export class DemoRegistry {
  readonly folder: string;
  /** "127.0.0.1:port", the prefix of image names. */
  readonly host: string;
  readonly #server: Server;
  readonly #blobs = new Map<string, string>();
  #watcher: FSWatcher | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.host = `127.0.0.1:${port}`;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Starts a registry with these images, each "repository:tag". */
  static async start(folder: string, images: readonly string[]): Promise<DemoRegistry> {
    const port = await freePortFrom(5050);
    const registry = new DemoRegistry(folder, port);
    // Created one hour apart, in order.
    images.forEach((image, index) => registry.push(image, Date.now() - (images.length - index) * hourMs));
    await new Promise<void>((resolve) => registry.#server.listen(port, "127.0.0.1", resolve));
    return registry;
  }

  /** Pushes "repository:tag", with a creation time in milliseconds since the epoch. */
  push(image: string, made = Date.now()): void {
    const file = join(this.folder, image.replace(":", "/"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    utimesSync(file, made / 1000, made / 1000);
  }

  /** Calls back with each repository, and again whenever an image is pushed to it. */
  onPush(notice: (repository: string) => void): void {
    readdirSync(this.folder).forEach(notice);
    this.#watcher = watch(this.folder, { recursive: true }, (_event, name) => {
      const [repository = "", tag] = (name ?? "").split("/");
      if (tag !== undefined) {
        notice(repository);
      }
    });
  }

  stop(): void {
    this.#watcher?.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
    const [, repository = "", kind = "", reference = ""] =
      /^\/v2\/([\w-]+)\/(tags|manifests|blobs)\/([\w:.-]+)/.exec(url) ?? [];
    if (url === "/v2/") {
      response.end("{}");
    } else if (kind === "tags" && existsSync(join(this.folder, repository))) {
      response.end(JSON.stringify({ name: repository, tags: readdirSync(join(this.folder, repository)) }));
    } else if (kind === "manifests" && existsSync(join(this.folder, repository, reference))) {
      const manifest = this.#manifest(repository, reference);
      const headers = { "content-type": manifestType, "docker-content-digest": digestOf(manifest) };
      response.writeHead(200, headers).end(manifest);
    } else {
      const blob = this.#blobs.get(reference);
      response.writeHead(blob === undefined ? 404 : 200).end(blob);
    }
  }

  #manifest(repository: string, tag: string): string {
    const created = statSync(join(this.folder, repository, tag)).mtime.toISOString();
    const config = JSON.stringify({ architecture: "amd64", os: "linux", created, config: {} });
    // An image has at least one layer; nothing reads it.
    const layer = `layer of ${repository}`;
    return JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: this.#keep("application/vnd.docker.container.image.v1+json", config),
      layers: [this.#keep("application/vnd.docker.image.rootfs.diff.tar.gzip", layer)],
    });
  }

  /** Serves a blob from now on; returns its descriptor for manifests. */
  #keep(mediaType: string, blob: string): object {
    const digest = digestOf(blob);
    this.#blobs.set(digest, blob);
    return { mediaType, digest, size: Buffer.byteLength(blob) };
  }
}

function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
