import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { silentLogger, systemClock } from "@weir/base";
import { keepIdleConnections } from "@weir/testing";
import express from "express";
import type { Actor } from "../../src/access/actor.ts";
import type { AuditedCall, AuditRecord } from "../../src/access/auditor.ts";
import { type OperationName, routes } from "../../src/contract/routes.ts";
import type { Call, Handlers } from "../../src/operations/call.ts";
import { Problem } from "../../src/problem/problem.ts";
import { consoleApp } from "../../src/rest/app.ts";
import { openApi } from "../../src/rest/openapi.ts";
import { servePage } from "../../src/rest/page.ts";
import type { LiveChange } from "../../src/rest/stream.ts";
import { RecordedAudit } from "../support/recorded-audit.ts";

const operator: Actor = {
  kind: "user",
  userId: "u1",
  credentialId: "s1",
  name: "olga",
  grants: [{ role: "operator", instanceId: "a", namespace: null }],
};

describe("the REST API and the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-page-"));
  const calls: {
    readonly name: string;
    readonly call: Call<OperationName>;
    readonly begun: readonly AuditedCall[];
  }[] = [];
  const audit = new RecordedAudit();
  const listeners = new Set<(change: LiveChange) => void>();
  const stop = new AbortController();
  const handle = (name: OperationName, call: Call<OperationName>): Promise<unknown> => {
    calls.push({ name, call, begun: [...audit.begun] });
    if (name === "createJob") {
      call.audit({ namespace: "shop" });
      call.audit({ subject: "shop:deployment/cart", detail: { kind: "release" } });
    }
    if (name === "about") {
      return Promise.reject(new Error("a secret of the database"));
    }
    if (name === "drift") {
      return Promise.reject(new Problem("too-many", "Too many.", { advice: "Wait.", retryAfter: 1.5 }));
    }
    return Promise.resolve(routes[name].method === "DELETE" ? undefined : { name });
  };
  const unwritable = new Problem("unavailable", "The audit log can't be written.", { advice: "Wait." });
  let isAuditWritable = true;
  let end = (): void => undefined;
  let server: Server;
  let url: string;

  before(async () => {
    const page = "<!doctype html><title>Weir</title>".repeat(10);
    writeFileSync(join(folder, "index.html"), page);
    writeFileSync(join(folder, "index.html.br"), brotliCompressSync(page));
    writeFileSync(join(folder, "index.html.gz"), gzipSync(page));
    writeFileSync(join(folder, "app-Abc12345.js"), "export {};");
    const handlers = new Proxy({} as Handlers, {
      get: (_target, name: OperationName) => (call: Call<OperationName>) => handle(name, call),
    });
    const app = consoleApp({
      handlers,
      gate: {
        identify: ({ headers }) =>
          Promise.resolve(headers.authorization === "Bearer olga" ? operator : undefined),
        origin: () => ({ address: "192.0.2.1", userAgent: "test" }),
        setSession: () => undefined,
      },
      auditor: {
        begin: (call) => (isAuditWritable ? audit.begin(call) : Promise.reject(unwritable)),
        record: (record) => audit.record(record),
      },
      streams: {
        clock: systemClock,
        subscribe: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        ended: (_actor, signal) =>
          new Promise((resolve) => {
            end = resolve;
            signal.addEventListener("abort", () => resolve());
          }),
      },
      openApi: openApi("1.2.3"),
      page: servePage(folder),
      isOverTls: false,
      logger: silentLogger,
      stop: stop.signal,
    });
    const outer = express();
    outer.use(app, (_request, response) => void response.sendStatus(418));
    server = createServer(outer);
    keepIdleConnections(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(async () => {
    stop.abort();
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    rmSync(folder, { recursive: true });
  });

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { ...init, headers: withToken(init.headers) });

  it("gives a handler what was asked, checked and complete", async () => {
    const response = await ask(
      "/api/console/v1/workloads?instance=a&kind=deployment&kind=job&limit=10&newImages=true",
    );
    assert.deepEqual(await response.json(), { name: "workloads" });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const { call } = calls.at(-1) ?? assert.fail();
    assert.deepEqual(call.query, {
      instance: ["a"],
      kind: ["deployment", "job"],
      limit: 10,
      newImages: "true",
      sort: "id",
    });
    assert.equal(call.actor.name, "olga");
  });

  it("reads IDs from paths, and answers without content where there's none", async () => {
    await ask(`/api/console/v1/instances/a/workloads/${encodeURIComponent("x:deployment/y")}/why`);
    assert.deepEqual(calls.at(-1)?.call.path, { instance: "a", workload: "x:deployment/y" });
    assert.equal((await ask("/api/console/v1/session", { method: "DELETE" })).status, 204);
  });

  const refused: readonly (readonly [string, string, RequestInit, number, string])[] = [
    [
      "nobody who isn't logged in",
      "/workloads",
      { headers: { authorization: "" } },
      401,
      "session or a token",
    ],
    ["a role that's missing", "/instances", post({ name: "b" }), 403, "administrator"],
    ["an instance that the caller may not see", "/instances/b/drift", {}, 404, "no such instance"],
    ["a path that doesn't exist", "/nothing", {}, 404, "/nothing"],
    ["a method that a path doesn't have", "/workloads", { method: "PUT" }, 400, "PUT"],
    ["a query of another form", "/workloads?limit=1000", {}, 400, "limit"],
    ["a body of another form", "/instances/a/jobs", post({ spec: { kind: "sync" } }), 400, "idempotencyKey"],
    ["a body that isn't JSON", "/instances/a/jobs", { ...post({}), body: "{" }, 400, "isn't JSON"],
    ["a body that's too large", "/instances/a/jobs", post("x".repeat(1024 * 1024)), 400, "1048576 bytes"],
    [
      "a body that isn't declared",
      "/instances/a/jobs",
      { ...post({}), headers: { "content-type": "text/plain" } },
      400,
      "declared",
    ],
  ];
  for (const [what, path, init, status, told] of refused) {
    it(`refuses ${what}`, async () => {
      const response = await ask(`/api/console/v1${path}`, init);
      const details = (await response.json()) as Record<string, string>;
      assert.equal(response.status, status);
      assert.match(response.headers.get("content-type") ?? "", /^application\/problem\+json/);
      assert.ok(details["detail"]?.includes(told), JSON.stringify(details));
      assert.notEqual(details["remedy"], "");
    });
  }

  it("says nothing of errors that aren't for callers", async () => {
    const response = await ask("/api/console/v1/about");
    assert.equal(response.status, 500);
    assert.ok(!(await response.text()).includes("secret"));
  });

  it("says when to try again", async () => {
    const response = await ask("/api/console/v1/instances/a/drift");
    assert.equal(response.status, 429);
    assert.equal(response.headers.get("retry-after"), "2");
  });

  const recorded: readonly (readonly [string, string, RequestInit, Partial<AuditRecord>])[] = [
    [
      "what was done",
      "/instances/a/jobs",
      post({ spec: { kind: "sync" }, idempotencyKey: "12345678" }),
      {
        ...{ action: "createJob", outcome: "done", actor: operator, instanceId: "a", namespace: "shop" },
        ...{ subject: "shop:deployment/cart", detail: { kind: "release" }, address: "192.0.2.1" },
      },
    ],
    [
      "what was done to something in the path",
      "/session/all/s7",
      { method: "DELETE" },
      { action: "endSession", outcome: "done", subject: "s7", instanceId: null, detail: {} },
    ],
    [
      "what wasn't permitted",
      "/instances/a/token",
      post({}),
      { action: "renewToken", outcome: "refused", actor: operator, instanceId: "a" },
    ],
    [
      "what was tried at an instance that the caller may not see",
      "/instances/b/jobs",
      post({ secret: "s3cret" }),
      { action: "createJob", outcome: "refused", instanceId: "b" },
    ],
    [
      "what nobody tried who is logged in",
      "/session",
      { method: "DELETE", headers: { authorization: "" } },
      { action: "logOut", outcome: "refused", actor: undefined },
    ],
    [
      "what had another form, without the body",
      "/tokens",
      post({ name: "n", scopes: ["s3cret"] }),
      { action: "createApiToken", outcome: "failed", actor: operator },
    ],
  ];
  for (const [what, path, init, expected] of recorded) {
    it(`records ${what}`, async () => {
      audit.clear();
      await ask(`/api/console/v1${path}`, init);
      assert.equal(audit.records.length, 1);
      assert.partialDeepStrictEqual(audit.records[0], expected);
      assert.doesNotMatch(JSON.stringify(audit), /s3cret/);
    });
  }

  it("records that something begins before its handler is called, once it's checked", async () => {
    const job = post({ spec: { kind: "sync" }, idempotencyKey: "12345678" });
    audit.clear();
    await ask("/api/console/v1/instances/a/jobs", post({ secret: "s3cret" }));
    await ask("/api/console/v1/instances/a/token", post({}));
    assert.deepEqual(audit.begun, []);

    await ask("/api/console/v1/instances/a/jobs", job);

    const { begun = [] } = calls.findLast(({ name }) => name === "createJob") ?? {};
    assert.deepEqual(begun, [
      {
        ...{ action: "createJob", actor: operator, instanceId: "a", namespace: null, subject: "" },
        ...{ detail: {}, address: "192.0.2.1" },
      },
    ]);
  });

  it("does nothing that it can't record", async () => {
    calls.length = 0;
    audit.clear();
    isAuditWritable = false;

    const response = await ask("/api/console/v1/session", { method: "DELETE" });
    isAuditWritable = true;

    assert.equal(response.status, 503);
    assert.deepEqual([calls, audit.records], [[], []]);
  });

  it("records nothing of what is only read", async () => {
    audit.clear();
    await ask("/api/console/v1/workloads");
    await ask("/api/console/v1/instances/b/drift");
    assert.deepEqual([audit.begun, audit.records], [[], []]);
  });

  it("sends the page for all its addresses, and lets browsers keep what's named by its content", async () => {
    const page = await fetch(`${url}/instances/a?q=x`, { headers: { "accept-encoding": "gzip, br" } });
    assert.match(await page.text(), /<title>Weir<\/title>/);
    assert.equal(page.headers.get("cache-control"), "no-cache");
    assert.equal(page.headers.get("content-encoding"), "br");
    for (const [accepted, encoding] of [
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const { headers } = await fetch(url, { headers: { "accept-encoding": accepted } });
      assert.deepEqual([headers.get("content-encoding"), headers.get("vary")], [encoding, "Accept-Encoding"]);
    }
    assert.equal((await fetch(`${url}/index.html.br`)).status, 404);
    const head = await fetch(url, { method: "HEAD", headers: { "accept-encoding": "identity" } });
    assert.equal(head.headers.get("content-length"), "340");
    const script = await fetch(`${url}/app-Abc12345.js`);
    assert.match(script.headers.get("cache-control") ?? "", /immutable/);
    assert.equal((await fetch(`${url}/missing.js`)).status, 404);
    assert.equal((await fetch(`${url}/../../etc/passwd.txt`)).status, 404);
    assert.equal((await fetch(url, { method: "POST" })).status, 405);
  });

  it("lets nothing of other hosts, and nothing inline, into the page", async () => {
    const policy = (await fetch(url)).headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });

  it("leaves Flux's API to others", async () => {
    assert.equal((await ask("/api/flux/v6/version")).status, 418);
  });

  it("streams what the caller may see, until their session ends", async () => {
    const response = await ask("/api/console/v1/stream");
    const reader = (response.body ?? assert.fail()).getReader();
    const read = async (): Promise<string> =>
      new TextDecoder().decode((await reader.read()).value as Uint8Array);
    assert.equal(await read(), "retry: 2000\n\n");
    for (const instanceId of ["b", "a"]) {
      listeners.forEach((listener) => listener({ type: "instance", instanceId }));
    }
    assert.equal(await read(), 'event: instance\ndata: {"type":"instance","instanceId":"a"}\n\n');
    end();
    assert.equal((await reader.read()).done, true);
    assert.equal(listeners.size, 0);
  });
});

function withToken(given: RequestInit["headers"]): Headers {
  const headers = new Headers(given);
  if (!headers.has("authorization")) {
    headers.set("authorization", "Bearer olga");
  }
  return headers;
}

function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
