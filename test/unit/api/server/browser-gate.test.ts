import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspectionRoutes, type Route, routes } from "@weir/flux/api";
import { refusalOf } from "../../../../src/api/server/browser-gate.ts";
import { knownHosts } from "../../../../src/api/server/known-hosts.ts";
import {
  chromeToName,
  chromeTrusting,
  chromeTyped,
  firefoxHiding,
  knownPrograms,
  otherPrograms,
} from "../../../support/browser-requests.ts";

type Headers = Readonly<Record<string, string>>;
type Verdict = "passes" | "unknown name" | "other origin";

const hosts = knownHosts(["flux.example.com"], "search team.svc.cluster.local\n");
const services = "/api/flux/v6/services?namespace=x";

function judge(method: string, headers: Headers, url = services): Verdict {
  const refusal = refusalOf({ method, url, headers }, hosts);
  if (refusal === undefined) {
    return "passes";
  }
  assert.match(refusal, /--listen-host/);
  return refusal.includes(" used the host name ") ? "unknown name" : "other origin";
}

const methods = ["GET", "POST", "PATCH"];

function judgeAll(headers: Headers): readonly Verdict[] {
  return [...new Set(methods.map((method) => judge(method, headers)))];
}

describe("a program", () => {
  const ours = ["flux.example.com", "flux.team:3030", "flux.team.svc", "10.0.0.1:3030", "localhost", ""];
  const others = ["evil.example", "flux.corp.example.com:3030", "flux.dev", "flux.team.example.com"];

  for (const [name, headers] of Object.entries({ ...knownPrograms, ...otherPrograms })) {
    it(`passes under fluxd's names: ${name}`, () => {
      for (const host of ours) {
        assert.deepEqual(judgeAll({ ...headers, host }), ["passes"], host);
      }
    });
  }

  for (const [name, headers] of Object.entries(knownPrograms)) {
    it(`passes under any name where it shows what it is: ${name}`, () => {
      for (const host of others) {
        assert.deepEqual(judgeAll({ ...headers, host }), ["passes"], host);
      }
    });
  }

  for (const [name, headers] of Object.entries(otherPrograms)) {
    it(`is refused under a name that is not fluxd's: ${name}`, () => {
      for (const host of others) {
        assert.deepEqual(judgeAll({ ...headers, host }), ["unknown name"], host);
      }
    });

    it(`passes under any name behind a reverse proxy: ${name}`, () => {
      for (const sign of [{ "x-forwarded-for": "10.0.0.9" }, { via: "1.1 proxy" }, { forwarded: "for=a" }]) {
        assert.deepEqual(judgeAll({ ...headers, ...sign, host: "flux.corp.example.com" }), ["passes"]);
      }
    });
  }

  it("may read metrics under any name", () => {
    assert.equal(judge("GET", { "user-agent": "vmagent", host: "a.example.com" }, "/metrics"), "passes");
  });

  it("passes without a Host, as HTTP/1.0 has none", () => {
    assert.equal(judge("GET", { "user-agent": "old" }), "passes");
  });
});

describe("a page that leads its own name to fluxd", () => {
  const host = "evil.example:3030";
  const origin = "http://evil.example:3030";
  const hiding: Headers = { ...chromeToName, "accept-language": "" };
  const pages: readonly (readonly [string, string, Headers])[] = [
    ["reads", "GET", { ...chromeToName, referer: `${origin}/` }],
    ["hides where it reads from", "GET", hiding],
    ["hides as what it reads", "GET", firefoxHiding],
    ["claims to be fetch of Node", "GET", { ...firefoxHiding, "user-agent": "node", "accept-language": "*" }],
    ["reads in a frame", "GET", { ...chromeToName, "upgrade-insecure-requests": "1" }],
    ["claims to be fluxctl", "GET", { ...firefoxHiding, "user-agent": "Go-http-client/1.1" }],
    ["claims to be behind a proxy", "GET", { ...firefoxHiding, "x-forwarded-for": "10.0.0.9" }],
    ["writes", "POST", { ...chromeToName, origin, "content-type": "text/plain" }],
    ["writes and hides", "PATCH", { ...firefoxHiding, origin }],
    ["is trusted by an odd browser", "GET", { ...chromeTrusting, "sec-fetch-site": "same-origin" }],
    ["is trusted when it writes", "POST", { ...chromeTrusting, "sec-fetch-site": "same-origin", origin }],
    ["claims a typed address for a change", "POST", { ...chromeTyped, origin }],
  ];
  for (const [what, method, headers] of pages) {
    it(`is refused: ${what}`, () => {
      assert.equal(judge(method, { ...headers, host }), "unknown name");
    });
  }
});

describe("a page of another origin", () => {
  const pages: readonly (readonly [string, string, Headers])[] = [
    [
      "reads this machine",
      "GET",
      { host: "localhost:3030", ...chromeTrusting, "sec-fetch-site": "cross-site" },
    ],
    [
      "posts text",
      "POST",
      {
        host: "127.0.0.1:3030",
        ...chromeTrusting,
        "sec-fetch-site": "cross-site",
        origin: "https://evil.example",
        "content-type": "text/plain",
      },
    ],
    [
      "posts a form to an address",
      "POST",
      { host: "10.0.0.1:3030", ...chromeToName, origin: "http://evil.example" },
    ],
    ["is in a sandbox", "POST", { host: "localhost:3030", ...chromeToName, origin: "null" }],
    [
      "is of another port of this machine",
      "POST",
      {
        host: "localhost:3030",
        ...chromeTrusting,
        "sec-fetch-site": "same-site",
        origin: "http://localhost:8080",
      },
    ],
    [
      "is of a sister of a listed name",
      "GET",
      { host: "flux.example.com", ...chromeTrusting, "sec-fetch-site": "same-site" },
    ],
    [
      "is of another name of this machine",
      "POST",
      { host: "127.0.0.1:3030", ...chromeToName, origin: "http://localhost:3030" },
    ],
    [
      "asks whether it may",
      "OPTIONS",
      {
        host: "localhost:3030",
        ...chromeTrusting,
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site",
        "access-control-request-method": "PATCH",
      },
    ],
    [
      "is an extension",
      "POST",
      {
        host: "localhost:3030",
        ...chromeTrusting,
        "sec-fetch-site": "none",
        origin: "chrome-extension://abc",
      },
    ],
    [
      "claims to be of no page at all",
      "POST",
      { host: "localhost:3030", ...chromeToName, origin: "localhost:3030" },
    ],
    [
      "says so by the Referer alone",
      "POST",
      { host: "localhost:3030", ...chromeToName, referer: "http://evil.example/" },
    ],
    [
      "opens a websocket",
      "GET",
      { host: "127.0.0.1:3030", origin: "http://evil.example", upgrade: "websocket", connection: "Upgrade" },
    ],
  ];
  for (const [what, method, headers] of pages) {
    it(`is refused: it ${what}`, () => {
      assert.equal(judge(method, headers), "other origin");
    });
  }
});

describe("a browser", () => {
  const own = { ...chromeTrusting, "sec-fetch-site": "same-origin" };
  const uses: readonly (readonly [string, string, Headers])[] = [
    ["of somebody who typed the address of this machine", "GET", { ...chromeTyped, host: "localhost:3030" }],
    [
      "of somebody who typed a proxy's name under https:",
      "GET",
      { ...chromeTyped, host: "flux.corp.example.com" },
    ],
    ["of somebody who typed an address under http:", "GET", { ...chromeToName, host: "10.0.0.1:3030" }],
    ["on a page of fluxd's own", "GET", { ...own, host: "localhost:3030" }],
    [
      "on a page of a listed name",
      "POST",
      { ...own, host: "flux.example.com", origin: "https://flux.example.com" },
    ],
    [
      "on a page of a listed name under http:",
      "POST",
      { ...chromeToName, host: "flux.example.com:80", origin: "http://flux.example.com" },
    ],
    [
      "behind a proxy that drops the port",
      "POST",
      { ...chromeToName, host: "flux.example.com", origin: "http://flux.example.com:8080" },
    ],
    [
      "behind a proxy that changes the Host, under https:",
      "POST",
      { ...own, host: "flux:3030", origin: "https://any.example.com" },
    ],
    [
      "behind a proxy that changes the Host to ours, with its own name listed",
      "POST",
      { ...chromeToName, host: "10.0.0.1:3030", origin: "http://flux.example.com" },
    ],
    [
      "that does not tell, on a page of this machine",
      "POST",
      { ...chromeToName, host: "localhost:3030", referer: "http://localhost:3030/debug/pprof/" },
    ],
  ];
  for (const [who, method, headers] of uses) {
    it(`passes ${who}`, () => {
      assert.equal(judge(method, headers), "passes");
    });
  }

  it("may ping under any name, and do no more there", () => {
    const headers = { ...chromeToName, host: "status.example.com" };

    assert.equal(judge("GET", headers, "/api/flux/v11/ping"), "passes");
    assert.equal(judge("HEAD", headers, "/api/flux/v11/ping?x"), "passes");
    assert.equal(judge("POST", headers, "/api/flux/v11/ping"), "unknown name");
    assert.equal(judge("GET", headers, "/api/flux/v11/ping/../version"), "unknown name");
    assert.equal(judge("GET", headers, "/metrics"), "unknown name");
  });
});

describe("the routes", () => {
  it("change something only where browsers send an Origin", () => {
    const all: readonly Route[] = [...Object.values(routes), ...Object.values(inspectionRoutes)];
    const byGet = all.filter(({ methods }) => methods.includes("GET")).map(({ name }) => name);

    assert.deepEqual(byGet, [
      "Ping",
      "Version",
      "ListServices",
      "ListServicesWithOptions",
      "ListImages",
      "ListImagesWithOptions",
      "JobStatus",
      "SyncStatus",
      "Export",
      "GetPublicSSHKey",
      "Events",
      "Diff",
      "SyncSettings",
      "Tree",
      "Verification",
      "PendingDeletions",
      "LastSync",
      "ImageScans",
      "ExportEverything",
      "Why",
      "Suspensions",
      "Status",
      "History",
    ]);
  });
});
