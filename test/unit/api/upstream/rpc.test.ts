import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonObject, type JsonValue } from "@weir/base";
import { FluxError } from "@weir/flux";
import type { ApiServer, RouteRequest } from "@weir/flux/api";
import { FakeClock, RecordedLog } from "@weir/testing";
import type { CallOptions } from "../../../../src/api/upstream/call.ts";
import { RpcSession } from "../../../../src/api/upstream/rpc.ts";
import { standInApiServer } from "../../../support/api-server-stand-in.ts";
import { RpcStreamStandIn } from "../../../support/rpc-stream-stand-in.ts";

describe("a call of the upstream", () => {
  const results: readonly (readonly [method: string, argument: JsonValue, result: JsonValue])[] = [
    ["Ping", {}, {}],
    ["Version", {}, "1.2.3"],
    ["Export", {}, { Result: "a2luZDogTmFtZXNwYWNlCg==", ApplicationError: null }],
    ["ListServices", "", { Result: null, ApplicationError: null }],
    ["ListImages", "<all>", { Result: null, ApplicationError: null }],
    ["ListImagesWithOptions", { Spec: "a:b/c", Namespace: "" }, { Result: null, ApplicationError: null }],
    ["UpdateManifests", { type: "sync", cause: {}, spec: {} }, { Result: "job-1", ApplicationError: null }],
    ["NotifyChange", { Kind: "git", Source: { URL: "u", Branch: "b" } }, { ApplicationError: null }],
    [
      "JobStatus",
      "job-1",
      { Result: { Result: {}, Err: "", StatusString: "queued" }, ApplicationError: null },
    ],
    ["SyncStatus", "HEAD", { Result: ["c2", "c1"], ApplicationError: null }],
  ];
  for (const [method, argument, result] of results) {
    it(`of ${method} is answered as Flux v1 does`, async () => {
      await using upstream = new Upstream();

      assert.deepEqual(await upstream.ask(method, argument), { result, error: null });
    });
  }

  it("of GitRepoConfig tells of the repository", async () => {
    await using upstream = new Upstream();

    const { result } = await upstream.ask("GitRepoConfig", true);

    assert.ok(isJsonObject(result) && isJsonObject(result["Result"]));
    assert.deepEqual(result["Result"]["remote"], {
      url: "ssh://git@git.test/repo",
      branch: "master",
      path: "a,b",
    });
    assert.deepEqual(upstream.calls, [["gitRepoConfig", true]]);
  });

  it("that fails as errors of the API do has the whole error beside an empty result", async () => {
    const error = new FluxError("missing", "unknown job", "There is no such job.\n");
    const fail = (): Promise<never> => Promise.reject(error);
    await using upstream = new Upstream({
      exportAll: fail,
      listWorkloads: fail,
      listImages: fail,
      updateManifests: fail,
      notifyChange: fail,
      jobStatus: fail,
      syncStatus: fail,
      gitRepoConfig: fail,
    });
    const ApplicationError = { type: "missing", help: "There is no such job.\n", error: "unknown job" };
    const empty: readonly (readonly [method: string, argument: JsonValue, Result: JsonValue])[] = [
      ["Export", {}, null],
      ["ListServices", "", null],
      ["ListImages", "<all>", null],
      ["UpdateManifests", { type: "sync", spec: {} }, ""],
      ["JobStatus", "", { Result: {}, Err: "", StatusString: "" }],
      ["SyncStatus", "", null],
      [
        "GitRepoConfig",
        false,
        {
          remote: { url: "", branch: "", path: "" },
          publicSSHKey: { key: "", fingerprints: null },
          status: "",
          errors: "",
        },
      ],
    ];

    for (const [method, argument, Result] of empty) {
      assert.deepEqual(await upstream.ask(method, argument), {
        result: { Result, ApplicationError },
        error: null,
      });
    }
    const change = { Kind: "git", Source: {} };
    assert.deepEqual(await upstream.ask("NotifyChange", change), {
      result: { ApplicationError },
      error: null,
    });
  });

  it("that fails otherwise has the message, and is logged", async () => {
    await using upstream = new Upstream({
      ping: () => Promise.reject(new FluxError("user", "no cluster", "Help.\n")),
      syncStatus: () => Promise.reject(new Error("no such ref")),
    });

    assert.deepEqual(await upstream.ask("Ping", {}), { result: null, error: "no cluster" });
    assert.deepEqual(await upstream.ask("SyncStatus", "x"), { result: null, error: "no such ref" });
    assert.deepEqual(upstream.log, ["method=Ping error=no cluster", "method=SyncStatus error=no such ref"]);
  });

  it("with an argument that does not decode has the reason, and reaches nobody", async () => {
    await using upstream = new Upstream();

    const { error } = await upstream.ask("UpdateManifests", { type: "nonsense" });
    await upstream.ask("NotifyChange", { Kind: "other" });

    const images = await upstream.ask("ListImages", "nothing");

    assert.equal(images.error, "treating workload spec as ID: parsing nothing: invalid service ID");
    assert.equal(error, "unknown spec type: nonsense");
    assert.deepEqual([upstream.calls, upstream.log], [[], []]);
  });

  it("with an argument as deep as any that is read is refused, and nothing else is disturbed", async () => {
    await using upstream = new Upstream();
    const depth = 9_990;

    upstream.stream.receive(
      `{"method":"RPCServer.UpdateManifests","params":[${"[".repeat(depth)}${"]".repeat(depth)}],"id":"deep"}`,
    );

    assert.deepEqual(await upstream.ask("Ping", {}), { result: {}, error: null });
    assert.match(
      upstream.stream.sent[0] ?? "",
      /^\{"id":"deep","result":null,"error":"the document should be an object/,
    );
  });

  it("of what is not served is refused in Go's words", async () => {
    await using upstream = new Upstream();

    for (const method of ["SyncNotify", "ListServicesWithOptions", "Inspect", "constructor", "__proto__"]) {
      const { error } = await upstream.ask(method, {});
      assert.equal(error, `rpc: can't find method RPCServer.${method}`);
    }
  });

  it("is given up after its time, even where the work does not stop", async () => {
    let given: AbortSignal | undefined;
    await using upstream = new Upstream({
      syncStatus: (_ref, signal) => {
        given = signal;
        return new Promise(() => undefined);
      },
    });
    const answer = upstream.ask("SyncStatus", "x");
    await upstream.clock.sleeping(10_000);

    await upstream.clock.advance(10_000);

    assert.deepEqual(await answer, { result: null, error: "context deadline exceeded" });
    assert.equal(given?.aborted, true);
  });

  it("reaches Weir's own routes where there are any", async () => {
    const asked: RouteRequest[] = [];
    await using upstream = new Upstream({}, (request) => {
      asked.push(request);
      return request.path === "/v12/status"
        ? Promise.resolve({ head: "c1" })
        : Promise.reject(new FluxError("missing", "no such route", "Help.\n"));
    });

    const status = await upstream.ask("Inspect", {
      method: "GET",
      path: "/v12/status",
      query: { brief: "true" },
      body: null,
    });
    const { result } = await upstream.ask("Inspect", {});

    assert.deepEqual(status, { result: { Result: { head: "c1" }, ApplicationError: null }, error: null });
    assert.deepEqual(result, {
      Result: null,
      ApplicationError: { type: "missing", help: "Help.\n", error: "no such route" },
    });
    assert.deepEqual(asked, [
      { method: "GET", path: "/v12/status", query: { brief: "true" }, body: null },
      { method: "GET", path: "", query: {}, body: null },
    ]);
  });

  it("of Weir's own routes may wait for news, but not forever", async () => {
    await using upstream = new Upstream({}, () => new Promise(() => undefined));
    const answer = upstream.ask("Inspect", { path: "/v12/tree" });
    await upstream.clock.sleeping(120_000);

    await upstream.clock.advance(120_000);

    assert.deepEqual(await answer, { result: null, error: "context deadline exceeded" });
  });

  it("may take longer where it plans a release", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await using upstream = new Upstream({ updateManifests: () => promise });
    const spec = { ServiceSpecs: ["<all>"], ImageSpec: "<all latest>", Kind: "plan" };
    const answer = upstream.ask("UpdateManifests", { type: "image", cause: {}, spec });

    await upstream.clock.advance(60_000);
    resolve("job-9");

    assert.deepEqual(await answer, { result: { Result: "job-9", ApplicationError: null }, error: null });
  });

  it("is answered when it is done, whatever was asked before it", async () => {
    const first = Promise.withResolvers<readonly string[]>();
    await using upstream = new Upstream({
      syncStatus: (ref) => (ref === "first" ? first.promise : Promise.resolve([ref])),
    });

    const slow = upstream.ask("SyncStatus", "first");
    const quick = await upstream.ask("SyncStatus", "second");
    first.resolve(["first"]);

    assert.deepEqual(quick.result, { Result: ["second"], ApplicationError: null });
    assert.deepEqual((await slow).result, { Result: ["first"], ApplicationError: null });
  });

  it("waits, and its sender with it, where a hundred are at work", async () => {
    const gate = Promise.withResolvers<readonly string[]>();
    await using upstream = new Upstream({ syncStatus: () => gate.promise });

    const answers = Array.from({ length: 150 }, () => upstream.ask("SyncStatus", "x"));
    assert.deepEqual([upstream.stream.paused, upstream.begun("syncStatus")], [true, 100]);
    gate.resolve([]);
    await Promise.all(answers);

    assert.deepEqual([upstream.stream.paused, upstream.begun("syncStatus")], [false, 150]);
  });

  it("is not begun, or is given up, when the connection ends", async () => {
    const signals: AbortSignal[] = [];
    const upstream = new Upstream({
      syncStatus: (_ref, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    for (let index = 0; index < 150; index += 1) {
      void upstream.ask("SyncStatus", "x");
    }

    upstream.stream.resume();
    await upstream[Symbol.asyncDispose]();

    assert.equal(upstream.stream.paused, false, "so that a goodbye can be answered");
    assert.deepEqual([signals.length, signals.every(({ aborted }) => aborted)], [100, true]);
  });
});

describe("what is no request", () => {
  it("ends the connection with a reason, after what was asked before is answered", async () => {
    const gate = Promise.withResolvers<readonly string[]>();
    await using upstream = new Upstream({ syncStatus: () => gate.promise });
    const answer = upstream.ask("SyncStatus", "x");

    upstream.stream.receive("{broken}");
    upstream.stream.receive('{"method":"RPCServer.Ping","params":[{}],"id":99}');
    gate.resolve([]);
    await answer;
    await upstream.stream.closed;

    assert.equal(upstream.stream.failure?.code, 1007);
    assert.match(upstream.stream.failure.error.message, /a message is not JSON/);
    assert.equal(upstream.stream.sent.length, 1);
  });

  it("ends the connection where it does not end itself", async () => {
    await using upstream = new Upstream();

    const chunk = Buffer.alloc(1024 * 1024, " ");
    upstream.stream.receive('{"method":"');
    for (let sent = 0; sent < 9 && upstream.stream.failure === undefined; sent += 1) {
      upstream.stream.receive(chunk);
      await upstream.session.idle();
    }

    assert.equal(upstream.stream.failure?.code, 1009);
  });
});

/** The other side of a connection that is served. */
class Upstream implements AsyncDisposable {
  readonly stream = new RpcStreamStandIn();
  readonly clock = new FakeClock();
  readonly log: readonly string[];
  readonly calls: ReturnType<typeof standInApiServer>["calls"];
  readonly session: RpcSession;
  readonly #served: Promise<void>;
  readonly #begun: string[] = [];
  #asked = 0;

  constructor(answers: Partial<ApiServer> = {}, inspect?: CallOptions["inspect"]) {
    const { api, calls } = standInApiServer(this.#counted(answers));
    const logger = new RecordedLog();
    this.calls = calls;
    this.log = logger.lines;
    const options = { api, rpcTimeout: 10_000, logger, clock: this.clock, ...(inspect && { inspect }) };
    this.session = new RpcSession(this.stream, options);
    this.#served = this.session.run();
  }

  /** Calls a method and resolves to its answer without the ID. */
  async ask(method: string, argument: JsonValue): Promise<{ result: unknown; error: unknown }> {
    this.#asked += 1;
    const id = this.#asked;
    const answer = this.stream.answer((text) => (JSON.parse(text) as { id: number }).id === id);
    this.stream.receive(JSON.stringify({ method: `RPCServer.${method}`, params: [argument], id }));
    const { result, error } = JSON.parse(await answer) as {
      readonly result: unknown;
      readonly error: unknown;
    };
    return { result, error };
  }

  /** How often a method of the API that the test replaced was called. */
  begun(method: keyof ApiServer): number {
    return this.#begun.filter((each) => each === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stream.end();
    await this.#served;
  }

  #counted(answers: Partial<ApiServer>): Partial<ApiServer> {
    const { syncStatus } = answers;
    return syncStatus === undefined
      ? answers
      : {
          ...answers,
          syncStatus: (...given) => {
            this.#begun.push("syncStatus");
            return syncStatus(...given);
          },
        };
  }
}
