import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { TestRepository } from "../../../test/support/repository.ts";
import { type Attack, refuse } from "./attack.ts";
import { gitPassword } from "./hostile-git.ts";
import type { World } from "./world.ts";

const run = promisify(execFile);

export const gitAttacks: readonly Attack[] = [
  {
    name: "git: progress without end",
    async run(world) {
      const flood = world.around.git.floodNextFetch();
      await world.around.repository.push({}, "a reason to fetch");
      await world.notify();
      const { mebibytes, refused } = await flood;
      refuse(!refused && mebibytes > 4096, `git still listened after ${mebibytes.toFixed(0)} MiB`);
      return `${refused ? "closed" : "given up"} after ${mebibytes.toFixed(0)} MiB`;
    },
  },
  {
    name: "git: 70 objects that make ten million paths",
    run: (world) => syncTree(world, bombOf),
  },
  {
    name: "git: 2,100 nested folders",
    run: (world) => syncTree(world, (repository) => nest(repository, 2_100)),
  },
  {
    name: "git: two gigabytes of zeros in one file",
    run: (world) => syncTree(world, zeros),
  },
  {
    name: "git: a file name that is not UTF-8",
    async run(world) {
      const { repository } = world.around;
      const name = Buffer.concat([Buffer.from("bad-"), Buffer.of(0xff, 0xfe), Buffer.from(".yaml")]);
      const blob = await hash(repository, "{ apiVersion: v1, kind: ConfigMap, metadata: { name: odd } }");
      const entry = Buffer.concat([Buffer.from(`100644 blob ${blob}\t`), name, Buffer.of(0)]);
      await commitTree(world, await makeTree(repository, entry));
      return "synced, with all that comes after it";
    },
  },
  {
    name: "git: the password in the arguments of processes",
    async run(world) {
      const gate = Promise.withResolvers<undefined>();
      world.around.git.delayUntil(gate.promise);
      await world.around.repository.push({}, "a reason to fetch");
      await world.notify();
      const seen = await argumentsSeen(1_500);
      gate.resolve(undefined);
      refuse(!seen.some((line) => line.includes("git-remote-http")), "no fetch was observed");
      // fluxd's own command line is the responsibility of whoever starts it.
      const others = seen.filter((line) => !line.includes("start-fluxd"));
      refuse(
        others.some((line) => line.includes(gitPassword)),
        "the password is visible in a command line",
      );
      return `not in ${new Set(seen).size} command lines`;
    },
  },
];

/** Makes fluxd sync a tree that it must refuse; resolves to the error. */
async function syncTree(
  world: World,
  make: (repository: TestRepository) => Promise<string>,
): Promise<string> {
  const tree = await make(world.around.repository);
  return world.saidAfter(() => commitTree(world, tree), /err="loading resources/);
}

async function commitTree(world: World, tree: string): Promise<void> {
  const { repository } = world.around;
  const who = ["-c", "user.name=Eve", "-c", "user.email=eve@example.test"];
  const commit = await repository.upstream(...who, "commit-tree", "-m", "harmless", "-p", "master", tree);
  await repository.upstream("update-ref", "refs/heads/master", commit);
  await world.notify();
}

/** Seven levels of ten folders that are all the same. */
async function bombOf(repository: TestRepository): Promise<string> {
  const blob = await hash(repository, "a: 1\n");
  let tree = await makeTree(
    repository,
    entries((name) => `100644 blob ${blob}\t${name}.yaml`),
  );
  for (let level = 0; level < 6; level += 1) {
    const below = tree;
    tree = await makeTree(
      repository,
      entries((name) => `040000 tree ${below}\t${name}`),
    );
  }
  return tree;
}

function entries(entry: (name: string) => string): Buffer {
  return Buffer.from(
    Array.from("abcdefghij")
      .map((name) => `${entry(name)}\0`)
      .join(""),
  );
}

async function nest(repository: TestRepository, depth: number): Promise<string> {
  let tree = await makeTree(
    repository,
    Buffer.from(`100644 blob ${await hash(repository, "a: 1\n")}\ta.yaml\0`),
  );
  for (let level = 0; level < depth; level += 1) {
    tree = await makeTree(repository, Buffer.from(`040000 tree ${tree}\td\0`));
  }
  return tree;
}

async function zeros(repository: TestRepository): Promise<string> {
  const { stdout } = await run(
    "sh",
    ["-c", "head -c 2200M /dev/zero | git -c core.bigFileThreshold=1m hash-object -w --stdin"],
    {
      cwd: repository.bare,
    },
  );
  return makeTree(repository, Buffer.from(`100644 blob ${stdout.trim()}\tzeros.yaml\0`));
}

function hash(repository: TestRepository, text: string): Promise<string> {
  return feed(repository, ["hash-object", "-w", "--stdin"], Buffer.from(text));
}

function makeTree(repository: TestRepository, listed: Buffer): Promise<string> {
  return feed(repository, ["mktree", "-z"], listed);
}

/** Runs git in the upstream with input. */
function feed({ bare }: TestRepository, args: readonly string[], input: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: bare, stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(output.trim()) : reject(new Error(`git ${args[0] ?? ""} failed`)),
    );
    child.stdin.end(input);
  });
}

/** The command lines of all processes that existed during a time, in milliseconds. */
async function argumentsSeen(duration: number): Promise<readonly string[]> {
  const seen = new Set<string>();
  for (const end = Date.now() + duration; Date.now() < end; ) {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
      } catch {
        // The process has just ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [...seen];
}
