import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, type HttpServer, serve } from "@weir/testing";

interface Stored {
  readonly body: string;
  readonly type: string;
}

/** A registry that keeps what is pushed to it in this process: for tests that aren't about registries. */
export class MemoryRegistry implements AsyncDisposable {
  readonly #server: HttpServer;

  private constructor(server: HttpServer) {
    this.#server = server;
  }

  static async start(): Promise<MemoryRegistry> {
    /** By path. */
    const stored = new Map<string, Stored>();
    return new MemoryRegistry(await serve((request, response) => void handle(stored, request, response)));
  }

  /** "127.0.0.1:port". */
  get host(): string {
    return new URL(this.url).host;
  }

  get url(): string {
    return this.#server.url;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

async function handle(
  stored: Map<string, Stored>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://registry.test");
  const [, repository = "", kind = "", name = ""] =
    /^\/v2\/(.+)\/(tags|manifests|blobs)\/(.+)$/.exec(pathname) ?? [];
  if (request.method === "POST") {
    response.writeHead(202, { location: `/v2/${repository}/blobs/uploads/${randomUUID()}` }).end();
  } else if (request.method === "PUT") {
    let body = "";
    for await (const chunk of request) {
      body += String(chunk);
    }
    const digest = `sha256:${createHash("sha256").update(body).digest("hex")}`;
    const written = { body, type: request.headers["content-type"] ?? "" };
    const names = kind === "blobs" ? [searchParams.get("digest") ?? digest] : [name, digest];
    names.forEach((each) => stored.set(`/v2/${repository}/${kind}/${each}`, written));
    response.writeHead(201).end();
  } else if (pathname === "/v2/") {
    answer(response, { status: 200, body: {} });
  } else if (kind === "tags") {
    answer(response, { status: 200, body: { name: repository, tags: tagsOf(stored, repository) } });
  } else {
    send(stored.get(pathname), response);
  }
}

function tagsOf(stored: ReadonlyMap<string, Stored>, repository: string): readonly string[] {
  const prefix = `/v2/${repository}/manifests/`;
  const names = [...stored.keys()]
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length));
  return names.filter((name) => !name.startsWith("sha256:")).toSorted();
}

function send(found: Stored | undefined, response: ServerResponse): void {
  if (found === undefined) {
    answer(response, { status: 404, body: { errors: [{ code: "MANIFEST_UNKNOWN", message: "unknown" }] } });
    return;
  }
  const digest = `sha256:${createHash("sha256").update(found.body).digest("hex")}`;
  response
    .writeHead(200, {
      "content-type": found.type,
      "content-length": Buffer.byteLength(found.body),
      "docker-content-digest": digest,
    })
    .end(found.body);
}
