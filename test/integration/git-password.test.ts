import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { serve, TempFolder } from "@weir/testing";
import { GitRig, soon, standingClock, upstreamWith } from "../support/git-rig.ts";
import { serveGitHttp } from "../support/git-server.ts";
import { commandLines, filesWith } from "../support/leaks.ts";

/** A word that no other process of the machine has on its command line. */
const canary = `canary${randomUUID().replaceAll("-", "")}`;
const password = `p@ss/wörd:%${canary}'"$(false)\\0101`;
const secrets = [password, encodeURIComponent(password), canary];

describe("the password in the URL", () => {
  it("is on no command line and in no file while git clones, fetches and pushes", async () => {
    const lines = new Set<string>();
    const look = async (): Promise<void> => (await commandLines()).forEach((line) => lines.add(line));
    await using upstream = await upstreamWith();
    await upstream.upstream("config", "http.receivepack", "true");
    await using server = await serveGitHttp(upstream.root, { user: "bot", password }, look);

    await using rig = await GitRig.ready(server.url("upstream.git"), { clock: standingClock });
    await upstream.push({ "a.yaml": "a: 2\n" }, "two");
    await rig.freshHead();
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "a.yaml"), "a: 3\n");
    const ours = await clone.commitAndPush({ message: "m", author: undefined, note: "n" }, soon());

    assert.equal(await upstream.upstream("rev-parse", "master"), ours);
    for (const command of ["clone", "fetch", "push", "remote-http", "fetch-pack", "send-pack"]) {
      assert.ok(
        [...lines].some((line) => line.includes(command)),
        `${command} was not seen`,
      );
    }
    assert.deepEqual([...lines].filter(holdsSecret), []);
    assert.deepEqual(await filesWith(rig.tempDir, holdsSecret), []);
  });

  it("goes to no other host, port or scheme, wherever a redirect leads", async () => {
    const given: (string | undefined)[] = [];
    await using other = await serve((request, response) => {
      given.push(request.headers.authorization);
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="other"' }).end();
    });
    await using first = await serve((request, response) => {
      response.writeHead(302, { Location: `${other.url}${request.url ?? ""}` }).end();
    });
    const url = first.url.replace("://", `://bot:${encodeURIComponent(password)}@`);
    await using rig = await GitRig.open(`${url}/x.git`, { clock: standingClock });

    rig.repository.start();

    await rig.status("new", /terminal prompts disabled|Authentication failed/);
    assert.ok(given.length > 0);
    assert.deepEqual(new Set(given), new Set([undefined]));
  });

  it("may be a token in the place of the user's name, which then is on no command line either", async () => {
    const token = `ghp_${canary}`;
    const lines = new Set<string>();
    const look = async (): Promise<void> => (await commandLines()).forEach((line) => lines.add(line));
    await using upstream = await upstreamWith();
    await using server = await serveGitHttp(upstream.root, { user: token, password: "x-oauth-basic" }, look);

    await using rig = await GitRig.ready(server.url("upstream.git"), { readonly: true });

    assert.equal(await rig.freshHead(), await upstream.upstream("rev-parse", "master"));
    assert.deepEqual([...lines].filter(holdsSecret), []);
  });
});

describe("a credential helper of the operator's", () => {
  it("is asked where the URL has no password, and not where it has one", async () => {
    using home = new TempFolder();
    const asked = join(home.path, "asked");
    const helper = home.write(
      "helper",
      `#!/bin/sh\ntest "$1" = get || exit 0\n: > ${asked}\nprintf 'username=bot\\npassword=s3cret\\n'\n`,
      0o700,
    );
    home.write(".gitconfig", `[credential]\n\thelper = ${helper}\n`);
    await using upstream = await upstreamWith();
    await using server = await serveGitHttp(upstream.root, { user: "bot", password: "s3cret" });
    const options = { readonly: true, home: home.path };

    await using withPassword = await GitRig.ready(server.url("upstream.git"), options);
    await assert.rejects(stat(asked));
    await using without = await GitRig.ready(`http://127.0.0.1:${server.port}/upstream.git`, options);

    await stat(asked);
    assert.equal(await withPassword.freshHead(), await without.freshHead());
  });
});

function holdsSecret(text: string): boolean {
  return secrets.some((secret) => text.includes(secret));
}

/** The arguments of all processes of the machine. */
