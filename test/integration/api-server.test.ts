import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { describe, it } from "node:test";
import { createMetricsRegistry } from "@weir/base/prometheus";
import { FluxError, type FluxErrorKind, parseImageRef, parseResourceId } from "@weir/flux";
import type { ApiServer, LoggedEvent, WorkloadStatusReport } from "@weir/flux/api";
import { ListenError } from "@weir/flux/serving";
import { until } from "@weir/testing";
import { listen } from "../../src/api/server/listen.ts";
import { openServerMetrics, serverMetrics } from "../../src/api/server/metrics.ts";
import { createApp } from "../../src/api/server/server.ts";
import { type ApiServerCall, standInApiServer } from "../support/api-server-stand-in.ts";
import { standInInspection } from "../support/inspection-stand-in.ts";
import { ask, type RawAnswer, type RawRequest } from "../support/raw-http.ts";

const base = "/api/flux";
const json = "application/json; charset=utf-8";
const text = "text/plain; charset=utf-8";

/** A server with a stand-in behind it, until the test is over. */
class TestServer implements AsyncDisposable {
  readonly address: string;
  readonly calls: readonly ApiServerCall[];
  readonly #stop: () => Promise<void>;

  private constructor(address: string, calls: readonly ApiServerCall[], stop: () => Promise<void>) {
    this.address = address;
    this.calls = calls;
    this.#stop = stop;
  }

  static async start(answers: Partial<ApiServer> = {}): Promise<TestServer> {
    const { api, calls } = standInApiServer(answers);
    const metrics = () => Promise.resolve({ contentType: "text/plain; version=0.0.4", body: "m 1\n" });
    const listening = await listen(createApp({ api, metrics }), "127.0.0.1:0");
    return new TestServer(listening.address, calls, () => listening.stop());
  }

  /** Asks for a path as it stands. */
  raw(asked: RawRequest): Promise<RawAnswer> {
    return ask(this.address, asked);
  }

  /** Asks for a path below the base of the API. */
  ask(method: string, path: string, more: Omit<RawRequest, "method" | "path"> = {}): Promise<RawAnswer> {
    return this.raw({ ...more, method, path: base + path });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

const workload: WorkloadStatusReport = {
  id: parseResourceId("default:deployment/app"),
  containers: [{ name: "main", image: parseImageRef("example.test/app:1") }],
  readOnly: "",
  status: "ready",
  rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
  syncError: "a < b",
  antecedent: "",
  labels: { app: "app" },
  policies: { locked: "true" },
};

const workloadJson =
  '{"ID":"default:deployment/app","Containers":[{"Name":"main","Current":{"ID":"example.test/app:1","Labels":{}},' +
  '"LatestFiltered":{"ID":"","Labels":{}}}],"ReadOnly":"","Status":"ready","Rollout":{"Desired":1,"Updated":1,' +
  '"Ready":1,"Available":1,"Outdated":0,"Messages":null},"SyncError":"a \\u003c b","Antecedent":"",' +
  '"Labels":{"app":"app"},"Automated":false,"Locked":true,"Ignore":false,"Policies":{"locked":"true"}}';

const keyJson =
  '{"key":"ssh-rsa AAAA flux","fingerprints":{"md5":{"hash":"aa:bb","randomart":"+--+\\n"},' +
  '"sha256":{"hash":"abc","randomart":"+--+\\n|  |\\n+--+\\n"}}}';

const policySpec = { "default:deployment/app": { add: { locked: "true" }, remove: null } };

describe("the routes of the API", () => {
  const routes: readonly {
    readonly route: string;
    readonly body?: unknown;
    readonly answer: readonly [status: number, type: string, body: string];
    readonly call: ApiServerCall;
  }[] = [
    { route: "GET /v11/ping", answer: [204, "", ""], call: ["ping"] },
    { route: "GET /v11/version", answer: [200, json, '"1.2.3"'], call: ["version"] },
    {
      route: "POST /v11/notify",
      body: { Kind: "git", Source: { URL: "git@git.test:repo", Branch: "main" } },
      answer: [202, "", ""],
      call: ["notifyChange", { kind: "git", url: "git@git.test:repo", branch: "main" }],
    },
    {
      route: "POST /v11/notify",
      body: { Kind: "image", Source: { Name: { Domain: "quay.io", Image: "org/app" } } },
      answer: [202, "", ""],
      call: ["notifyChange", { kind: "image", name: { domain: "quay.io", image: "org/app" } }],
    },
    {
      route: "GET /v6/services?namespace=shop",
      answer: [200, json, "null"],
      call: ["listWorkloads", { namespace: "shop", workloads: [] }],
    },
    {
      route: "GET /v11/services?services=shop:deployment/web,shop/cart",
      answer: [200, json, "null"],
      call: ["listWorkloads", { namespace: "", workloads: ["shop:deployment/web", "shop/cart"] }],
    },
    {
      route: "POST /v9/update-manifests",
      body: { type: "policy", cause: { Message: "why", User: "who" }, spec: policySpec },
      answer: [200, json, '"job-1"'],
      call: [
        "updateManifests",
        { type: "policy", cause: { message: "why", user: "who" }, spec: new Map(Object.entries(policySpec)) },
      ],
    },
    {
      route: "GET /v6/jobs?id=some%20job",
      answer: [200, json, '{"Result":{},"Err":"","StatusString":"queued"}'],
      call: ["jobStatus", "some job"],
    },
    {
      route: "GET /v6/jobs?id=",
      answer: [200, json, '{"Result":{},"Err":"","StatusString":"queued"}'],
      call: ["jobStatus", ""],
    },
    { route: "GET /v6/sync?ref=HEAD", answer: [200, json, '["c2","c1"]'], call: ["syncStatus", "HEAD"] },
    { route: "GET /v6/export", answer: [200, json, '"a2luZDogTmFtZXNwYWNlCg=="'], call: ["exportAll"] },
    { route: "HEAD /v6/export", answer: [200, json, ""], call: ["exportAll"] },
    {
      route: "POST /v9/git-repo-config",
      body: true,
      answer: [
        200,
        json,
        `{"remote":{"url":"ssh://git@git.test/repo","branch":"master","path":"a,b"},"publicSSHKey":${keyJson},` +
          '"status":"ready","errors":""}',
      ],
      call: ["gitRepoConfig", true],
    },
    {
      route:
        "POST /v6/update-images?service=%3Call%3E&service=shop:deployment/web&image=%3Call%20latest%3E&kind=plan&exclude=shop:deployment/cart&user=who&message=why",
      answer: [200, json, '"job-1"'],
      call: [
        "updateManifests",
        {
          type: "image",
          cause: { message: "why", user: "who" },
          spec: {
            workloads: ["<all>", "shop:deployment/web"],
            image: "<all latest>",
            kind: "plan",
            excludes: ["shop:deployment/cart"],
            force: false,
          },
        },
      ],
    },
    {
      route: "PATCH /v6/policies?user=who&message=why",
      body: policySpec,
      answer: [200, json, '"job-1"'],
      call: [
        "updateManifests",
        { type: "policy", cause: { message: "why", user: "who" }, spec: new Map(Object.entries(policySpec)) },
      ],
    },
    { route: "GET /v6/identity.pub", answer: [200, json, keyJson], call: ["gitRepoConfig", false] },
    { route: "POST /v6/identity.pub", answer: [204, "", ""], call: ["gitRepoConfig", true] },
  ];

  for (const { route, body, answer, call } of routes) {
    it(`${route} ${body === undefined ? "" : `with ${JSON.stringify(body)} `}is answered as Flux v1 does`, async () => {
      await using server = await TestServer.start();
      const [method = "", path = ""] = route.split(" ");

      const given = await server.ask(method, path, body === undefined ? {} : { body: JSON.stringify(body) });

      assert.deepEqual([given.status, given.type, given.body], answer);
      assert.deepEqual(server.calls, [call]);
    });
  }

  for (const [what, route, body, call] of [
    [
      "an image spec of which no field makes sense",
      "POST /v9/update-manifests",
      '{"type":"image","spec":{"ServiceSpecs":["",null,"ns:Deployment/a","nothing"],"ImageSpec":"::","Excludes":[""]}}',
      {
        type: "image",
        cause: { message: "", user: "" },
        spec: {
          workloads: ["", "", "ns:Deployment/a", "nothing"],
          image: "::",
          kind: "",
          excludes: [""],
          force: false,
        },
      },
    ],
    [
      "an image spec without a field",
      "POST /v9/update-manifests",
      '{"type":"image","spec":null}',
      {
        type: "image",
        cause: { message: "", user: "" },
        spec: { workloads: null, image: "", kind: "", excludes: null, force: false },
      },
    ],
    [
      "a containers spec without a field",
      "POST /v9/update-manifests",
      '{"type":"containers","spec":{}}',
      {
        type: "containers",
        cause: { message: "", user: "" },
        spec: { kind: "", containers: null, skipMismatches: false, force: false },
      },
    ],
    [
      "policies that are null",
      "PATCH /v6/policies",
      "null",
      { type: "policy", cause: { message: "", user: "" }, spec: null },
    ],
    [
      "an image with a digest and a tag",
      "POST /v6/update-images?service=ns:Deployment/a&image=app:1@sha256:00&kind=execute",
      undefined,
      {
        type: "image",
        cause: { message: "", user: "" },
        spec: {
          workloads: ["ns:deployment/a"],
          image: "app@sha256:00",
          kind: "execute",
          excludes: null,
          force: false,
        },
      },
    ],
  ] as const) {
    it(`take ${what}, as Flux v1 does, and leave it to the job`, async () => {
      await using server = await TestServer.start();
      const [method = "", path = ""] = route.split(" ");

      const { status } = await server.ask(method, path, body === undefined ? {} : { body });

      assert.equal(status, 200);
      assert.deepEqual(server.calls, [["updateManifests", call]]);
    });
  }

  it("take null for false where a boolean is meant", async () => {
    await using server = await TestServer.start();

    const { status } = await server.ask("POST", "/v9/git-repo-config", { body: "null" });

    assert.equal(status, 200);
    assert.deepEqual(server.calls, [["gitRepoConfig", false]]);
  });

  it("list a workload without containers with none, not with null", async () => {
    const bare = { ...workload, containers: [] };
    await using server = await TestServer.start({ listWorkloads: () => Promise.resolve([bare]) });

    for (const path of ["/v6/services", "/v11/services"]) {
      const { body } = await server.ask("GET", path);
      assert.match(body, /^\[\{"ID":"default:deployment\/app","Containers":\[\],"ReadOnly":/);
    }
  });

  it("list workloads as an array", async () => {
    await using server = await TestServer.start({ listWorkloads: () => Promise.resolve([workload]) });

    const { status, body } = await server.ask("GET", "/v11/services");

    assert.deepEqual({ status, body }, { status: 200, body: `[${workloadJson}]` });
  });

  it("take an escaped letter of a path for the letter", async () => {
    await using server = await TestServer.start();

    assert.equal((await server.ask("GET", "/v11/p%69ng")).status, 204);
  });

  it("take keys of JSON in any case, and pass over unknown ones", async () => {
    await using server = await TestServer.start();

    const body = JSON.stringify({ kind: "git", SOURCE: { url: "u", BRANCH: "b" }, more: 1 });
    const { status } = await server.ask("POST", "/v11/notify", { body });

    assert.equal(status, 202);
    assert.deepEqual(server.calls, [["notifyChange", { kind: "git", url: "u", branch: "b" }]]);
  });

  it("take queries as long as Go's server does", async () => {
    await using server = await TestServer.start();
    const ids = Array.from({ length: 5_000 }, (_, index) => `shop:deployment/workload-${index}`);

    const { status } = await server.ask("GET", `/v11/services?services=${ids.join(",")}`);

    assert.equal(status, 200);
    assert.deepEqual(server.calls, [["listWorkloads", { namespace: "", workloads: ids }]]);
  });
});

describe("the connection of a client", () => {
  it("may stay idle as long as the client wants, as with Go's server", async () => {
    await using server = await TestServer.start();

    const { headers } = await fetch(`http://${server.address}${base}/v11/ping`);

    // Where there's a time limit, this header tells of it.
    assert.deepEqual([headers.get("connection"), headers.get("keep-alive")], ["keep-alive", null]);
  });
});

describe("requests that no route takes", () => {
  for (const [method, path] of [
    ["POST", "/v11/ping"],
    ["HEAD", "/v11/version"],
    ["DELETE", "/v6/policies"],
    ["OPTIONS", "/v6/services"],
    ["GET", "/v9/update-manifests"],
    ["GET", "/v11/ping/"],
    ["GET", "/v6/Services"],
    ["GET", "/v1"],
    ["GET", "/v6/nonsense"],
    ["GET", "/v6/jobs"],
    ["GET", "/v6/jobs?ID=x"],
    ["GET", "/v6/sync?name=x"],
    ["POST", "/v6/update-images?service=%3Call%3E&image=x"],
    ["GET", "/"],
    ["GET", "/__proto__"],
    ["GET", "/v6/%FF"],
  ] as const) {
    it(`${method} ${path} is no endpoint of the API`, async () => {
      await using server = await TestServer.start();

      const { status, type, body } = await server.ask(method, path);

      assert.deepEqual({ status, type }, { status: 404, type: text });
      assert.equal(body, method === "HEAD" ? "" : "API endpoint not found");
      assert.deepEqual(server.calls, []);
    });
  }

  it("are told which path it was, without the base", async () => {
    await using server = await TestServer.start();

    const { body } = await server.ask("GET", "/v6/nonsense?x=1", { headers: { Accept: "text/plain" } });

    assert.match(
      body,
      /^The API endpoint requested is not supported[^]*include this path:\n\n {4}\/v6\/nonsense\n$/,
    );
  });

  for (const version of ["v1", "v2", "v3", "v4", "v5"]) {
    it(`of ${version} are told that it is gone`, async () => {
      await using server = await TestServer.start();

      const { status, type, body } = await server.ask("POST", `/${version}/services?x=1`, { body: "x" });

      assert.deepEqual({ status, type, body }, { status: 410, type: text, body: "API endpoint deprecated" });
    });
  }

  for (const path of [
    "/",
    "/nothing",
    "/api",
    "/api/fluxx",
    "/API/flux/v11/ping",
    "/metrics/",
    "/debug/pprof/",
  ]) {
    it(`outside of the API are not found: ${path}`, async () => {
      await using server = await TestServer.start();

      const { status, type, body } = await server.raw({ path });

      assert.deepEqual({ status, type, body }, { status: 404, type: text, body: "404 page not found\n" });
    });
  }
});

describe("unclean paths", () => {
  for (const [path, location] of [
    ["/api/flux", "/api/flux/"],
    ["/api/flux?x=%20", "/api/flux/?x=%20"],
    ["/api/flux//v11/ping?x=1", "/api/flux/v11/ping?x=1"],
    ["/api/flux/v6/../v11/ping", "/api/flux/v11/ping"],
    ["/api/flux/./v11/ping/", "/api/flux/v11/ping/"],
    ["//api/flux/v11/ping", "/api/flux/v11/ping"],
    ["//evil.test/api/flux/v11/ping", "/evil.test/api/flux/v11/ping"],
    ["/api/flux//evil.test/v11/ping", "/api/flux/evil.test/v11/ping"],
    ["/api/flux//", "/api/flux/"],
    ["/../../etc/passwd", "/etc/passwd"],
    ["//%5Cevil.test", "/%5Cevil.test"],
    ["/a/..//%0D%0ASet-Cookie:x", "/%0D%0ASet-Cookie:x"],
    ["/api/flux/%2e%2e/metrics", "/api/metrics"],
    ["/api/flux/v6//%3Fx%23y", "/api/flux/v6/%3Fx%23y"],
  ] as const) {
    it(`${path} leads to ${location}`, async () => {
      await using server = await TestServer.start();

      const { status, headers } = await server.raw({ path });

      assert.deepEqual({ status, location: headers.location }, { status: 301, location });
      assert.deepEqual(server.calls, []);
    });
  }

  it("with a broken escape are a bad request", async () => {
    await using server = await TestServer.start();

    const { status, type, body } = await server.raw({ path: "/api/flux/v11/%zz" });

    assert.deepEqual({ status, type, body }, { status: 400, type: text, body: "400 Bad Request" });
  });
});

describe("errors of the API", () => {
  const help = "What to do:\n\n  <this>\n";

  for (const [kind, expected] of [
    ["missing", 404],
    ["user", 422],
    ["server", 500],
    ["busy", 503],
  ] as const satisfies readonly (readonly [FluxErrorKind, number])[]) {
    it(`of kind ${kind} are answered with ${expected}, as JSON, as help or as message`, async () => {
      const error = new FluxError(kind, "unknown job", help);
      await using server = await TestServer.start({ jobStatus: () => Promise.reject(error) });
      const asJson = `{"type":"${kind === "busy" ? "user" : kind}","help":"What to do:\\n\\n  \\u003cthis\\u003e\\n","error":"unknown job"}`;

      for (const [accept, type, body] of [
        ["application/json", json, asJson],
        ["application/json, text/plain", json, asJson],
        ["text/plain, application/json;q=0.9", text, help],
        ["text/html, text/plain ; q=0.2", text, help],
        ["application/json;charset=utf-8", json, asJson],
        [",", json, asJson],
        ["text/html;level=1, text/plain", json, asJson],
        ["*/*", text, "unknown job"],
        ["text/html", text, "unknown job"],
        ["", text, "unknown job"],
        [undefined, text, "unknown job"],
      ] as const) {
        const headers = accept === undefined ? {} : { Accept: accept };
        const given = await server.ask("GET", "/v6/jobs?id=x", { headers });

        assert.deepEqual([accept, given.status, given.type, given.body], [accept, expected, type, body]);
      }
    });
  }

  it("that are none of ours are the user's, with a general help", async () => {
    await using server = await TestServer.start({ exportAll: () => Promise.reject(new Error("no luck")) });

    const plain = await server.ask("GET", "/v6/export");
    const helpful = await server.ask("GET", "/v6/export", { headers: { Accept: "text/plain" } });

    assert.deepEqual([plain.status, plain.body], [422, "no luck"]);
    assert.match(
      helpful.body,
      /^Error: no luck\n\nWe don't have a specific help message for the error above\./,
    );
  });

  it("that are thrown at once, or are no errors, are answered too", async () => {
    await using server = await TestServer.start({
      version: () => {
        throw new Error("thrown");
      },
      // What a library throws is not always an Error.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      ping: () => Promise.reject("a text"),
    });

    const thrown = await server.ask("GET", "/v11/version");
    const rejected = await server.ask("GET", "/v11/ping");

    assert.deepEqual([thrown.status, thrown.body], [422, "thrown"]);
    assert.deepEqual([rejected.status, rejected.body], [422, "a text"]);
  });

  it("of the metrics show no insides", async () => {
    const metrics = () => Promise.reject(new Error("secret insides"));
    const listening = await listen(createApp({ metrics }), "127.0.0.1:0");

    const { status, type, body } = await ask(listening.address, { path: "/metrics" });
    await listening.stop();

    assert.deepEqual(
      { status, type, body },
      { status: 500, type: text, body: "500 internal server error\n" },
    );
  });
});

describe("bad requests", () => {
  const image = "POST /v6/update-images?";
  for (const [route, body, message] of [
    ["POST /v9/update-manifests", "", /^the request body is not JSON/],
    ["POST /v9/update-manifests", '{"type":"sync"', /^the request body is not JSON/],
    ["POST /v9/update-manifests", '{"type":"sync"} {}', /^the request body is not JSON/],
    ["POST /v9/update-manifests", '"text"', /^the document should be an object, not a string$/],
    ["POST /v9/update-manifests", '{"type":"nonsense"}', /^unknown spec type: nonsense$/],
    ["POST /v9/update-manifests", '{"type":"__proto__"}', /^unknown spec type: __proto__$/],
    [
      "POST /v9/update-manifests",
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      /^the request body is nested more than 64 levels deep$/,
    ],
    [
      "POST /v9/update-manifests",
      '{"type":"image","spec":{"ServiceSpecs":[7]}}',
      /^spec\.ServiceSpecs\[0\] should be a string, not a number$/,
    ],
    [
      "POST /v9/update-manifests",
      '{"type":"policy","spec":{"nonsense":{}}}',
      /^parsing nonsense: invalid service ID$/,
    ],
    ["POST /v11/notify", '{"Kind":"svn"}', /^unknown kind of change$/],
    ["POST /v11/notify", '{"Kind":"git"}', /^unexpected end of JSON input$/],
    ["POST /v9/git-repo-config", '"yes"', /^the request body is not a boolean/],
    ["PATCH /v6/policies", "[]", /^the document should be an object, not a list$/],
    [
      "GET /v11/services?services=a,b",
      undefined,
      /^parsing service spec "a": parsing a: invalid service ID$/,
    ],
    [
      `${image}service=a%22b&image=x&kind=plan`,
      undefined,
      /^parsing service spec "a\\"b": invalid workload spec: parsing a"b: invalid service ID$/,
    ],
    [
      `${image}service=%3Call%3E&image=app&kind=plan`,
      undefined,
      /^parsing image spec "app": blank tag \(if you want latest, explicitly state the tag :latest\): invalid image ID$/,
    ],
    [
      "POST /v9/update-manifests",
      '{"type":"image","spec":{"Excludes":["x"]}}',
      /^parsing x: invalid service ID$/,
    ],
    [
      "POST /v9/update-manifests",
      '{"type":"containers","spec":{"ContainerSpecs":{"a:b/c":[{"Current":"","Target":"app:1"}]}}}',
      /^parsing "": blank image name: invalid image ID$/,
    ],
    [`${image}service=%3Call%3E&image=&kind=plan`, undefined, /^parsing image spec "": .*invalid image ID$/],
    [
      `${image}service=%3Call%3E&image=%3Call%20latest%3E&kind=maybe`,
      undefined,
      /^parsing release kind "maybe": invalid release kind$/,
    ],
    [
      `${image}service=%3Call%3E&image=x:1&kind=plan&exclude=y`,
      undefined,
      /^parsing excluded service "y": parsing y: invalid service ID$/,
    ],
    [`${image}service=y&image=&kind=maybe`, undefined, /^parsing service spec "y"/],
  ] as const) {
    it(`${route} with ${JSON.stringify(body?.slice(0, 60))} names what is wrong`, async () => {
      await using server = await TestServer.start();
      const [method = "", path = ""] = route.split(" ");
      const more = body === undefined ? {} : { body };

      const plain = await server.ask(method, path, more);
      const asText = await server.ask(method, path, { ...more, headers: { Accept: "text/plain" } });
      const asJson = await server.ask(method, path, { ...more, headers: { Accept: "application/json" } });

      assert.deepEqual([plain.status, plain.type], [400, text]);
      assert.match(plain.body, message);
      assert.equal(asText.body, plain.body);
      assert.deepEqual([asJson.status, asJson.type], [400, json]);
      assert.deepEqual(JSON.parse(asJson.body), {
        type: "user",
        help: `${plain.body}\n`,
        error: plain.body,
      });
      assert.deepEqual(server.calls, []);
    });
  }

  it("with a body larger than any request needs are refused, and the next one is answered", async () => {
    await using server = await TestServer.start();
    const body = Buffer.alloc(9 * 1024 * 1024, " ");

    const refused = await server.ask("POST", "/v9/update-manifests", { body });
    const next = await server.ask("GET", "/v11/ping");

    assert.deepEqual([refused.status, refused.type], [413, text]);
    assert.equal(refused.body, "the request body is larger than 4194304 bytes");
    assert.equal(next.status, 204);
  });

  it("with more structure than any request needs are refused before they are parsed", async () => {
    await using server = await TestServer.start();
    const entries = Array.from({ length: 80_000 }, (_, at) => `"a:b/${at}":{}`);

    const refused = await server.ask("PATCH", "/v6/policies", { body: `{${entries.join(",")}}` });

    assert.deepEqual([refused.status, refused.body], [413, "the request body is larger than 150000 values"]);
    assert.deepEqual(server.calls, []);
  });

  for (const path of ["/v11/notify", "/v9/git-repo-config"]) {
    it(`that hold more than ${path} has use for are refused`, async () => {
      await using server = await TestServer.start();

      const refused = await server.ask("POST", path, { body: `"${"x".repeat(64 * 1024)}"` });

      assert.deepEqual([refused.status, refused.body], [413, "the request body is larger than 65536 bytes"]);
      assert.deepEqual(server.calls, []);
    });
  }

  it("take the largest release that anybody makes: of 10,000 containers", async () => {
    await using server = await TestServer.start();
    const image = `registry.example.test/some-organisation/some-team/some-application-of-it:${"0".repeat(40)}`;
    const updates = [{ Container: "application", Current: image, Target: image }];
    const specs = Array.from({ length: 10_000 }, (_, at) => [`some-namespace:deployment/app-${at}`, updates]);
    const spec = { Kind: "execute", ContainerSpecs: Object.fromEntries(specs) as object };
    const body = JSON.stringify({ type: "containers", cause: {}, spec });

    const { status } = await server.ask("POST", "/v9/update-manifests", { body });

    assert.equal(status, 200);
  });

  it("take a key such as __proto__ for a key", async () => {
    await using server = await TestServer.start();
    const hostile =
      '{"__proto__":{"type":"sync"},"type":"policy","spec":{"default:deployment/app":' +
      '{"add":{"__proto__":"x","constructor":"y"},"remove":null}},"cause":{"__proto__":{"User":"z"}}}';

    const { status } = await server.ask("POST", "/v9/update-manifests", { body: hostile });
    const [call] = server.calls;

    assert.equal(status, 200);
    assert.deepEqual(
      JSON.stringify(call, (_, value: unknown) => (value instanceof Map ? [...value] : value)),
      '["updateManifests",{"type":"policy","cause":{"message":"","user":""},' +
        '"spec":[["default:deployment/app",{"add":{"__proto__":"x","constructor":"y"},"remove":null}]]}]',
    );
    assert.equal(Reflect.get({}, "User"), undefined);
  });
});

describe("clients", () => {
  it("that send their body slowly are waited for", async () => {
    await using server = await TestServer.start();
    const [host, port] = server.address.split(":");
    const options = { host, port, method: "POST", path: `${base}/v9/update-manifests`, agent: false };

    const status = await new Promise((resolve, reject) => {
      const outgoing = request(options, (incoming) => resolve(incoming.statusCode));
      outgoing.on("error", reject);
      outgoing.write('{"type":');
      outgoing.on("socket", (socket) => socket.once("connect", () => outgoing.end('"sync","spec":{}}')));
    });

    assert.equal(status, 200);
    assert.deepEqual(server.calls, [["updateManifests", { type: "sync", cause: { message: "", user: "" } }]]);
  });

  it("that send much at once are sent away where it is too much, and hold up nobody else", async () => {
    await using server = await TestServer.start();
    const [host, port] = server.address.split(":");
    const path = `${base}/v9/update-manifests`;
    const statuses: (number | undefined)[] = [];
    const retries: (string | undefined)[] = [];
    const begun = Array.from({ length: 20 }, () => {
      const outgoing = request({ host, port, method: "POST", path, agent: false });
      const answered = new Promise<void>((resolve, reject) => {
        outgoing.on("error", reject);
        outgoing.on("response", (incoming) => {
          statuses.push(incoming.statusCode);
          retries.push(incoming.headers["retry-after"]);
          incoming.resume().on("end", resolve);
        });
      });
      outgoing.write('{"type":"sync","spec":{},"filling":"');
      outgoing.write("x".repeat(3 * 1024 * 1024));
      return { outgoing, answered };
    });

    await until("15 of 20 to be refused", () => Promise.resolve(statuses.length >= 15));
    const refusedBefore = [...statuses];
    const ping = await server.ask("GET", "/v11/ping");
    const small = await server.ask("POST", "/v9/update-manifests", { body: '{"type":"sync","spec":{}}' });
    begun.forEach(({ outgoing }) => outgoing.end('"}'));
    await Promise.all(begun.map(({ answered }) => answered));
    const after = await server.ask("POST", "/v9/update-manifests", {
      body: `{"type":"sync","spec":{},"filling":"${"x".repeat(3 * 1024 * 1024)}"}`,
    });

    assert.deepEqual(new Set(refusedBefore), new Set([503]));
    assert.deepEqual([ping.status, small.status, after.status], [204, 200, 200]);
    const taken = statuses.filter((status) => status === 200).length;
    assert.deepEqual(statuses.toSorted(), [
      ...Array<number>(taken).fill(200),
      ...Array<number>(20 - taken).fill(503),
    ]);
    assert.deepEqual(
      retries.filter((retry) => retry !== undefined),
      Array<string>(20 - taken).fill("5"),
    );
    assert.equal(server.calls.filter(([name]) => name === "updateManifests").length, taken + 2);
  });

  const hidden = `GET ${base}/v6/export HTTP/1.1\r\nHost: x\r\n\r\n`;
  for (const [what, headers, body] of [
    ["two lengths", "Content-Length: 4\r\nContent-Length: 60", "null"],
    ["a length beside chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
    ["an encoding after chunks", "Transfer-Encoding: chunked, identity", "0\r\n\r\n"],
    ["an encoding that is none", "Transfer-Encoding: xchunked", "0\r\n\r\n"],
    ["a length with a sign", "Content-Length: +4", "null"],
    ["a chunk whose size is no number", "Transfer-Encoding: chunked", "zz\r\n\r\n"],
    ["a header that goes on in the next line", "Content-Length: 4\r\nX: a\r\n Content-Length: 0", "null"],
    ["a space before the colon", "Content-Length : 4", "null"],
    ["a line that ends in the middle", "X: a\nContent-Length: 4", "null"],
  ] as const) {
    it(`that could hide a request in another are refused: ${what}`, async () => {
      await using server = await TestServer.start();
      const [host = "", port] = server.address.split(":");
      const socket = connect(Number(port), host);
      const head = `POST ${base}/v9/git-repo-config HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;

      socket.end(`${head}${body}${hidden}`);
      const answer = await textOf(socket);

      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.equal(answer.split("HTTP/1.1 ").length, 2, answer);
      assert.deepEqual(server.calls, []);
    });
  }

  it("that go away end the work for them", async () => {
    const asked = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<string>();
    await using server = await TestServer.start({
      exportAll: (signal) =>
        new Promise((_, reject) => {
          asked.resolve(undefined);
          signal.addEventListener("abort", () => {
            ended.resolve(String(signal.reason));
            reject(new Error("ended"));
          });
        }),
    });
    const [host, port] = server.address.split(":");
    const outgoing = request({ host, port, path: `${base}/v6/export`, agent: false });
    outgoing.on("error", () => undefined);

    outgoing.end();
    await asked.promise;
    outgoing.destroy();

    assert.equal(await ended.promise, "Error: the client went away");
    assert.equal((await server.ask("GET", "/v11/ping")).status, 204);
  });

  it("that go away in the middle of a body harm nobody", async () => {
    await using server = await TestServer.start();
    const [host = "", port] = server.address.split(":");
    const socket = connect(Number(port), host);
    const closed = new Promise((resolve) => socket.once("close", resolve));

    socket.write(
      `POST ${base}/v9/update-manifests HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"type":`,
    );
    await server.ask("GET", "/v11/ping");
    socket.destroy();
    await closed;

    assert.equal((await server.ask("GET", "/v11/version")).status, 200);
    assert.deepEqual(server.calls, [["ping"], ["version"]]);
  });

  it("that have their answer are not told that they went away", async () => {
    const signals: AbortSignal[] = [];
    await using server = await TestServer.start({
      ping: (signal) => {
        signals.push(signal);
        return Promise.resolve();
      },
    });

    await server.ask("GET", "/v11/ping");
    await server.ask("GET", "/v11/ping");

    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, false],
    );
  });

  it("are answered side by side, and a probe while others wait", async () => {
    const waiting: (() => void)[] = [];
    await using server = await TestServer.start({
      syncStatus: (ref) => new Promise((resolve) => waiting.push(() => resolve([ref]))),
    });
    const all = Promise.withResolvers<undefined>();
    const answers = Array.from({ length: 50 }, async (_, index) => {
      const answer = server.ask("GET", `/v6/sync?ref=r${index}`);
      return (await answer).body;
    });
    const probe = async (): Promise<void> => {
      while (waiting.length < 50) {
        assert.equal((await server.ask("GET", "/v6/identity.pub")).status, 200);
      }
      all.resolve(undefined);
    };

    await Promise.all([probe(), all.promise]);
    waiting.forEach((release) => release());

    assert.deepEqual(
      await Promise.all(answers),
      Array.from({ length: 50 }, (_, index) => `["r${index}"]`),
    );
  });
});

describe("responses", () => {
  it("are counted by their status codes, whoever answers", async () => {
    const { api } = standInApiServer();
    const registry = createMetricsRegistry(Object.values(serverMetrics));
    const countResponse = openServerMetrics(registry);
    const listening = await listen(
      createApp({ api, countResponse, token: () => Promise.resolve("sesame") }),
      "127.0.0.1:0",
    );

    const paths = [`${base}/v11/ping`, `${base}/v11/version`, "/nowhere", "//nowhere"];
    for (const path of paths) {
      await ask(listening.address, { path });
    }
    await listening.stop();

    const lines = (await registry.exposition()).matchAll(/^weir_http_responses_total\{(.*)\} (\d+)$/gm);
    assert.deepEqual([...lines].map(([, labels = "", count]) => `${labels} ${count}`).toSorted(), [
      'code="204" 1',
      'code="301" 1',
      'code="401" 2',
    ]);
  });
});

describe("/metrics", () => {
  it("is the exposition, beside the API", async () => {
    await using server = await TestServer.start();

    const { status, type, body } = await server.raw({ path: "/metrics" });

    assert.deepEqual(
      { status, type, body },
      { status: 200, type: "text/plain; version=0.0.4", body: "m 1\n" },
    );
  });

  it("is not where the API is alone, and alone where it has a listener of its own", async () => {
    const { api } = standInApiServer();
    const metrics = () => Promise.resolve({ contentType: "text/plain", body: "m 1\n" });
    const apiOnly = await listen(createApp({ api }), "127.0.0.1:0");
    const metricsOnly = await listen(createApp({ metrics }), "127.0.0.1:0");

    const answers = [
      await ask(apiOnly.address, { path: "/metrics" }),
      await ask(apiOnly.address, { path: `${base}/v11/ping` }),
      await ask(metricsOnly.address, { path: "/metrics" }),
      await ask(metricsOnly.address, { path: `${base}/v11/ping` }),
      await ask(metricsOnly.address, { path: base }),
    ];
    await Promise.all([apiOnly.stop(), metricsOnly.stop()]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 204, 200, 404, 404],
    );
  });
});

describe("what Weir adds to the API", () => {
  const inspection = standInInspection({
    events: ({ after, waitMs }) => Promise.resolve([{ ...failure, id: after + 1, message: `${waitMs} ms` }]),
    treeChanged: ({ after, waitMs }) => Promise.resolve(after !== "8" || waitMs !== 60_000),
  });
  const failure: LoggedEvent = {
    id: 0,
    type: "failure",
    workloads: [],
    startedAt: new Date(0),
    endedAt: new Date(0),
    logLevel: "error",
    message: "",
    metadata: null,
  };

  it("is not there where nobody can be asked", async () => {
    await using server = await TestServer.start();

    const { status, body } = await server.ask("GET", "/v12/events", {
      headers: { Accept: "application/json" },
    });

    assert.deepEqual([status, (JSON.parse(body) as { type: string }).type], [404, "missing"]);
  });

  it("answers a question about a tree that is still the same without a body", async () => {
    const { api } = standInApiServer();
    const listening = await listen(createApp({ api, inspection }), "127.0.0.1:0");

    const answers = [];
    for (const query of ["", "?after=7&wait=3600", "?after=8&wait=3600", "?after=8&wait=x"]) {
      const { status, body } = await ask(listening.address, { path: `${base}/v12/tree${query}` });
      answers.push([status, body.includes('"version":"8"')]);
    }
    await listening.stop();

    assert.deepEqual(answers, [
      [200, true],
      [200, true],
      [204, false],
      [400, false],
    ]);
  });

  it("takes whole numbers only, and waits for no longer than a minute", async () => {
    const { api } = standInApiServer();
    const listening = await listen(createApp({ api, inspection }), "127.0.0.1:0");

    const answers = [];
    for (const query of ["after=4&wait=3600", "after=-1", "wait=1e3", "after=99999999999999999999"]) {
      answers.push(await ask(listening.address, { path: `${base}/v12/events?${query}` }));
    }
    await listening.stop();

    assert.deepEqual(
      answers.map(({ status, body }) => [status, /"message":"(.*?)"/.exec(body)?.[1] ?? body]),
      [
        [200, "60000 ms"],
        [400, 'parsing after "-1": expected a whole number'],
        [400, 'parsing wait "1e3": expected a whole number'],
        [400, 'parsing after "99999999999999999999": expected a whole number'],
      ],
    );
  });
});

describe("listening", () => {
  it("says which address cannot be had, and why", async () => {
    const taken = await listen(createApp({}), "127.0.0.1:0");
    const failures: string[] = [];

    for (const address of [taken.address, "nonsense", "127.0.0.1:65536", "192.0.2.1:0"]) {
      await assert.rejects(listen(createApp({}), address), (error) => {
        assert.ok(error instanceof ListenError);
        assert.equal(error.address, address);
        failures.push(error.message);
        return true;
      });
    }
    await taken.stop();

    assert.deepEqual(failures, [
      `cannot listen on ${taken.address}: another program listens there`,
      'cannot listen on nonsense: expected host:port, e.g. ":3030" or "127.0.0.1:3030"',
      'cannot listen on 127.0.0.1:65536: expected host:port, e.g. ":3030" or "127.0.0.1:3030"',
      "cannot listen on 192.0.2.1:0: this machine has no such address",
    ]);
  });

  it("stops although clients hold on", async () => {
    const { api } = standInApiServer({ exportAll: () => new Promise(() => undefined) });
    const listening = await listen(createApp({ api }), "127.0.0.1:0");
    const [host = "", port] = listening.address.split(":");
    const idle = connect(Number(port), host);
    const idleClosed = new Promise((resolve) => idle.once("close", resolve));
    const busy = assert.rejects(ask(listening.address, { path: `${base}/v6/export` }));
    await ask(listening.address, { path: `${base}/v11/ping` });

    await listening.stop();

    await Promise.all([idleClosed, busy]);
    await assert.rejects(ask(listening.address, { path: `${base}/v11/ping` }), { code: "ECONNREFUSED" });
  });
});
