import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import { fc, runs } from "@weir/testing/property";
import { RevisionManifests } from "../../src/daemon/revision-manifests.ts";
import { findCommittedFiles } from "../../src/manifests/files/find-committed.ts";
import { findManifestFiles } from "../../src/manifests/files/find-files.ts";
import { GitRig, soon, upstreamWith } from "../support/git-rig.ts";
import { configMap } from "../support/manifests.ts";
import { scopes } from "../support/parsed-manifests.ts";

const run = promisify(execFile);

describe("manifests in git", () => {
  it("are read without a checkout, and again only if they changed", async () => {
    await using upstream = await upstreamWith({ "a.yaml": configMap("a"), "sub/b.yaml": configMap("b") });
    await using rig = await GitRig.ready(upstream.url);
    const manifests = manifestsOf(rig);
    const read: string[] = [];
    const onRead = ({ id }: { readonly id: string }): void => void read.push(id);

    await manifests.at(await rig.freshHead(), soon(), { onRead });
    await upstream.push({ "sub/b.yaml": configMap("c") }, "two");
    const { resources } = await manifests.at(await rig.freshHead(), soon(), { onRead });

    assert.deepEqual([...resources.keys()], ["default:configmap/a", "default:configmap/c"]);
    assert.deepEqual(read, ["default:configmap/a", "default:configmap/b", "default:configmap/c"]);
    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner"]);
  });

  it("are those of the commit, whatever refs/replace says", async () => {
    await using upstream = await upstreamWith({ "a.yaml": configMap("signed") });
    const signed = await upstream.upstream("rev-parse", "master");
    const forged = await upstream.push({ "a.yaml": configMap("forged") }, "two");
    const [blob = "", other = ""] = await Promise.all(
      [signed, forged].map((commit) => upstream.upstream("rev-parse", `${commit}:a.yaml`)),
    );
    await upstream.upstream("update-ref", "refs/heads/master", signed);
    await upstream.upstream("update-ref", `refs/replace/${signed}`, forged);
    await upstream.upstream("update-ref", `refs/replace/${blob}`, other);
    await using rig = await GitRig.ready(upstream.url);

    assert.deepEqual(await namesAt(rig, signed), ["default:configmap/signed"]);
  });

  it("are those of a checkout if a manifest is a link", async () => {
    await using upstream = await upstreamWith({ "real/a.txt": configMap("linked") });
    await inClone(upstream.bare, async (dir) => {
      await symlink("real/a.txt", join(dir, "a.yaml"));
    });
    await using rig = await GitRig.ready(upstream.url);

    assert.deepEqual(await namesAt(rig, await rig.freshHead()), ["default:configmap/linked"]);
    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner", "flux-working"]);
  });

  // A filter turns one name into another, so the manifests show whether it ran.
  const filter = ['[filter "rename"]', "smudge = sed s/stored/smudged/", "clean = cat", ""].join("\n");

  it("are those of a checkout if the repository names a filter for them", async () => {
    await using upstream = await upstreamWith({
      "a.yaml": configMap("stored"),
      ".gitattributes": "*.yaml filter=rename\n",
    });
    using home = new TempFolder();
    home.write(".gitconfig", filter);
    await using rig = await GitRig.ready(upstream.url, { home: home.path });

    assert.deepEqual(await namesAt(rig, await rig.freshHead()), ["default:configmap/smudged"]);
  });

  it("are those of a checkout if the configuration of git names a filter for them", async () => {
    await using upstream = await upstreamWith({ "a.yaml": configMap("stored") });
    using home = new TempFolder();
    home.write(".config/git/attributes", "*.yaml filter=rename\n");
    home.write(".gitconfig", filter);
    await using rig = await GitRig.ready(upstream.url, { home: home.path });

    assert.deepEqual(await namesAt(rig, await rig.freshHead()), ["default:configmap/smudged"]);
  });

  it("are those of a checkout if git changes the ends of lines", async () => {
    await using upstream = await upstreamWith({ "a.yaml": configMap("a") });
    using home = new TempFolder();
    home.write(".gitconfig", "[core]\nautocrlf = true\n");
    await using rig = await GitRig.ready(upstream.url, { home: home.path });

    await namesAt(rig, await rig.freshHead());

    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner", "flux-working"]);
  });

  it("fail as those of a checkout if a path doesn't exist", async () => {
    await using upstream = await upstreamWith({ "a.yaml": configMap("a") });
    await using rig = await GitRig.ready(upstream.url);

    await assert.rejects(manifestsOf(rig, ["gone"]).at(await rig.freshHead(), soon()), {
      name: "ManifestError",
      message: /^unable to read root path ".*\/gone": stat .*\/gone: no such file or directory$/,
    });
  });
});

describe("findCommittedFiles", () => {
  it("finds the same files as in a folder, in the same order", async () => {
    const name = fc.constantFrom(
      "a",
      "a-b",
      "a.yaml",
      "b",
      "B.yml",
      ".h",
      "ä.yaml",
      "Chart.yaml",
      "values.yaml",
      "z.txt",
    );
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    const start = fc.oneof(fc.constant("."), path);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 12 }), fc.array(start, { maxLength: 2 }), checkSame),
      runs(200),
    );
  });
});

async function checkSame(paths: readonly string[], starts: readonly string[]): Promise<void> {
  // A file can't also be a folder.
  const files = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
  using folder = new TempFolder();
  for (const path of files) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), "");
  }

  const committed = findCommittedFiles(
    files.map((path) => ({ path, mode: "100644" })),
    starts,
  );
  const { files: found, failure } = await findManifestFiles(folder.path, starts, soon());

  assert.deepEqual(
    committed?.map(({ source }) => source),
    failure === undefined ? found.map(({ source }) => source) : undefined,
  );
}

function manifestsOf(rig: GitRig, paths: readonly string[] = []): RevisionManifests {
  return new RevisionManifests({
    repo: rig.repository,
    scopes: scopes(),
    paths,
    quarantine: false,
    writeBackStyle: "flux",
    generation: undefined,
    logger: rig.log,
  });
}

async function namesAt(rig: GitRig, revision: string): Promise<readonly string[]> {
  return [...(await manifestsOf(rig).at(revision, soon())).resources.keys()];
}

/** Commits and pushes what somebody does in a clone. */
async function inClone(bare: string, change: (dir: string) => Promise<void>): Promise<void> {
  using folder = new TempFolder();
  const git = async (...args: readonly string[]): Promise<void> => {
    await run("git", ["-c", "user.name=T", "-c", "user.email=t@example.test", ...args], { cwd: folder.path });
  };
  await git("clone", "--quiet", bare, ".");
  await change(folder.path);
  await git("add", "--all");
  await git("commit", "--quiet", "--message=change");
  await git("push", "--quiet", "origin", "HEAD:master");
}
