import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { gitLimits, silentLogger } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { TempFolders } from "../../src/git/temp-folders.ts";
import { pushPath, pushTree, writeBlob, writeTree, writeTreeBomb } from "../support/git-objects.ts";
import { GitRig, RigClock, soon, standingClock, upstreamWith } from "../support/git-rig.ts";

/** A rig that only reads has nothing to check at its start. */
const reading = { clock: standingClock, readonly: true };

describe("a commit that would fill the disk or the memory", () => {
  it("of ten million files in seventy trees is refused, each time, and the next one goes through", async () => {
    await using upstream = await upstreamWith();
    const limits = { ...gitLimits, files: 10_000 };
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock, limits });
    const kept = await rig.repository.export(await rig.freshHead(), soon());
    await kept[Symbol.asyncDispose]();
    const before = await rig.folders();
    const bomb = await pushTree(upstream, await writeTreeBomb(upstream, 7, 10));
    await rig.freshHead();

    for (let sync = 0; sync < 3; sync += 1) {
      const refusal = { name: "OversizedCommitError", revision: bomb };
      await assert.rejects(rig.repository.export(bomb, soon()), refusal);
      await assert.rejects(rig.repository.treeEntries(bomb, soon()), refusal);
      await assert.rejects(rig.repository.workingClone(soon()), refusal);
    }

    assert.deepEqual(await rig.folders(), before);
    await upstream.push({ "b.yaml": "b: 1\n" }, "without it");
    await using exported = await rig.repository.export(await rig.freshHead(), soon());
    assert.equal(exported.dir, kept.dir);
    assert.deepEqual(await readdir(exported.dir), [".git", "a.yaml", "b.yaml"]);
  });

  it("of folders without a file is refused too", async () => {
    await using upstream = await upstreamWith();
    const limits = { ...gitLimits, files: 10 };
    await using rig = await GitRig.ready(upstream.url, { ...reading, limits });
    let id = await writeTree(upstream, []);
    for (const width of [4, 4]) {
      const below = id;
      const names = Array.from({ length: width }, (_, i) => String(i));
      id = await writeTree(
        upstream,
        names.map((name) => ({ mode: "040000", name, id: below })),
      );
    }
    const revision = await pushTree(upstream, id);
    await rig.freshHead();

    await assert.rejects(rig.repository.export(revision, soon()), {
      name: "OversizedCommitError",
      kind: "files",
    });
  });

  it("of one large file, small as it is in git, is refused by the size that it would have", async () => {
    await using upstream = await upstreamWith();
    const limits = { ...gitLimits, content: 1_000_000 };
    await using rig = await GitRig.ready(upstream.url, { ...reading, limits });
    const id = await writeBlob(upstream, Buffer.alloc(2_000_000));
    const revision = await pushTree(
      upstream,
      await writeTree(upstream, [{ mode: "100644", name: "zeros", id }]),
    );
    await rig.freshHead();

    await assert.rejects(rig.repository.export(revision, soon()), {
      name: "OversizedCommitError",
      kind: "content",
      message: /its files are larger than 1000000 bytes; "zeros" alone has 2000000; remove the files/,
    });
  });

  it("with a path that is too long to be removed again is refused", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock });
    const before = await rig.folders();
    const revision = await pushPath(upstream, `${"d/".repeat(2_100)}a.yaml`);
    await rig.freshHead();

    await assert.rejects(rig.repository.export(revision, soon()), {
      name: "OversizedCommitError",
      kind: "path",
    });
    await assert.rejects(rig.repository.workingClone(soon()), { name: "OversizedCommitError", kind: "path" });

    assert.deepEqual(await rig.folders(), before);
  });
});

describe("a note that is longer than any of ours", () => {
  it("counts as none", async () => {
    await using upstream = await upstreamWith();
    const head = await upstream.upstream("rev-parse", "master");
    await upstream.upstream("notes", "--ref=flux", "add", "-m", "x".repeat(2_000), head);
    const limits = { ...gitLimits, note: 1_000 };
    await using rig = await GitRig.ready(upstream.url, { ...reading, limits });
    await using whole = await GitRig.ready(upstream.url, reading);

    assert.equal(await rig.repository.note(head, soon()), undefined);
    assert.equal(await whole.repository.note(head, soon()), `${"x".repeat(2_000)}\n`);
  });
});

describe("a git server", () => {
  it("that talks without end is not listened to, and all of git ends", async () => {
    await using server = await talkativeServer();
    const limits = { ...gitLimits, messages: 1_000_000 };
    await using rig = await GitRig.open(`git://127.0.0.1:${server.port}/x.git`, {
      clock: standingClock,
      limits,
    });

    rig.repository.start();

    const { error } = await rig.status("new", /stopped: it printed more than 1000000 bytes of messages/);
    assert.ok(error.length < 1_000);
    assert.deepEqual(await rig.folders(), ["flux-owner"]);
  });

  it("that sends more than may be fetched is not listened to either, and what came is gone", async () => {
    await using upstream = await upstreamWith();
    const limits = { ...gitLimits, fetched: 1_000_000 };
    using home = new TempFolder();
    const clock = new RigClock();
    await using rig = await GitRig.ready(upstream.url, { clock, limits, home: home.path });
    await slowPack(home);
    await upstream.push({ "noise.yaml": `# ${noise(3_000_000)}\n` }, "noise");

    await assert.rejects(rig.repository.refresh(soon()), { name: "OversizedFetchError" });

    rig.repository.notify();
    await rig.status("new", /^git fetch: stopped after 1000000 bytes/);
    await clock.sleeping((ms) => ms > 7_900 && ms <= 10_000);
    await clock.advance(10_000);
    await clock.sleeping((ms) => ms > 15_900 && ms <= 20_000);
    assert.doesNotMatch(rig.log.lines.join("\n"), /cloning it again/);
    const files = await readdir(rig.tempDir, { recursive: true });
    assert.deepEqual(
      files.filter((name) => name.includes("tmp_")),
      [],
    );
  });
});

describe("folders that are too deep for their paths", () => {
  it("are removed when they are no longer needed, and stop neither an end nor a start", async () => {
    using folder = new TempFolder();
    const folders = await TempFolders.open(folder.path, silentLogger);
    const working = await folders.make("flux-working");
    await makeDeep(working);

    await folders.remove(working);
    await makeDeep(await folders.make("flux-working"));
    await folders.close();

    assert.deepEqual(await readdir(folder.path), []);
  });

  it("are removed at the next start where a process that was killed left them", async () => {
    using folder = new TempFolder();
    const token = "0123456789ab";
    folder.write(`flux-owner${token}`, [hostname(), "4999999999", "", "1"].join("\n"));
    const left = join(folder.path, `flux-working${token}-1`);
    await mkdir(left);
    await makeDeep(left);

    const folders = await TempFolders.open(folder.path, silentLogger);
    const names = await readdir(folder.path);
    await folders.close();

    assert.equal(names.length, 1);
    assert.deepEqual(await readdir(folder.path), []);
  });
});

/** Has git write no more than a part of what it fetches, and then nothing more. */
async function slowPack(home: TempFolder): Promise<void> {
  const script = home.write("slow-pack", '#!/bin/sh\n"$@" | { head -c 2000000; exec sleep 1000; }\n');
  await chmod(script, 0o755);
  home.write(".gitconfig", `[uploadpack]\n\tpackObjectsHook = ${script}\n`);
}

/** Text that does not get shorter in a pack. */
function noise(length: number): string {
  return randomBytes(length / 2).toString("hex");
}

/** Folders in one another, whose path is longer than any that the system takes at once. */
async function makeDeep(folder: string): Promise<void> {
  const script = `const { mkdirSync } = require("fs"); for (let i = 0; i < 500; i += 1) { mkdirSync("a-folder"); process.chdir("a-folder"); }`;
  await promisify(execFile)(process.execPath, ["-e", script], { cwd: folder });
}

/** A git server that answers every clone with messages, and never with a pack. */
async function talkativeServer(): Promise<{ readonly port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const id = "a".repeat(40);
    socket.write(`${packet(`${id} HEAD\0side-band-64k\n`)}${packet(`${id} refs/heads/master\n`)}0000`);
    socket.on("data", (bytes) => {
      if (bytes.includes("done\n")) {
        socket.write(packet("NAK\n"));
        void talk(socket);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}

async function talk(socket: Socket): Promise<void> {
  const line = packet(`\x02${"x".repeat(60_000)}\n`);
  while (!socket.destroyed) {
    if (!socket.write(line)) {
      await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => undefined);
    }
  }
}

/** A line of git's protocol. */
function packet(line: string): string {
  return (line.length + 4).toString(16).padStart(4, "0") + line;
}
