import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { RevisionManifests } from "../../src/daemon/revision-manifests.ts";
import { NoChangesError } from "../../src/git/errors.ts";
import type { Reveal } from "../../src/git/reveal.ts";
import { GitRig, type RigOptions, soon, upstreamWith } from "../support/git-rig.ts";
import { scopes } from "../support/parsed-manifests.ts";
import type { TestRepository } from "../support/repository.ts";

const run = promisify(execFile);

/** Decrypts each of the files that `list` names, one a line, from NAME.secret, which has "secret " before the content. */
const reveal: Reveal = async (dir) => {
  const names = (await readFile(join(dir, "list"), "utf8")).split("\n").filter((name) => name !== "");
  return await Promise.all(
    names.map(async (path) => {
      const [, content = ""] = (await readFile(join(dir, `${path}.secret`), "utf8")).split("secret ");
      await writeFile(join(dir, path), content);
      const id = createHash("sha1").update(`blob ${content.length}\0${content}`).digest("hex");
      return { path, mode: "100644", id };
    }),
  );
};

const hidden = { list: "s.yaml\n", "s.yaml.secret": "secret s: 1\n", ".gitignore": "s.yaml\n" };

function rigOf(upstream: TestRepository, options: RigOptions = {}): Promise<GitRig> {
  return GitRig.ready(upstream.url, { reveal, ...options });
}

describe("an export with decrypted files", () => {
  it("is in a folder of its own that nobody else can read, and is removed afterwards", async () => {
    await using upstream = await upstreamWith(hidden);
    await using rig = await rigOf(upstream);
    const revision = await rig.freshHead();

    const first = await rig.repository.export(revision, soon());
    const second = await rig.repository.export(revision, soon());

    assert.equal(await readFile(join(first.dir, "s.yaml"), "utf8"), "s: 1\n");
    assert.equal((await stat(first.dir)).mode & 0o777, 0o700);
    assert.notEqual(first.dir, second.dir);
    assert.deepEqual(
      first.revealed.map(({ path }) => path),
      ["s.yaml"],
    );
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner"]);
  });

  it("fails, and leaves nothing, if a file can't be decrypted", async () => {
    await using upstream = await upstreamWith({ list: "gone\n" });
    await using rig = await rigOf(upstream);

    await assert.rejects(rig.repository.export(await rig.freshHead(), soon()), {
      name: "RevealError",
      message: /^git secret reveal -f: .*gone\.secret/,
    });
    await assert.rejects(rig.repository.workingClone(soon()), { name: "RevealError" });

    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner"]);
  });
});

describe("a commit of a clone with decrypted files", () => {
  const cases: Readonly<Record<string, { readonly ignored: boolean; readonly wholeTree: boolean }>> = {
    "that are ignored": { ignored: true, wholeTree: false },
    "that aren't ignored": { ignored: false, wholeTree: false },
    "that are ignored, with generators": { ignored: true, wholeTree: true },
    "that aren't ignored, with generators": { ignored: false, wholeTree: true },
  };
  for (const [what, { ignored, wholeTree }] of Object.entries(cases)) {
    it(`${what} doesn't contain them, even after changes`, async () => {
      await using upstream = await upstreamWith({
        ...hidden,
        ".gitignore": ignored ? "s.yaml\n" : "",
        a: "1",
      });
      await using rig = await rigOf(upstream, { wholeTree });
      await using clone = await rig.repository.workingClone(soon());
      assert.equal(await readFile(join(clone.dir, "s.yaml"), "utf8"), "s: 1\n");
      await writeFile(join(clone.dir, "s.yaml"), "s: 2\n");
      await writeFile(join(clone.dir, "a"), "2");

      await clone.commitAndPush({ message: "m", author: undefined, note: "{}" }, soon());

      assert.equal(await upstream.upstream("show", "--format=", "--name-only", "master"), "a");
      assert.ok(!existsSync(join(clone.dir, "s.yaml")));
      assert.match(
        rig.log.lines.join("\n"),
        /changes to files that git-secret hides aren't committed.*files=s\.yaml/,
      );
    });
  }

  it("that git has too, without encryption, doesn't change those", async () => {
    await using upstream = await upstreamWith({ ...hidden, ".gitignore": "", "s.yaml": "s: old\n", a: "1" });
    await using rig = await rigOf(upstream, { wholeTree: true });
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "a"), "2");

    await clone.commitAndPush({ message: "m", author: undefined, note: "{}" }, soon());

    assert.equal(await upstream.upstream("show", "--format=", "--name-only", "master"), "a");
    assert.equal(await upstream.upstream("show", "master:s.yaml"), "s: old");
    assert.match(
      rig.log.lines.join("\n"),
      /contains files that git-secret hides, without encryption.*files=s\.yaml/,
    );
  });

  it("doesn't contain them even if a command has staged them", async () => {
    await using upstream = await upstreamWith({ ...hidden, a: "1" });
    await using rig = await rigOf(upstream, { wholeTree: true });
    await using clone = await rig.repository.workingClone(soon());
    await run("git", ["add", "--force", "s.yaml"], { cwd: clone.dir });
    await writeFile(join(clone.dir, "a"), "2");

    await clone.commitAndPush({ message: "m", author: undefined, note: "{}" }, soon());

    assert.equal(await upstream.upstream("show", "--format=", "--name-only", "master"), "a");
  });

  it("isn't made if nothing else was changed", async () => {
    await using upstream = await upstreamWith(hidden);
    await using rig = await rigOf(upstream, { wholeTree: true });
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "s.yaml"), "s: 2\n");

    await assert.rejects(
      clone.commitAndPush({ message: "m", author: undefined, note: "{}" }, soon()),
      NoChangesError,
    );
  });
});

describe("the manifests of a revision with decrypted files", () => {
  const configMap = (name: string): string =>
    `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`;

  it("are never those of an earlier decryption", async () => {
    const plain = configMap("one");
    await using upstream = await upstreamWith({
      list: "s.yaml\n",
      "s.yaml": plain,
      "s.yaml.secret": `secret ${plain}`,
    });
    await using rig = await rigOf(upstream);
    const manifests = new RevisionManifests({
      repo: rig.repository,
      scopes: scopes(),
      paths: [],
      quarantine: false,
      writeBackStyle: "flux",
      generation: undefined,
      logger: rig.log,
    });
    const namesAt = async (revision: string): Promise<readonly string[]> => [
      ...(await manifests.at(revision, soon())).resources.keys(),
    ];

    const first = await namesAt(await rig.freshHead());
    await upstream.push({ "s.yaml.secret": `secret ${configMap("two")}` }, "two");
    const second = await namesAt(await rig.freshHead());
    await upstream.push({ list: "" }, "three");
    const third = await namesAt(await rig.freshHead());

    assert.deepEqual([first, second, third].flat(), [
      "default:configmap/one",
      "default:configmap/two",
      "default:configmap/one",
    ]);
  });
});
