import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { silentLogger } from "@weir/base";
import { StartedProgram, TempFolder, until } from "@weir/testing";
import { fc, runs } from "@weir/testing/property";
import { TempFolders } from "../../src/git/temp-folders.ts";
import { CountedGit } from "../support/counted-git.ts";
import { GitRig, processesOf, RigClock, upstreamWith } from "../support/git-rig.ts";
import { serveGitDaemon } from "../support/git-server.ts";
import type { TestRepository } from "../support/repository.ts";

/** How often git was started when the work is given up. */
const moments = Array.from({ length: 20 }, (_, index) => index);

describe("git that is told to end", () => {
  it("ends with all its processes when an upstream does not answer, within the time limit", async () => {
    await using silent = await silentServer();
    const clock = new RigClock();
    const timeout = 60_000;
    await using rig = await GitRig.open(`git://127.0.0.1:${silent.port}/x.git`, { timeout, clock });

    rig.repository.start();
    await until("git to connect", () => silent.connections() > 0);
    await clock.advance(timeout);
    const { hindrance } = await rig.status(
      "new",
      /^git clone --mirror: running git command: git \[clone --mirror .*: context deadline exceeded$/,
    );
    assert.equal(hindrance, "timeout");

    assert.deepEqual(await processesOf(rig), []);
    assert.deepEqual(await rig.folders(), ["flux-owner"]);
  });

  it("lets the mirror stop at once, whatever it is doing", async () => {
    await using silent = await silentServer();
    const rig = await GitRig.open(`git://127.0.0.1:${silent.port}/x.git`, { timeout: 3_600_000 });
    rig.repository.start();
    await until("git to connect", () => silent.connections() > 0);

    await rig.repository.stop();

    assert.deepEqual(await processesOf(rig), []);
    assert.deepEqual(await rig.folders(), []);
    await rig[Symbol.asyncDispose]();
  });

  it("leaves a consistent upstream, no locks and no check tags, at whatever moment", async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitDaemon(upstream.root);
    const { numRuns } = runs(moments.length);
    const some = { minLength: Math.min(numRuns, moments.length) };
    const [tried = []] = fc.sample(fc.shuffledSubarray(moments, some), 1);
    for (const [index, attempt] of tried.entries()) {
      const url = index % 2 === 0 ? upstream.url : server.url("upstream.git");
      await assertSurvivesAbort(upstream, url, attempt);
    }
  });
});

describe("folders", () => {
  it("of a process that was killed are removed at the next start, others are left", async () => {
    using folder = new TempFolder();
    folder.write("flux-working-of-someone/else.txt", "x");
    const alive = await TempFolders.open(folder.path, silentLogger);
    const kept = await alive.make("flux-gitclone");
    const script = `import { TempFolders } from ${JSON.stringify(join(import.meta.dirname, "../../src/git/temp-folders.ts"))};
const folders = await TempFolders.open(${JSON.stringify(folder.path)}, { log() {} });
await folders.make("flux-gitclone");
console.log(await folders.make("flux-working"));
setInterval(() => {}, 1000);`;
    await using owner = new StartedProgram(process.execPath, ["--input-type=module", "-e", script]);
    await owner.until("the folders", () => owner.stdout !== "");
    const made = (await readdir(folder.path)).length;
    await owner.end("SIGKILL");

    const next = await TempFolders.open(folder.path, silentLogger);

    assert.equal(made, 6);
    const names = await readdir(folder.path);
    assert.deepEqual(names.map((name) => name.replace(/[0-9a-f]{12}(-\d+)?$/, "<token>$1")).sort(), [
      "flux-gitclone<token>-1",
      "flux-owner<token>",
      "flux-owner<token>",
      "flux-working-of-someone",
    ]);
    assert.ok(names.includes(kept.slice(folder.path.length + 1)));
    await next.close();
    await alive.close();
    assert.deepEqual(await readdir(folder.path), ["flux-working-of-someone"]);
  });
});

/** Begins a start, a commit and a tag, gives up when git was started so often, and looks at what is there then. */
async function assertSurvivesAbort(upstream: TestRepository, url: string, attempt: number): Promise<void> {
  const before = await upstream.upstream("rev-parse", "master");
  const controller = new AbortController();
  using git = new CountedGit();
  const rig = await GitRig.open(url, { programs: git.programs });
  let isOver = false;
  const work = commitAndTag(rig, attempt, controller.signal).then(
    (revision) => revision,
    () => undefined,
  );
  void work.finally(() => (isOver = true));
  await until("the moment", () => git.starts >= attempt || isOver);
  controller.abort(new Error("stop"));

  const done = await work;
  const { tempDir } = rig;
  await rig.repository.stop();

  const where = `given up when git was started ${attempt} times`;
  const after = await upstream.upstream("rev-parse", "master");
  assert.ok(after === before || (await upstream.upstream("rev-parse", "master~1")) === before, where);
  assert.ok(done === undefined || done === after, where);
  if (after !== before) {
    assert.equal(await upstream.upstream("notes", "--ref=flux", "show", after), "n", where);
  }
  await upstream.upstream("fsck", "--strict", "--no-dangling");
  assert.equal(await upstream.upstream("tag", "--list", "flux-write-check-*"), "", where);
  const locks = (await readdir(upstream.bare, { recursive: true })).filter((name) => name.endsWith(".lock"));
  assert.deepEqual(locks, [], where);
  assert.deepEqual(await readdir(tempDir), [], where);
  await rig[Symbol.asyncDispose]();
}

async function commitAndTag(rig: GitRig, attempt: number, signal: AbortSignal): Promise<string> {
  rig.repository.start();
  await rig.repository.ready(signal);
  await using clone = await rig.repository.workingClone(signal);
  await writeFile(join(clone.dir, "a.yaml"), `attempt: ${attempt}\n`);
  const revision = await clone.commitAndPush({ message: "m", author: undefined, note: "n" }, signal);
  await rig.repository.refresh(signal);
  await rig.repository.syncTag("flux-sync").move(revision, signal);
  return revision;
}

/** Takes connections and says nothing. */
async function silentServer(): Promise<{ readonly port: number; connections(): number } & AsyncDisposable> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    connections: () => sockets.length,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
