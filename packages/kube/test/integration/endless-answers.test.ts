import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, it } from "node:test";
import { kubernetesLimits, systemClock } from "@weir/base";
import { serve, snsCertificate, snsKey, TempFolder, until } from "@weir/testing";
import { tokenFileIdentity } from "../../src/client/identity.ts";
import { readKubeConfig } from "../../src/client/kube-config-source.ts";
import { portForward } from "../../src/client/port-forward.ts";
import { createRestClient } from "../../src/client/rest-client.ts";
import type { ClusterCredentials } from "../../src/rest/credentials.ts";
import { createDiscovery } from "../../src/rest/discovery.ts";
import { listAs } from "../../src/rest/list.ts";
import { listWatch } from "../../src/rest/list-watch.ts";
import { createSchemaSource } from "../../src/rest/openapi.ts";
import type { RestClient } from "../../src/rest/rest.ts";

const never = new AbortController().signal;

type Request = Pick<IncomingMessage | Http2ServerRequest, "method" | "url">;
type Response = ServerResponse | Http2ServerResponse;

/** What is answered, and what follows it without end. */
interface Answer {
  readonly status?: number;
  readonly text: string;
  readonly again?: string;
}

type Handle = (query: URLSearchParams) => Answer;

/** What is under way in the buffers of both sides when the client stops to read, and a little more. */
const underWay = 24 * 2 ** 20;

/** A server, how much of its endless answers was taken, and a client of it. */
class Setup implements AsyncDisposable {
  readonly credentials: ClusterCredentials;
  readonly client: RestClient;
  readonly #world: World;

  private constructor(world: World) {
    this.#world = world;
    this.credentials = {
      server: world.url,
      namespace: "default",
      tls: () => Promise.resolve({ rejectUnauthorized: false }),
      headers: () => Promise.resolve({}),
      renew: () => false,
    };
    this.client = createRestClient({ credentials: this.credentials, userAgent: "weir/test" });
  }

  static async over(protocol: "HTTP/1.1" | "HTTP/2", handle: Handle): Promise<Setup> {
    return new Setup(await (protocol === "HTTP/1.1" ? World.plain(handle) : World.secure(handle)));
  }

  get asked(): readonly string[] {
    return this.#world.asked;
  }

  /** Resolves when no answer goes on; to how many bytes were taken. */
  async givenUp(): Promise<number> {
    await until("the answers to be given up", () => this.#world.open === 0);
    return this.#world.taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.#world.close();
  }
}

/** The server's side. */
class World {
  readonly asked: string[] = [];
  url = "";
  /** Answers that are still going on. */
  open = 0;
  taken = 0;
  close: () => Promise<unknown> = () => Promise.resolve();

  static async plain(handle: Handle): Promise<World> {
    const world = new World();
    const server = await serve((request, response) => world.handle(handle, request, response));
    world.url = server.url;
    world.close = async () => server[Symbol.asyncDispose]();
    return world;
  }

  static async secure(handle: Handle): Promise<World> {
    const world = new World();
    const server = createSecureServer({ key: snsKey, cert: snsCertificate }, (request, response) =>
      world.handle(handle, request, response),
    );
    server.on("sessionError", () => undefined);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    world.url = `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    world.close = () => new Promise((resolve) => server.close(resolve));
    return world;
  }

  handle(handle: Handle, { method, url }: Request, response: Response): void {
    this.asked.push(`${method ?? ""} ${url ?? ""}`);
    const answer = handle(new URL(url ?? "", this.url).searchParams);
    response.statusCode = answer.status ?? 200;
    if (answer.again === undefined) {
      response.end(answer.text);
      return;
    }
    this.open += 1;
    pipeline(this.#pour(answer.text, answer.again), outletOf(response))
      .catch(() => undefined)
      .finally(() => (this.open -= 1));
  }

  *#pour(text: string, again: string): Generator<Buffer, void> {
    const piece = Buffer.from(again.repeat(65_536));
    yield Buffer.from(text);
    for (;;) {
      yield piece;
      this.taken += piece.length;
    }
  }
}

/** Of HTTP/2 the stream itself: what stands before it does not tell that it was closed. */
function outletOf(response: Response): Writable {
  if (response instanceof Http2ServerResponse) {
    response.stream.respond({ ":status": response.statusCode });
    return response.stream;
  }
  return response;
}

const resource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: [],
};
const { signal } = new AbortController();
const request = { method: "GET", path: "/api/v1/configmaps/x" } as const;

for (const protocol of ["HTTP/1.1", "HTTP/2"] as const) {
  describe(`an endless answer over ${protocol} is given up`, () => {
    const endless: Handle = () => ({ text: '{"data":"', again: "x" });

    async function assertGivenUp(setup: Setup, limit: number): Promise<void> {
      const taken = await setup.givenUp();
      assert.ok(taken > limit - underWay && taken < limit + underWay, `${taken} bytes were taken`);
    }

    it("to a request, once and for all", async () => {
      await using setup = await Setup.over(protocol, endless);

      await assert.rejects(setup.client.json(request), {
        name: "LargeAnswerError",
        message: `${setup.credentials.server} responded to GET /api/v1/configmaps/x with a body larger than the limit of 8388608 bytes`,
      });

      await assertGivenUp(setup, kubernetesLimits.answer);
      assert.equal(setup.asked.length, 1);
    });

    it("to discovery", async () => {
      await using setup = await Setup.over(protocol, endless);

      await assert.rejects(createDiscovery(setup.client).all(), { name: "LargeAnswerError" });
    });

    it("as an OpenAPI document", async () => {
      await using setup = await Setup.over(protocol, endless);
      const schemas = createSchemaSource(setup.client);

      await assert.rejects(schemas.schemaFor({ group: "apps", version: "v9", kind: "New" }, never), {
        name: "LargeAnswerError",
      });

      await assertGivenUp(setup, kubernetesLimits.openApi);
    });

    it("that refuses, and the refusal is told", async () => {
      await using setup = await Setup.over(protocol, () => ({ status: 403, text: "no", again: "!" }));

      await assert.rejects(setup.client.json(request), {
        name: "KubeApiError",
        message: /^the server answered with status 403: no!{198}$/,
      });

      await assertGivenUp(setup, kubernetesLimits.refusal);
    });

    it("as a line of a watch, and the kind is listed anew", async () => {
      await using setup = await Setup.over(protocol, (query) =>
        query.has("watch")
          ? { text: '{"type":"', again: "x" }
          : { text: JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] }) },
      );
      const events: string[] = [];

      for await (const event of listWatch({
        client: setup.client,
        clock: systemClock,
        resource,
        namespace: "",
        signal,
      })) {
        events.push(event.kind === "failed" ? event.error.name : event.kind);
        if (events.length === 5) {
          break;
        }
      }

      assert.deepEqual(events, ["listing", "listed", "LargeAnswerError", "listing", "listed"]);
      await assertGivenUp(setup, kubernetesLimits.watchLine);
    });

    it("as a page of a list, which is asked for in halves", async () => {
      await using setup = await Setup.over(protocol, (query) => {
        if (Number(query.get("limit")) > 100) {
          return { text: '{"items":[', again: "0," };
        }
        const isLast = query.get("continue") === "more";
        const metadata = { resourceVersion: "7", ...(isLast ? {} : { continue: "more" }) };
        return { text: JSON.stringify({ metadata, items: [{ metadata: { name: isLast ? "b" : "a" } }] }) };
      });

      const list = await listAs(
        { client: setup.client, resource, namespace: "", signal },
        (object) => object,
      );

      assert.deepEqual(
        list.objects.map(({ metadata }) => metadata.name),
        ["a", "b"],
      );
      assert.deepEqual(
        setup.asked.map((line) => line.split("?")[1]),
        ["limit=200", "limit=100", "limit=100&continue=more"],
      );
    });
  });
}

describe("an endless answer", () => {
  it("that refuses a websocket is given up", async () => {
    await using setup = await Setup.over("HTTP/1.1", () => ({ status: 403, text: "no", again: "!" }));

    await assert.rejects(
      portForward({ credentials: setup.credentials, namespace: "web", pod: "web-0", port: 3030 }),
      { name: "KubeApiError", message: /^the server answered with status 403: no!{198}$/ },
    );

    await setup.givenUp();
  });

  it("of a token file is not read to its end", async () => {
    await assert.rejects(tokenFileIdentity("/dev/zero", systemClock).proof(), {
      name: "KubeConfigError",
      message: "cannot read token file /dev/zero: it is larger than 4194304 bytes",
    });
  });

  it("of a kubeconfig is not read to its end", async () => {
    using folder = new TempFolder();
    const path = join(folder.path, "config");
    writeFileSync(path, "#".repeat(kubernetesLimits.kubeConfig + 1));

    await assert.rejects(readKubeConfig({ kubeconfig: path, env: {} }), {
      name: "KubeConfigError",
      message: `cannot read kubeconfig ${path}: it is larger than 33554432 bytes`,
    });
  });
});
