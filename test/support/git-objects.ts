import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { TestRepository } from "./repository.ts";

/** A thing in a tree: a mode, a name in bytes, and the id of an object. */
export interface TreeItem {
  readonly mode: "100644" | "040000";
  readonly name: string | Buffer;
  readonly id: string;
}

/** Stores a blob in an upstream; resolves to its id. */
export function writeBlob(upstream: TestRepository, content: string | Buffer): Promise<string> {
  return git(upstream, ["hash-object", "-w", "--stdin"], content);
}

/** Stores a tree in an upstream; resolves to its id. */
export function writeTree(upstream: TestRepository, items: readonly TreeItem[]): Promise<string> {
  const type = { "100644": "blob", "040000": "tree" } as const;
  const lines = items.map(({ mode, name, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${type[mode]} ${id}\t`), Buffer.from(name), Buffer.from("\0")]),
  );
  return git(upstream, ["mktree", "-z"], Buffer.concat(lines));
}

/** Puts a commit of a tree on the branch of an upstream; resolves to the commit. */
export async function pushTree(upstream: TestRepository, tree: string): Promise<string> {
  const commit = await git(upstream, ["commit-tree", tree, "-p", "master", "-m", "made by hand"]);
  await upstream.upstream("update-ref", "refs/heads/master", commit);
  return commit;
}

/** A tree in which each of `depth` levels has the one below it so many times, and the lowest as many files. */
export async function writeTreeBomb(upstream: TestRepository, depth: number, width: number): Promise<string> {
  const blob = await writeBlob(upstream, "a: 1\n");
  const names = Array.from({ length: width }, (_, i) => String(i));
  let id = await writeTree(
    upstream,
    names.map((name) => ({ mode: "100644", name: `${name}.yaml`, id: blob })),
  );
  for (let level = 1; level < depth; level += 1) {
    const below = id;
    id = await writeTree(
      upstream,
      names.map((name) => ({ mode: "040000", name, id: below })),
    );
  }
  return id;
}

/** Puts a commit on the branch of an upstream that has one file more, with any path; resolves to the commit. */
export async function pushPath(upstream: TestRepository, path: string): Promise<string> {
  const commit = [
    "commit refs/heads/master",
    "committer Dev <dev@example.test> 1700000000 +0000",
    "data 1",
    "m",
    "from refs/heads/master^0",
    `M 100644 inline ${path}`,
    "data 5",
    "a: 1",
    "",
    "done",
    "",
  ];
  await git(upstream, ["fast-import", "--quiet", "--done"], commit.join("\n"));
  return upstream.upstream("rev-parse", "master");
}

async function git(
  upstream: TestRepository,
  args: readonly string[],
  input: string | Buffer = "",
): Promise<string> {
  const who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.test"];
  const child = spawn("git", [...who, ...args], { cwd: upstream.bare, stdio: ["pipe", "pipe", "inherit"] });
  // A command that reads nothing may have ended already.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return output.trim();
}
