import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { FluxError, parseResourceId, type UpdateSpec } from "@weir/flux";
import { FatalError, RemoteError } from "../../src/errors.ts";
import { type ProtocolVersion, protocolOf, protocolVersions } from "../../src/protocol.ts";
import { type RemoteDaemon, remoteDaemon } from "../../src/remote-daemon.ts";

const { signal } = new AbortController();
const cause = { user: "", message: "" };
const deployment = parseResourceId("ns:deployment/a");
const service = parseResourceId("ns/a");

describe("a daemon of any version", () => {
  for (const version of protocolVersions) {
    it(`(${version}) is asked by the same methods, and answers in the form of its version`, async () => {
      const wrap = (Result: JsonValue): JsonValue =>
        version === 6 ? Result : { Result, ApplicationError: null };
      const { api, asked } = daemon(version, {
        Ping: {},
        Version: "1.2.3",
        Export: wrap("YTogMQo="),
        SyncStatus: wrap(["b", "a"]),
        UpdateManifests: wrap("job-1"),
        JobStatus: wrap({ StatusString: "running", Err: "", Result: {} }),
        GitRepoConfig: wrap({ remote: { url: "u", branch: "b", path: "" }, status: "ready" }),
      });

      await api.ping(signal);
      assert.equal(await api.version(signal), "1.2.3");
      assert.equal(await api.exportAll(signal), "a: 1\n");
      assert.deepEqual(await api.syncStatus("HEAD", signal), ["b", "a"]);
      assert.equal(await api.updateManifests({ type: "sync", cause }, signal), "job-1");
      assert.equal((await api.jobStatus("job-1", signal)).state, "running");
      assert.equal((await api.gitRepoConfig(true, signal)).branch, "b");
      assert.deepEqual(asked, [
        ["Ping", {}],
        ["Version", {}],
        ["Export", {}],
        ["SyncStatus", "HEAD"],
        ["UpdateManifests", { type: "sync", cause: { Message: "", User: "" }, spec: {} }],
        ["JobStatus", "job-1"],
        ["GitRepoConfig", true],
      ]);
    });

    it(`(${version}) is told of a change in git`, async () => {
      const { api, asked } = daemon(version, { NotifyChange: { ApplicationError: null }, SyncNotify: {} });

      await api.notifyChange({ kind: "git", url: "u", branch: "b" }, signal);

      assert.deepEqual(asked, [
        version < 9
          ? ["SyncNotify", {}]
          : ["NotifyChange", { Kind: "git", Source: { URL: "u", Branch: "b" } }],
      ]);
    });

    it(`(${version}) passes its errors on`, async () => {
      const help = "Help.\n";
      const { api } = daemon(version, {
        Export: { Result: null, ApplicationError: { type: "missing", help, error: "gone" } },
        SyncStatus: new RemoteError("no such ref"),
        Ping: new RemoteError("no cluster"),
      });

      const text = await failure(api.syncStatus("x", signal));
      assert.equal(text.message, "no such ref");
      assert.equal(text instanceof FluxError && text.advice.startsWith("Error from daemon\n"), version === 6);
      assert.deepEqual(await failure(api.ping(signal)), new RemoteError("no cluster"));
      if (version > 6) {
        assert.deepEqual(await failure(api.exportAll(signal)), new FluxError("missing", "gone", help));
      }
    });
  }

  it("that is too old to tell its version has one that is not known", async () => {
    const { api } = daemon(6, { Version: new RemoteError("rpc: can't find method RPCServer.Version") });

    assert.equal(await api.version(signal), "unknown");
  });

  it("cannot be told of an image before version 9", async () => {
    const { api, asked } = daemon(8, {});

    const error = await failure(
      api.notifyChange({ kind: "image", name: { domain: "", image: "a/b" } }, signal),
    );

    assert.ok(error instanceof FluxError && error.advice.startsWith("Your Flux daemon needs to be upgraded"));
    assert.equal(error.message, "NotifyChange method not implemented");
    assert.deepEqual(asked, []);
  });

  it("whose error says nothing has failed all the same", async () => {
    const { api } = daemon(11, { SyncStatus: { Result: [], ApplicationError: { type: "user" } } });

    assert.equal((await failure(api.syncStatus("x", signal))).message, "unspecified error");
  });

  it("whose answer cannot be read is as bad as gone", async () => {
    const { api } = daemon(11, { SyncStatus: { Result: "no list" }, Version: 7 });

    assert.ok((await failure(api.syncStatus("x", signal))) instanceof FatalError);
    assert.ok((await failure(api.version(signal))) instanceof FatalError);
  });
});

describe("the workloads of a daemon", () => {
  const listed = { Result: [{ ID: "ns:deployment/a" }, { ID: "ns:deployment/b" }], ApplicationError: null };

  it("are chosen by us where the daemon cannot", async () => {
    for (const version of [8, 10, 11] as const) {
      const missing = new RemoteError("rpc: can't find method RPCServer.ListServicesWithOptions");
      const { api, asked } = daemon(version, { ListServices: listed, ListServicesWithOptions: missing });

      const workloads = await api.listWorkloads({ namespace: "", workloads: [deployment] }, signal);

      assert.deepEqual(
        workloads.map(({ id }) => id),
        ["ns:deployment/a"],
      );
      assert.deepEqual(asked.at(-1), ["ListServices", ""]);
    }
  });

  it("are chosen by the daemon where it can", async () => {
    const { api, asked } = daemon(11, { ListServicesWithOptions: listed });

    await api.listWorkloads({ namespace: "", workloads: [deployment] }, signal);

    assert.deepEqual(asked, [["ListServicesWithOptions", { Namespace: "", Services: ["ns:deployment/a"] }]]);
  });

  it("cannot be chosen by namespace and by name", async () => {
    const { api } = daemon(10, {});

    const error = await failure(api.listWorkloads({ namespace: "ns", workloads: [deployment] }, signal));

    assert.equal(error.message, "cannot filter by 'namespace' and 'services' at the same time");
  });

  it("count what old daemons say in words", async () => {
    const { api } = daemon(7, {
      ListServices: {
        Result: [
          { ID: "ns/a", Status: "1 out of 3 updated" },
          { ID: "ns/b", Status: "ready" },
        ],
      },
    });

    const [updating, ready] = await api.listWorkloads({ namespace: "ns", workloads: [] }, signal);

    assert.equal(updating?.status, "updating");
    assert.deepEqual(updating.rollout, {
      desired: 3,
      updated: 1,
      ready: 1,
      available: 1,
      outdated: 0,
      messages: null,
    });
    assert.equal(ready?.status, "ready");
  });
});

describe("the images of a daemon", () => {
  const options = { workload: "<all>", namespace: "ns", fields: ["Name", "FilteredImagesCount"] } as const;
  const image = (tag: string): JsonValue => ({
    ID: `app:${tag}`,
    Labels: {},
    CreatedAt: `2020-01-0${tag}T00:00:00Z`,
  });
  const containers = [{ Name: "c", Current: image("1"), Available: [image("2"), image("1")] }];

  it("are asked for with all options since version 10", async () => {
    const { api, asked } = daemon(10, { ListImagesWithOptions: { Result: null, ApplicationError: null } });

    assert.deepEqual(await api.listImages(options, signal), []);
    assert.deepEqual(asked, [
      [
        "ListImagesWithOptions",
        { Spec: "<all>", OverrideContainerFields: ["Name", "FilteredImagesCount"], Namespace: "ns" },
      ],
    ]);
  });

  it("are filtered, counted and cut down by us before", async () => {
    const { api, asked } = daemon(9, {
      ListImages: {
        Result: [
          { ID: "ns:deployment/a", Containers: containers },
          { ID: "other:deployment/a", Containers: containers },
        ],
      },
      ListServices: { Result: [{ ID: "ns:deployment/a", Policies: { "tag.c": "glob:2" } }] },
    });

    const [listed, ...rest] = await api.listImages(options, signal);

    assert.deepEqual(asked, [
      ["ListImages", "<all>"],
      ["ListServices", "ns"],
    ]);
    const [container] = listed?.containers ?? [];
    assert.deepEqual([container?.name, container?.filteredCount, container?.availableCount], ["c", 1, 0]);
    assert.deepEqual(rest, []);
  });

  it("are not asked for of a kind that the daemon does not know", async () => {
    const { api, asked } = daemon(7, {});

    const error = await failure(api.listImages({ ...options, workload: deployment }, signal));

    assert.ok(error instanceof FluxError && error.advice.startsWith("Your Flux daemon needs to be upgraded"));
    assert.deepEqual(asked, []);
  });
});

describe("a kind of workload that a daemon does not know", () => {
  const policy = (id: typeof deployment): UpdateSpec => ({
    type: "policy",
    cause,
    spec: new Map([[id, { add: { locked: "true" }, remove: {} }]]),
  });
  const release = (
    workloads: readonly (typeof deployment)[],
    excludes: readonly (typeof deployment)[],
  ): UpdateSpec => ({
    type: "image",
    cause,
    spec: {
      workloads: ["<all>", ...workloads],
      image: "<all latest>",
      kind: "execute",
      excludes,
      force: false,
    },
  });
  for (const [version, spec, begin] of [
    [6, policy(deployment), "Your Flux daemon needs to be upgraded"],
    [7, release([deployment], []), "Your Flux daemon needs to be upgraded"],
    [8, policy(service), "Unsupported resource kind: service"],
    [11, release([], [service]), "Unsupported resource kind: service"],
  ] as const) {
    it(`is not asked for (${version}, ${spec.type})`, async () => {
      const { api, asked } = daemon(version, {});

      const error = await failure(api.updateManifests(spec, signal));

      assert.match(error.message, /^Unsupported resource kind: (service|deployment)$/);
      assert.ok(error instanceof FluxError && error.advice.startsWith(begin));
      assert.deepEqual(asked, []);
    });
  }

  it("is not listed", async () => {
    const { api } = daemon(11, {});

    const error = await failure(api.listWorkloads({ namespace: "", workloads: [service] }, signal));

    assert.equal(error.message, "Unsupported resource kind: service");
  });
});

/** A daemon that gives these answers, and what it was asked. */
function daemon(
  version: ProtocolVersion,
  answers: Readonly<Record<string, JsonValue | RemoteError>>,
): { api: RemoteDaemon; asked: (readonly [method: string, argument: JsonValue])[] } {
  const asked: (readonly [method: string, argument: JsonValue])[] = [];
  const api = remoteDaemon((method, argument) => {
    asked.push([method, argument]);
    const answer = answers[method] ?? new RemoteError(`rpc: can't find method RPCServer.${method}`);
    return answer instanceof RemoteError ? Promise.reject(answer) : Promise.resolve(answer);
  }, protocolOf(version));
  return { api, asked };
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  throw new Error("nothing failed");
}
