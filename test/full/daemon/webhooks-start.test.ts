import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, describe, it } from "node:test";
import { freePort, serve, TempFolder } from "@weir/testing";
import { Fluxd } from "../../support/fluxd.ts";
import { googleToken } from "../../support/webhooks.ts";

const gitUrl = "http://127.0.0.1:9/none.git";

describe("--listen-webhooks", () => {
  const folder = new TempFolder();
  after(() => folder[Symbol.dispose]());

  /** A configuration for these sources, each with its name as the key. */
  function configOf(...sources: readonly string[]): string {
    const endpoints = sources.map((source) => {
      folder.write(`${source}.key`, `canary-key-of-${source}`);
      return { source, keyPath: `${source}.key` };
    });
    return folder.write("fluxrecv.yaml", JSON.stringify({ fluxRecvVersion: 1, endpoints }));
  }

  function digestOf(source: string): string {
    return createHash("sha256").update(`canary-key-of-${source}`).digest("hex");
  }

  it("says where which webhooks are expected, and no key, nor a URL that is one", async () => {
    const config = configOf("GitHub", "DockerHub");

    await using fluxd = await Fluxd.start({
      gitUrl,
      flags: ["--embedded-cluster", "--listen-webhooks=127.0.0.1:0", `--webhooks-config=${config}`],
    });
    await fluxd.logged(/ component=webhooks addr=127\.0\.0\.1:0/);

    const lines = fluxd.log.split("\n").filter((line) => line.includes(" component=webhooks "));
    assert.deepEqual(
      lines.map((line) => line.replace(/^.* component=webhooks /, "")),
      [
        `endpoint=GitHub key=${folder.path}/GitHub.key hook=/hook/${digestOf("GitHub")}`,
        `endpoint=DockerHub key=${folder.path}/DockerHub.key hook=/hook/${digestOf("DockerHub").slice(0, 8)}…`,
        `warning="everyone who knows the URL can send requests" endpoint=DockerHub key=${folder.path}/DockerHub.key`,
        "addr=127.0.0.1:0",
      ],
    );
    assert.doesNotMatch(fluxd.log, /canary/);
  });

  it("asks for Google's keys by the proxy of the environment, and has Google try again where it cannot", async () => {
    const asked: string[] = [];
    await using proxy = await serve((_request, response) => void response.end());
    proxy.server.on("connect", ({ url = "" }, socket) => {
      asked.push(url);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    const gcr = { audience: "https://hooks.example.com" };
    folder.write("gcr.key", "canary-key-of-gcr");
    const endpoint = { source: "GoogleContainerRegistry", keyPath: "gcr.key", gcr };
    const config = folder.write("gcr.yaml", JSON.stringify({ fluxRecvVersion: 1, endpoints: [endpoint] }));
    const hooks = `127.0.0.1:${await freePort()}`;
    await using fluxd = await Fluxd.start({
      gitUrl,
      flags: ["--embedded-cluster", `--listen-webhooks=${hooks}`, `--webhooks-config=${config}`],
      env: { HTTPS_PROXY: proxy.url },
    });
    await fluxd.logged(/ component=webhooks addr=/);
    const token = await googleToken({ aud: gcr.audience });

    const answer = await fetch(`http://${hooks}/hook/${digestOf("gcr")}`, {
      method: "POST",
      body: "{}",
      headers: { Authorization: `Bearer ${token}` },
    });

    assert.equal(answer.status, 503);
    assert.deepEqual([...new Set(asked)], ["www.googleapis.com:443"]);
    await fluxd.logged(/ refused="cannot get https:\/\/www\.googleapis\.com\/oauth2\/v3\/certs: /);
    assert.ok(!fluxd.log.includes(token) && !fluxd.log.includes("canary"));
  });
});
