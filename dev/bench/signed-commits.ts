/**
 * Measures what signatures cost: verifying 1,000 new signed commits, next to git, which runs gpg or ssh-keygen for each of
 * them; a look at an unchanged branch; and a signed commit next to one without a signature. With names of algorithms, it
 * measures only those. `node dev/bench/signed-commits.ts [ssh-ed25519 …]`
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { invariant, silentLogger } from "@weir/base";
import { childrenTime } from "@weir/testing";
import { gpgKeyringOnUse } from "../../cmd/fluxd/gpg-keyring.ts";
import type { SignatureSettings } from "../../cmd/fluxd/settings.ts";
import { openSignatures, type Signatures } from "../../cmd/fluxd/signatures.ts";
import { HeadVerifier } from "../../src/daemon/sync/head-verifier.ts";
import type { Signer } from "../../src/git/signature.ts";
import { withSignature } from "../../src/git/signed-object.ts";
import { GitRig } from "../../test/support/git-rig.ts";
import { GnuPg } from "../../test/support/gnupg.ts";
import { type GitOptions, TestRepository } from "../../test/support/repository.ts";
import { SshSigning } from "../../test/support/ssh-signing.ts";
import { note, printTable, type Row, row } from "./support/table.ts";

const commits = 1_000;
const writes = 25;
const openPgp = ["ed25519", "rsa2048", "rsa4096", "nistp256"];
const ssh = ["ssh-ed25519", "ssh-rsa"];

/** A key, for fluxd and for the real git. */
interface Keys {
  /** The program that git runs. */
  readonly program: "gpg" | "ssh-keygen";
  readonly signatures: Signatures & { readonly signer: Signer };
  /** How git signs with the key and verifies. */
  readonly git: GitOptions;
  /** How long verifying 1,000 commits may take, in seconds. */
  readonly limit: number;
}

async function verifying({ program, signatures, git, limit }: Keys): Promise<readonly Row[]> {
  await using repository = await TestRepository.create({ "a.yaml": "a: 1\n" }, git);
  await addCommits(repository, signatures.signer);
  await using rig = await GitRig.ready(repository.url, signatures);
  const heads = new HeadVerifier({
    repo: rig.repository,
    syncState: { revision: () => Promise.resolve("") },
    mode: "all",
  });
  const look = async (): Promise<void> => {
    const { head, verified } = await heads.verifyHead(AbortSignal.timeout(60_000));
    if (verified !== head) {
      throw new Error("a commit isn't verified");
    }
  };
  const before = processorTime();
  const ours = await seconds(look);
  const used = processorTime() - before;
  const again = await seconds(look);
  await repository.pull();
  const start = processorTime();
  const theirs = await seconds(async () => {
    await repository.inClone(["log", "--format=%G?"], git);
  });
  return [
    note(`git log --format=%G? of ${commits} commits, with ${program}`, theirs, "s"),
    note("its processor time", processorTime() - start, "s"),
    row(`${commits} new commits verified`, { measured: ours, limit, unit: "s" }),
    note("the processor time, with git and ssh-keygen", used, "s"),
    note("the same branch again", again * 1000, "ms"),
  ];
}

async function signing({ signatures }: Keys): Promise<readonly Row[]> {
  await using plain = await Writer.open({});
  await using signed = await Writer.open({ signer: signatures.signer });
  const times = { plain: [] as number[], signed: [] as number[] };
  // By turns, so that what else the machine does concerns both.
  for (let count = 0; count < writes; count += 1) {
    times.plain.push(await plain.commit());
    times.signed.push(await signed.commit());
  }
  const [without, withOne] = [median(times.plain), median(times.signed)];
  return [
    note(`commit, note, and push without a signature, median of ${writes}`, without * 1000, "ms"),
    note("the same with a signature", withOne * 1000, "ms"),
    row("a signature", { measured: (withOne - without) * 1000, limit: 20, unit: "ms" }),
  ];
}

/** Makes commits as fluxd does. */
class Writer implements AsyncDisposable {
  readonly #repository: TestRepository;
  readonly #rig: GitRig;

  private constructor(repository: TestRepository, rig: GitRig) {
    this.#repository = repository;
    this.#rig = rig;
  }

  static async open(signatures: Signatures): Promise<Writer> {
    const repository = await TestRepository.create({ "a.yaml": "a: 1\n" });
    return new Writer(repository, await GitRig.ready(repository.url, signatures));
  }

  async commit(): Promise<number> {
    const signal = AbortSignal.timeout(60_000);
    await this.#rig.repository.refresh(signal);
    await using clone = await this.#rig.repository.workingClone(signal);
    await appendFile(join(clone.dir, "a.yaml"), "# changed\n");
    return await seconds(async () => {
      await clone.commitAndPush({ message: "m", author: undefined, note: "{}" }, signal);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rig[Symbol.asyncDispose]();
    await this.#repository[Symbol.asyncDispose]();
  }
}

async function open(
  settings: SignatureSettings,
  gpgKeyImport: readonly string[],
): Promise<Keys["signatures"]> {
  const logger = silentLogger;
  const env = { GNUPGHOME: "/nonexistent" };
  const gpgKeyring = gpgKeyringOnUse({ gpgKeyImport, signatures: settings }, { env, logger });
  const context = { logger, gpgKeyring, cleanup };
  const { verifier, signer } = await openSignatures(settings, context, AbortSignal.timeout(60_000));
  invariant(signer, "a key signs");
  return { verifier, signer };
}

async function openPgpKeys(algorithm: string): Promise<Keys> {
  const gnupg = cleanup.use(await GnuPg.with());
  await gnupg.addKey("bench", algorithm);
  await gnupg.trust();
  const file = join(gnupg.home, "secret.asc");
  writeFileSync(file, await gnupg.secretKey("bench"));
  const settings = { verify: "all", signingKey: "bench@example.test", sshAllowedSigners: "" } as const;
  return {
    program: "gpg",
    signatures: await open(settings, [file]),
    git: gnupg.git("bench"),
    limit: 1.5,
  };
}

async function sshKeys(algorithm: string): Promise<Keys> {
  const keys = cleanup.use(new SshSigning());
  const signingKey = keys.make("bench", "-t", algorithm.replace("ssh-", ""));
  const settings = { verify: "all", signingKey, sshAllowedSigners: keys.allow("bench") } as const;
  return {
    program: "ssh-keygen",
    signatures: await open(settings, []),
    git: { config: [...keys.config("bench"), "commit.gpgSign=true"] },
    limit: 30,
  };
}

/** Adds signed commits to a branch, faster than git can make them. */
async function addCommits(repository: TestRepository, signer: Signer): Promise<void> {
  const options = { cwd: repository.bare, encoding: "utf8" } as const;
  const tree = await repository.upstream("rev-parse", "master^{tree}");
  let parent = await repository.upstream("rev-parse", "master");
  const start = Math.floor(Date.now() / 1000) - commits;
  for (let count = 0; count < commits; count += 1) {
    const who = `Bench <bench@example.test> ${start + count} +0000`;
    const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\ncommit ${count}\n`;
    const content = Buffer.from(text);
    const input = withSignature(content, parent, await signer.sign(content));
    const args = ["hash-object", "-t", "commit", "-w", "--stdin"];
    parent = execFileSync("git", args, { ...options, input }).trim();
  }
  await repository.upstream("update-ref", "refs/heads/master", parent);
}

/** Of this process and the programs that it has waited for, in seconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenTime();
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

// Last, because classes exist only after their declaration.
await using cleanup = new AsyncDisposableStack();
const asked = process.argv.slice(2);
for (const algorithm of asked.length > 0 ? asked : [...openPgp, ...ssh]) {
  const keys = await (algorithm.startsWith("ssh-") ? sshKeys(algorithm) : openPgpKeys(algorithm));
  console.log(printTable(`Signatures: ${algorithm}`, [...(await verifying(keys)), ...(await signing(keys))]));
}
