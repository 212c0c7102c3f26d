/**
 * Verifies the signatures of commits and tags, and remembers each verdict. Reads many objects with one process, and
 * ignores refs/replace/*, so that what's verified is what's checked out. Git itself judges SSH signatures.
 */
import { type Clock, Deadline } from "@weir/base";
import { readObjects } from "./commands.ts";
import { type GitObject, parseObjects } from "./object-batch.ts";
import type { KeyVerdict, SignatureVerifier, SignedData, SignersFile, Verdict } from "./signature.ts";
import { formatOf } from "./signature-format.ts";
import { authorOf, splitCommit, splitTag } from "./signed-object.ts";
import { judgeCommits, judgeTag } from "./ssh-verdicts.ts";
import type { RunGit } from "./trees.ts";

/** A commit, whose it is, and the verdict on its signature. */
export interface VerifiedCommit extends Verdict {
  readonly revision: string;
  /** "Name <email>"; "" if there's no such commit. */
  readonly author: string;
}

/** How many commits to read with one process. */
const batchSize = 500;

/** How many commits to verify before the next ones: whoever asked may have enough after the first bad one. */
const groupSize = 64;

/** How many processes of git to share the SSH signatures of a group; each of them starts one ssh-keygen at a time. */
const processes = 4;

/** How long git and ssh-keygen can take for their share of a group, in milliseconds: usually, it's less than a second. */
const timeLimit = 60_000;

/** How many verdicts to remember; each takes a few hundred bytes. */
const most = 20_000;

/** How long to remember a verdict, in milliseconds: a key may expire in the meantime. */
const longest = 3_600_000;

/** Verifies commits and tags of one repository. */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #remembered = new Map<string, Remembered<VerifiedCommit>>();
  #tag: (Remembered<Verdict> & { readonly id: string }) | undefined;

  constructor(options: VerdictsOptions) {
    this.#options = options;
  }

  /**
   * The verdict on each commit, in the given order, which can be abandoned early. Rejects with GitError, with
   * SshKeygenError, or if the allowed signers can't be read.
   */
  async *commits(
    revisions: readonly string[],
    run: RunGit,
    signal: AbortSignal,
  ): AsyncGenerator<VerifiedCommit, void, undefined> {
    const judging = { signers: await this.#signers(signal), run, signal };
    for (let start = 0; start < revisions.length; start += batchSize) {
      const batch = await this.#wanted(revisions.slice(start, start + batchSize), judging);
      for (let first = 0; first < batch.length; first += groupSize) {
        signal.throwIfAborted();
        yield* await this.#group(batch.slice(first, first + groupSize), judging);
      }
    }
  }

  /** The verdict on an annotated tag; undefined if the object isn't one. Rejects like `commits`. */
  async tag(id: string, run: RunGit, signal: AbortSignal): Promise<Verdict | undefined> {
    const signers = await this.#signers(signal);
    if (this.#tag?.id === id && this.#counts(this.#tag, signers)) {
      return this.#tag.verdict;
    }
    const object = (await readAll([id], run, signal)).get(id);
    if (object?.type !== "tag") {
      return undefined;
    }
    const signed = splitTag(object.content);
    using limit = new Deadline(this.#options.clock, timeLimit, signal);
    const ssh =
      signers !== undefined && isSsh(signed) ? await run(judgeTag(id, signers), limit.signal) : undefined;
    const verdict = await this.#verdict(signed, ssh);
    this.#tag = { id, verdict, since: this.#options.clock.now(), signers: digestOf(signers) };
    return verdict;
  }

  async #signers(signal: AbortSignal): Promise<SignersFile | undefined> {
    return await this.#options.verifier.ssh?.read(signal);
  }

  async #wanted(revisions: readonly string[], { signers, run, signal }: Judging): Promise<readonly Wanted[]> {
    const known = new Map(revisions.map((revision) => [revision, this.#recall(revision, signers)]));
    const unknown = revisions.filter((revision) => known.get(revision) === undefined);
    const objects = await readAll(unknown, run, signal);
    return revisions.map((revision) => ({
      revision,
      known: known.get(revision),
      object: objects.get(revision),
    }));
  }

  async #group(wanted: readonly Wanted[], judging: Judging): Promise<readonly VerifiedCommit[]> {
    const commits = wanted.flatMap(({ revision, object }) =>
      object?.type === "commit" ? [{ id: revision, signed: splitCommit(object.content, revision) }] : [],
    );
    const signed = new Map(commits.map((commit) => [commit.id, commit.signed]));
    const ssh = await this.#judgeSsh(commits, judging);
    return await Promise.all(
      wanted.map(async ({ revision, known, object }) => {
        if (known !== undefined || object?.type !== "commit") {
          return known ?? { ...noCommit, revision };
        }
        const verdict = await this.#verdict(signed.get(revision), ssh.get(revision));
        return this.#remember({ ...verdict, revision, author: authorOf(object.content) }, judging.signers);
      }),
    );
  }

  /** Git's verdicts on those commits that have an SSH signature; none if nobody may sign with SSH. */
  async #judgeSsh(
    commits: readonly SignedCommit[],
    { signers, run, signal }: Judging,
  ): Promise<ReadonlyMap<string, KeyVerdict>> {
    const ids = [...new Set(commits.filter(({ signed }) => isSsh(signed)).map(({ id }) => id))];
    if (signers === undefined || ids.length === 0) {
      return new Map();
    }
    using limit = new Deadline(this.#options.clock, timeLimit, signal);
    const share = Math.ceil(ids.length / processes);
    const verdicts = await Promise.all(
      Array.from({ length: Math.ceil(ids.length / share) }, (_, index) =>
        run(judgeCommits(ids.slice(index * share, (index + 1) * share), signers), limit.signal),
      ),
    );
    return new Map(verdicts.flatMap((each) => [...each]));
  }

  /** The verdict on what may be signed; `ssh` is that on an SSH signature, if there are allowed signers. */
  async #verdict(signed: SignedData | undefined, ssh: KeyVerdict | undefined): Promise<Verdict> {
    if (signed === undefined) {
      return { status: "N", key: "", reason: "it isn't signed", accepted: false };
    }
    switch (formatOf(signed)) {
      case "openpgp":
        return judged(await this.#options.verifier.openpgp.verify(signed), ["G", "U"]);
      case "ssh":
        return ssh === undefined
          ? refused("it has an SSH signature; set --git-ssh-allowed-signers")
          : judged(ssh, ["G"]);
      case "x509":
        return refused("it has an X.509 signature, which isn't supported; sign with OpenPGP or SSH");
      case "unknown":
        return refused("it has a signature of an unknown kind; sign with OpenPGP or SSH");
    }
  }

  #recall(revision: string, signers: SignersFile | undefined): VerifiedCommit | undefined {
    const known = this.#remembered.get(revision);
    return known !== undefined && this.#counts(known, signers) ? known.verdict : undefined;
  }

  #remember(verdict: VerifiedCommit, signers: SignersFile | undefined): VerifiedCommit {
    const remembered = { verdict, since: this.#options.clock.now(), signers: digestOf(signers) };
    this.#remembered.delete(verdict.revision);
    this.#remembered.set(verdict.revision, remembered);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > most && oldest !== undefined) {
      this.#remembered.delete(oldest);
    }
    return verdict;
  }

  #counts({ since, signers }: Remembered<unknown>, now: SignersFile | undefined): boolean {
    return signers === digestOf(now) && this.#options.clock.now() - since < longest;
  }
}

export interface VerdictsOptions {
  readonly verifier: SignatureVerifier;
  readonly clock: Clock;
}

interface Remembered<T> {
  readonly verdict: T;
  readonly since: number;
  /** The digest of the allowed signers that counted; "" without any. */
  readonly signers: string;
}

/** A commit to verify: the verdict, if that's known, or the object, if there's one. */
interface Wanted {
  readonly revision: string;
  readonly known: VerifiedCommit | undefined;
  readonly object: GitObject | undefined;
}

/** A commit that was read. */
interface SignedCommit {
  readonly id: string;
  readonly signed: SignedData | undefined;
}

/** With what to judge objects. */
interface Judging {
  readonly signers: SignersFile | undefined;
  readonly run: RunGit;
  readonly signal: AbortSignal;
}

const noCommit = {
  author: "",
  status: "E",
  key: "",
  reason: "there's no such commit",
  accepted: false,
} as const;

function judged(verdict: KeyVerdict, accepted: readonly KeyVerdict["status"][]): Verdict {
  return { ...verdict, accepted: accepted.includes(verdict.status) };
}

function refused(reason: string): Verdict {
  return { status: "E", key: "", reason, accepted: false };
}

function digestOf(signers: SignersFile | undefined): string {
  return signers?.digest ?? "";
}

function isSsh(signed: SignedData | undefined): boolean {
  return signed !== undefined && formatOf(signed) === "ssh";
}

async function readAll(
  names: readonly string[],
  run: RunGit,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, GitObject>> {
  if (names.length === 0) {
    return new Map();
  }
  const output: Buffer[] = [];
  await run(
    readObjects(names, (bytes) => void output.push(bytes)),
    signal,
  );
  const objects = parseObjects(Buffer.concat(output));
  return new Map(objects.flatMap((object) => (object === undefined ? [] : [[object.id, object]])));
}
