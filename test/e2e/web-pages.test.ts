import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { freePort, TempFolder, until } from "@weir/testing";
import { chromeToName, chromeTrusting, firefoxHiding } from "../support/browser-requests.ts";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { deployment } from "../support/manifests.ts";
import { ask, type RawAnswer, type RawRequest } from "../support/raw-http.ts";
import { TestRepository } from "../support/repository.ts";

const api = "/api/flux";
const change = JSON.stringify({
  type: "policy",
  cause: { User: "page", Message: "owned" },
  spec: { "default:deployment/web": { add: { automated: "true" }, remove: null } },
});
const crossSite = { ...chromeTrusting, "sec-fetch-site": "cross-site", origin: "https://evil.example" };

describe("pages of the web", () => {
  const folder = new TempFolder();
  let repository: TestRepository;
  let fluxd: Fluxd;
  let metricsPort: number;
  before(async () => {
    repository = await TestRepository.create({ "web.yaml": deployment("web") });
    metricsPort = await freePort();
    const token = join(folder.path, "token");
    await writeFile(token, "sesame");
    fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: [
        "--embedded-cluster",
        "--listen-host=flux.example.com",
        `--listen-metrics=127.0.0.1:${metricsPort}`,
        `--listen-token-file=${token}`,
      ],
    });
    await until("the first sync", async () => {
      const tags = await repository.upstream("tag", "--list", "flux-sync");
      return tags.trim() === "flux-sync";
    });
  });
  after(async () => {
    await fluxd[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** As a page whose person has the token, at worst. */
  const send = ({ headers = {}, ...request }: RawRequest): Promise<RawAnswer> =>
    ask(fluxd.baseUrl.slice("http://".length), {
      ...request,
      headers: { Authorization: "Bearer sesame", ...headers },
    });
  const port = (): string => fluxd.baseUrl.split(":").at(-1) ?? "";

  const attacks: readonly (readonly [string, () => RawRequest])[] = [
    [
      "a change as text, from another site",
      () => ({
        method: "POST",
        path: `${api}/v9/update-manifests`,
        headers: { ...crossSite, "content-type": "text/plain" },
        body: change,
      }),
    ],
    [
      "a change from a name that leads to fluxd",
      () => ({
        method: "POST",
        path: `${api}/v9/update-manifests`,
        headers: {
          ...chromeToName,
          host: `evil.example:${port()}`,
          origin: `http://evil.example:${port()}`,
        },
        body: change,
      }),
    ],
    [
      "what the cluster runs, from a name that leads to fluxd",
      () => ({ path: `${api}/v6/export`, headers: { ...firefoxHiding, host: `evil.example:${port()}` } }),
    ],
  ];
  for (const [what, attack] of attacks) {
    it(`are refused ${what}`, async () => {
      const before = await repository.upstream("rev-parse", "master");

      const { status, body, headers } = await send(attack());

      assert.equal(status, 403);
      assert.match(body, /^403 Forbidden: .*--listen-host/);
      const grants = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
      assert.deepEqual(grants, []);
      assert.equal(await repository.upstream("rev-parse", "master"), before);
    });
  }

  it("learn nothing of the token: they are refused before it is looked at", async () => {
    const { status } = await send({
      path: `${api}/v11/version`,
      headers: { ...crossSite, Authorization: "Bearer wrong" },
    });

    assert.equal(status, 403);
  });

  it("cannot open a websocket", async () => {
    const socket = connect(Number(port()), "127.0.0.1");
    await once(socket, "connect");
    socket.end(
      `GET ${api}/v11/version HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );

    assert.match(await textOf(socket), /^HTTP\/1\.1 403 /);
  });

  it("cannot read metrics where these have an address of their own", async () => {
    const scrape = (headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
      ask(`127.0.0.1:${metricsPort}`, { path: "/metrics", headers });

    const page = await scrape({ ...chromeToName, host: `evil.example:${metricsPort}` });
    const prometheus = await scrape({ host: `10.244.0.7:${metricsPort}`, "user-agent": "Prometheus/2.53.0" });

    assert.deepEqual([page.status, prometheus.status], [403, 200]);
  });

  it("of a listed name may use the API, as fluxctl may under any", async () => {
    const listed = {
      ...chromeTrusting,
      host: "flux.example.com",
      origin: "https://flux.example.com",
      "sec-fetch-site": "same-origin",
    };
    const read = (headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
      send({ path: `${api}/v6/services`, headers });

    const answers = await Promise.all([
      read(listed),
      read({ host: "flux.corp.example.com", "user-agent": "Go-http-client/1.1" }),
      read({ host: "evil.example" }),
    ]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 403],
    );
    const automated = await fluxctl(fluxd, "automate", "-w", "deployment/web", "--token=sesame");
    assert.equal(automated.code, 0, automated.stderr);
  });
});
