import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { TempFolder, until } from "@weir/testing";
import { Fluxd } from "../support/fluxd.ts";
import { runFluxd } from "../support/run-fluxd.ts";

const gitUrl = "http://deploy:secret-canary@127.0.0.1:9/none.git";

async function startFluxd(...flags: string[]): Promise<Fluxd> {
  const fluxd = await Fluxd.start({ gitUrl, flags: ["--embedded-cluster", ...flags] });
  await using unless = new AsyncDisposableStack();
  unless.use(fluxd);
  await fluxd.logged(/ addr=127\.0\.0\.1:/);
  unless.move();
  return fluxd;
}

describe("/debug/pprof/", () => {
  let fluxd: Fluxd;
  before(async () => {
    fluxd = await startFluxd("--token=token-canary");
  });
  after(() => fluxd[Symbol.asyncDispose]());

  const get = (path: string): Promise<Response> => fetch(`${fluxd.baseUrl}/debug/pprof${path}`);

  it("says what there is", async () => {
    const response = await get("");
    const page = await response.text();

    assert.equal(response.url, `${fluxd.baseUrl}/debug/pprof/`);
    assert.equal(response.status, 200);
    for (const name of ["cmdline", "goroutine", "heap", "profile", "symbol", "trace"]) {
      assert.match(page, new RegExp(`<a href="${name}">`));
    }
  });

  for (const path of ["/profile?seconds=0.2", "/trace?seconds=0.1"]) {
    it(`takes a profile of the processor: ${path}`, async () => {
      const response = await get(path);

      assert.equal(response.status, 200);
      assert.match(
        response.headers.get("content-disposition") ?? "",
        /^attachment; filename=".+\.cpuprofile"$/,
      );
      const profile = (await response.json()) as { nodes: readonly unknown[]; samples: readonly unknown[] };
      assert.ok(profile.nodes.length > 0 && profile.samples.length > 0);
    });
  }

  it("takes a profile of the heap", async () => {
    const response = await get("/heap?seconds=0.1");

    assert.equal(response.status, 200);
    const profile = (await response.json()) as { head: object };
    assert.ok("callFrame" in profile.head);
  });

  it("takes one at a time, and another when who asked for it is gone", async () => {
    const leaving = new AbortController();
    const first = fetch(`${fluxd.baseUrl}/debug/pprof/profile?seconds=300`, { signal: leaving.signal });
    first.catch(() => undefined);
    await until("the first to be under way", async () => (await get("/heap?seconds=0.01")).status === 500);

    leaving.abort();

    await until("the first to be given up", async () => (await get("/heap?seconds=0.01")).status === 200);
  });

  for (const seconds of ["0", "301", "soon"]) {
    it(`does not watch for ${JSON.stringify(seconds)} seconds`, async () => {
      const response = await get(`/profile?seconds=${seconds}`);

      assert.equal(response.status, 400);
      assert.equal(
        await response.text(),
        `seconds=${JSON.stringify(seconds)}: specify a number greater than 0 and at most 300\n`,
      );
    });
  }

  it("shows how the process was started, without its secrets", async () => {
    const text = await (await get("/cmdline")).text();

    assert.match(text, /--token=<redacted>/);
    assert.match(text, /--git-url=http:\/\/deploy@127\.0\.0\.1:9\/none\.git/);
    assert.doesNotMatch(text, /canary/);
  });

  it("counts what is waited for, and answers Go's tools", async () => {
    assert.match(await (await get("/goroutine")).text(), /^\d+ \w+$/m);
    assert.equal(await (await get("/symbol")).text(), "num_symbols: 1\n");
    assert.equal((await get("/no-such-thing")).status, 404);
  });
});

describe("--listen-token-file", () => {
  const folder = new TempFolder();
  const file = join(folder.path, "token");
  let fluxd: Fluxd;
  before(async () => {
    await writeFile(file, "sesame\n");
    fluxd = await startFluxd(`--listen-token-file=${file}`);
  });
  after(async () => {
    await fluxd[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const ask = async (path: string, token?: string): Promise<number> => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return (await fetch(`${fluxd.baseUrl}${path}`, { headers })).status;
  };

  it("asks for the token, but not of probes", async () => {
    const version = "/api/flux/v11/version";

    assert.deepEqual(
      [await ask(version), await ask(version, "wrong"), await ask(version, "sesame")],
      [401, 401, 200],
    );
    assert.deepEqual([await ask("/debug/pprof/"), await ask("/nothing")], [401, 401]);
    assert.deepEqual([await ask("/api/flux/v11/ping"), await ask("/metrics")], [204, 200]);
  });

  it("is read anew, so that the token can be changed", async () => {
    await writeFile(file, "changed");

    assert.deepEqual(
      [await ask("/api/flux/v11/version", "sesame"), await ask("/api/flux/v11/version", "changed")],
      [401, 200],
    );
  });

  it("has to be there, with something in it", async () => {
    await writeFile(join(folder.path, "empty"), "\n");
    for (const [path, error] of [
      [join(folder.path, "none"), /err="cannot read the file given by --listen-token-file: ENOENT: /],
      [join(folder.path, "empty"), /err="the file given by --listen-token-file is empty: /],
    ] as const) {
      const { code, stderr } = await runFluxd([
        `--git-url=${gitUrl}`,
        "--embedded-cluster",
        "--listen=127.0.0.1:0",
        `--listen-token-file=${path}`,
      ]);

      assert.equal(code, 1);
      assert.match(stderr, error);
    }
  });
});

describe("a listener that everybody can reach", () => {
  it("is warned of, unless it asks for a token", async () => {
    await using open = await Fluxd.start({ gitUrl, flags: ["--embedded-cluster", "--listen=:0"] });

    await open.logged(
      /warning="everyone who can reach this address can use the API; set --listen-token-file, .*" addr=:0/,
    );
  });
});
