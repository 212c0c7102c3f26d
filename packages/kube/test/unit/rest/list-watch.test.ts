import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { FakeClock, ScriptedClient, silence, until } from "@weir/testing";
import type { ApiResource } from "../../../src/api-resource.ts";
import { KubeApiError } from "../../../src/api-status.ts";
import { LargeAnswerError } from "../../../src/rest/body.ts";
import { type ListWatchOptions, listWatch } from "../../../src/rest/list-watch.ts";
import type { ListWatchEvent } from "../../../src/rest/list-watch-event.ts";
import type { RestRequest } from "../../../src/rest/rest.ts";
import { ConnectionError } from "../../../src/rest/transport.ts";

const resource: ApiResource = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
  verbs: ["list", "watch"],
};
const path = "/apis/apps/v1/deployments";
const expired = new KubeApiError({ code: 410, reason: "Expired", message: "too old" });
const lost = new ConnectionError({ server: "https://scripted", sent: true, reason: "reset" });

function item(name: string, resourceVersion: string): object {
  return { metadata: { name, namespace: "ns", resourceVersion, managedFields: [{ manager: "kubectl" }] } };
}

function page(resourceVersion: string, names: readonly string[], next?: string): () => object {
  return () => ({
    kind: "DeploymentList",
    metadata: { resourceVersion, ...(next === undefined ? {} : { continue: next }) },
    items: names.map((name) => item(name, resourceVersion)),
  });
}

function line(type: string, object: object): string {
  return JSON.stringify({ type, object });
}

/** A watch with these lines; then it fails, or ends where there is nothing to throw, or goes on in silence. */
function watch(lines: readonly string[], end: Error | "ends" | "goes on") {
  return async function* (request: RestRequest): AsyncGenerator<string, void, undefined> {
    yield* lines;
    if (end instanceof Error) {
      throw end;
    }
    if (end === "goes on") {
      yield* silence(request);
    }
  };
}

/** A list-watch over a script, step by step, with the texts of what it tells. */
class Run {
  readonly clock = new FakeClock();
  readonly client: ScriptedClient;
  readonly #stopping = new AbortController();
  readonly #events: AsyncGenerator<ListWatchEvent, void, undefined>;

  constructor(script: ConstructorParameters<typeof ScriptedClient>[0], more: Partial<ListWatchOptions> = {}) {
    this.client = new ScriptedClient(script);
    const { client, clock } = this;
    const { signal } = this.#stopping;
    // As if chance always chose the same: no jitter, and watches of 300 seconds.
    this.#events = listWatch({ client, clock, resource, namespace: "", signal, random: () => 0, ...more });
  }

  /** The next events; waits between them are over at once. */
  async take(count: number): Promise<readonly string[]> {
    const texts: string[] = [];
    while (texts.length < count) {
      const next = this.#events.next();
      const wait = this.#wait;
      if (wait > 0) {
        await this.clock.sleeping(wait);
        await this.clock.advance(wait);
      }
      const { value } = await next;
      assert.ok(value !== undefined);
      this.#wait = value.kind === "failed" ? value.waitMs : 0;
      texts.push(print(value));
    }
    return texts;
  }
  #wait = 0;

  /** Resolves when the iteration has ended. */
  async stop(): Promise<IteratorResult<ListWatchEvent, void>> {
    const next = this.#events.next();
    this.#stopping.abort(new Error("stopped"));
    return next;
  }
}

function print(event: ListWatchEvent): string {
  switch (event.kind) {
    case "listing":
      return "listing";
    case "listed":
      return `listed ${event.objects.map(({ metadata }) => metadata.name).join(" ")}`.trim();
    case "changed":
    case "deleted":
      return `${event.kind} ${event.object.metadata.name ?? ""}@${event.object.metadata.resourceVersion ?? ""}`;
    case "failed":
      return `failed: ${event.error.message}; ${event.waitMs}`;
  }
}

const firstWatch = `watch ${path}?watch=1&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300`;

describe("listWatch", () => {
  it("lists page by page, then watches from the version of the list", async () => {
    const run = new Run({
      lists: [page("5", ["a", "b"], "more"), page("5", ["c"])],
      watches: [watch([line("MODIFIED", item("a", "6")), line("DELETED", item("b", "7"))], "goes on")],
    });

    assert.deepEqual(await run.take(4), ["listing", "listed a b c", "changed a@6", "deleted b@7"]);
    assert.deepEqual(run.client.asked, [
      `get ${path}?limit=200`,
      `get ${path}?limit=200&continue=more`,
      firstWatch,
    ]);
  });

  it("gives objects their kind, and leaves out managedFields", async () => {
    const client = new ScriptedClient({ lists: [page("5", ["a"])] });
    const signal = AbortSignal.any([]);
    const events = listWatch({ client, clock: new FakeClock(), resource, namespace: "", signal });

    await events.next();
    const { value } = await events.next();

    assert.deepEqual(value, {
      kind: "listed",
      resourceVersion: "5",
      objects: [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "a", namespace: "ns", resourceVersion: "5" },
        },
      ],
    });
    await events.return();
  });

  it("asks for one namespace, by label, and only for metadata", async () => {
    const accepts: (string | undefined)[] = [];
    const run = new Run(
      {
        lists: [
          ({ accept }) => {
            accepts.push(accept);
            return page("5", [])();
          },
        ],
        watches: [
          ({ accept, signal }) => {
            accepts.push(accept);
            return silence({ method: "GET", path, ...(signal === undefined ? {} : { signal }) });
          },
        ],
      },
      { namespace: "team", labelSelector: "a=b", metadataOnly: true },
    );
    await run.take(2);
    await run.stop();

    const namespaced = "/apis/apps/v1/namespaces/team/deployments";
    assert.deepEqual(run.client.asked, [
      `get ${namespaced}?limit=200&labelSelector=a%3Db`,
      `watch ${namespaced}?watch=1&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300&labelSelector=a%3Db`,
    ]);
    assert.deepEqual(accepts, [
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
    ]);
  });

  it("goes on from the last version where the connection breaks, bookmarks included", async () => {
    const bookmark = line("BOOKMARK", { metadata: { resourceVersion: "opaque-9" } });
    const run = new Run({
      lists: [page("5", ["a"])],
      watches: [
        watch([line("ADDED", item("b", "6")), bookmark], lost),
        watch([line("ADDED", item("c", "10"))], "goes on"),
      ],
    });

    const told = await run.take(5);

    assert.deepEqual(told, [
      "listing",
      "listed a",
      "changed b@6",
      "failed: lost the connection to https://scripted: reset; 200",
      "changed c@10",
    ]);
    assert.match(run.client.asked.at(-1) ?? "", /resourceVersion=opaque-9&/);
  });

  it("goes on without a word where the server ends a watch in time", async () => {
    const run: Run = new Run({
      lists: [page("5", ["a"])],
      watches: [
        async function* () {
          await run.clock.advance(300_000);
          yield* [];
        },
        watch([line("ADDED", item("b", "6"))], "goes on"),
      ],
    });

    assert.deepEqual(await run.take(3), ["listing", "listed a", "changed b@6"]);
    assert.deepEqual(run.client.asked.slice(1), [firstWatch, firstWatch]);
  });

  it("does not storm a server that ends each watch at once", async () => {
    const run = new Run({
      lists: [page("5", [])],
      watches: [watch([], "ends"), watch([], "ends"), watch([], "goes on")],
    });

    assert.deepEqual(await run.take(4), [
      "listing",
      "listed",
      "failed: the watch of deployments ended as soon as it began; 200",
      "failed: the watch of deployments ended as soon as it began; 400",
    ]);
  });

  it("lists anew where the server has forgotten the version, by an answer or by an event", async () => {
    const gone = line("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
    const run = new Run({
      lists: [page("5", ["a"]), page("20", ["b"]), page("30", ["c"])],
      watches: [watch([], expired), watch([gone], "goes on"), watch([], "goes on")],
    });

    assert.deepEqual(await run.take(8), [
      "listing",
      "listed a",
      "failed: too old; 200",
      "listing",
      "listed b",
      "failed: too old; 400",
      "listing",
      "listed c",
    ]);
  });

  it("asks for the next page of a list when it's told to, and knows how large each was", async () => {
    const sizes: number[] = [];
    const pages = [page("5", ["a"], "more"), page("5", ["b"], "more"), page("5", ["c"])];
    const sized = pages.map((answer, index) => ({ onSize }: RestRequest) => {
      onSize?.(index + 1);
      return answer();
    });
    const turn = Promise.withResolvers<undefined>();
    const afterPage = async (bytes: number): Promise<void> => {
      sizes.push(bytes);
      await (bytes === 2 ? turn.promise : undefined);
    };
    const run = new Run({ lists: sized }, { afterPage });

    const listed = run.take(2);
    await until("the second page", () => sizes.length === 2);
    await setImmediate();
    assert.equal(run.client.asked.length, 2);
    turn.resolve(undefined);

    assert.deepEqual(await listed, ["listing", "listed a b c"]);
    assert.deepEqual(sizes, [1, 2]);
  });

  it("ends with the signal while a list waits for its next page", async () => {
    const run = new Run(
      { lists: [page("5", ["a"], "more")] },
      { afterPage: () => new Promise(() => undefined) },
    );

    assert.deepEqual(await run.take(1), ["listing"]);
    assert.deepEqual(await run.stop(), { done: true, value: undefined });
  });

  it("lists all at once where the pages are forgotten while they are read", async () => {
    const run = new Run({
      lists: [
        page("5", ["a"], "more"),
        () => {
          throw expired;
        },
        page("9", ["a", "b"]),
      ],
    });

    assert.deepEqual(await run.take(2), ["listing", "listed a b"]);
    assert.deepEqual(run.client.asked, [
      `get ${path}?limit=200`,
      `get ${path}?limit=200&continue=more`,
      `get ${path}`,
    ]);
  });

  for (const [what, bad] of [
    ["half a line", line("ADDED", item("b", "6")).slice(0, 40)],
    ["an event of an unknown type", line("RENAMED", item("b", "6"))],
    ["an object without a version", line("ADDED", { metadata: { name: "b" } })],
    ["no object", JSON.stringify({ type: "ADDED" })],
  ] as const) {
    it(`lists anew after ${what}, for something may be missing now`, async () => {
      const run = new Run({
        lists: [page("5", ["a"]), page("7", ["a", "b"])],
        watches: [watch([bad], "goes on"), watch([], "goes on")],
      });

      assert.deepEqual(await run.take(5), [
        "listing",
        "listed a",
        "failed: the watch of deployments sent an invalid event; 200",
        "listing",
        "listed a b",
      ]);
    });
  }

  it("lists anew where a line of a watch is too long to be read", async () => {
    const long = new LargeAnswerError({
      server: "https://scripted",
      request: `GET ${path}`,
      what: "a line",
      most: 1,
    });
    const run = new Run({
      lists: [page("5", ["a"]), page("9", ["b"])],
      watches: [watch([line("MODIFIED", item("a", "6"))], long)],
    });

    assert.deepEqual(await run.take(6), [
      "listing",
      "listed a",
      "changed a@6",
      `failed: ${long.message}; 200`,
      "listing",
      "listed b",
    ]);
  });

  it("gives up a list without an end", async () => {
    const names = Array.from({ length: 100_001 }, () => "a");
    const run = new Run({ lists: [page("5", names, "more")] });

    assert.deepEqual(await run.take(2), [
      "listing",
      "failed: the list of deployments has more than 1000000 objects, which is the limit; 200",
    ]);
    assert.equal(run.client.asked.length, 10);
  });

  it("keeps its place over server errors, but not for ever", async () => {
    const failing = new KubeApiError({ code: 504, reason: "Timeout", message: "Too large resource version" });
    const run = new Run({
      lists: [page("5", ["a"]), page("2", ["b"])],
      watches: [1, 2, 3, 4].map(() => watch([], failing)),
    });

    const told = await run.take(8);

    assert.deepEqual(told.slice(5), ["failed: Too large resource version; 1600", "listing", "listed b"]);
    assert.deepEqual(run.client.asked.slice(1, 5), [firstWatch, firstWatch, firstWatch, firstWatch]);
  });

  it("waits ever longer while a list fails, up to half a minute", async () => {
    const run = new Run({
      lists: [
        () => {
          throw lost;
        },
      ],
    });

    const told = await run.take(20);

    const waits = told.filter((text) => text !== "listing").map((text) => Number(text.split("; ")[1]));
    assert.deepEqual(waits, [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  });

  it("asks rarely for what it may not see", async () => {
    const run = new Run({
      lists: [
        () => {
          throw new KubeApiError({ code: 403, reason: "Forbidden", message: "no" });
        },
      ],
    });

    assert.deepEqual(await run.take(4), ["listing", "failed: no; 30000", "listing", "failed: no; 60000"]);
  });

  it("gives up a watch that outlives its time without a word", async () => {
    const run = new Run({ lists: [page("5", [])], watches: [watch([], "goes on"), watch([], "goes on")] });
    await run.take(2);

    const next = run.take(1);
    await run.clock.sleeping(330_000);
    await run.clock.advance(330_000);

    assert.deepEqual(await next, ["failed: no complete response within 330 s; 200"]);
  });

  it("ends with the signal, wherever it is", async () => {
    const watching = new Run({ lists: [page("5", [])] });
    await watching.take(2);
    const waiting = new Run({
      lists: [
        () => {
          throw lost;
        },
      ],
    });
    await waiting.take(2);

    const ends = await Promise.all([watching.stop(), waiting.stop()]);

    assert.deepEqual(ends, [
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });
});
