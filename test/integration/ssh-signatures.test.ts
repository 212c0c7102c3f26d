import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { GitError, SshKeygenError } from "../../src/git/errors.ts";
import type { SignatureVerifier } from "../../src/git/signature.ts";
import { withSignature } from "../../src/git/signed-object.ts";
import type { VerifiedCommit } from "../../src/git/verdicts.ts";
import { GitRig, soon, upstreamWith } from "../support/git-rig.ts";
import type { TestRepository } from "../support/repository.ts";
import { SshSigning } from "../support/ssh-signing.ts";

const sha1 = "a".repeat(40);
const sha256 = "a".repeat(64);

/** 2023-11-14. */
const time = 1_700_000_000;

/** Commits with the real ssh-keygen's signatures, changed in many ways, and one file of allowed signers for all. */
class Lab implements AsyncDisposable {
  readonly keys = new SshSigning(
    "dev",
    "stranger",
    "old",
    "early",
    "files",
    "several",
    "authority",
    "certified",
  );
  readonly upstream: TestRepository;
  readonly verifier: SignatureVerifier;

  private constructor(upstream: TestRepository) {
    const { keys } = this;
    this.upstream = upstream;
    this.verifier = keys.verifier(
      keys.allowLines(
        "a line with a mistake",
        `dev@example.test namespaces="git" ${keys.publicKey("dev")}`,
        `old@example.test valid-before="20231101Z" ${keys.publicKey("old")}`,
        `early@example.test valid-before="20231201Z" ${keys.publicKey("early")}`,
        `files@example.test namespaces="file" ${keys.publicKey("files")}`,
        `ops@example.test,*@example.test ${keys.publicKey("several")}`,
        `*@example.test cert-authority ${keys.publicKey("authority")}`,
      ),
    );
  }

  static async start(): Promise<Lab> {
    return new Lab(await upstreamWith());
  }

  /** A certificate for the key `certified`, which then signs with it. */
  certify(...options: readonly string[]): void {
    const args = ["-q", "-s", this.keys.key("authority"), "-I", "id", ...options];
    execFileSync("ssh-keygen", [...args, `${this.keys.key("certified")}.pub`]);
  }

  sign(key: string, data: string | Buffer, namespace = "git"): string {
    const args = ["-q", "-Y", "sign", "-n", namespace, "-f", this.keys.key(key)];
    return execFileSync("ssh-keygen", args, {
      input: data,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
  }

  /** Stores an object as it is, whatever is wrong with it, under a branch of its own. */
  async store(content: string | Buffer, type = "commit"): Promise<string> {
    const args = ["hash-object", "-t", type, "-w", "--literally", "--stdin"];
    const cwd = this.upstream.bare;
    const id = execFileSync("git", args, { cwd, input: content, encoding: "utf8" }).trim();
    await this.upstream.upstream("update-ref", `refs/tests/${id}`, id);
    return id;
  }

  /** What a commit says without its signature. */
  text({ message = "m", at = `${time} +0000`, more = "" } = {}): Buffer {
    const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const who = "Dev <dev@example.test>";
    return Buffer.from(
      `tree ${tree}\nauthor ${who} 1 +0000\ncommitter ${who} ${at}\n${more}\n${message}\n`,
      "latin1",
    );
  }

  signed(key: string, text = this.text(), change = (signature: string): string => signature): Buffer {
    return withSignature(text, sha1, change(this.sign(key, text)));
  }

  async verdicts(...ids: readonly string[]): Promise<readonly VerifiedCommit[]> {
    await using rig = await GitRig.ready(this.upstream.url, { verifier: this.verifier });
    return await verify(rig, ids);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.keys[Symbol.dispose]();
    await this.upstream[Symbol.asyncDispose]();
  }
}

describe("a commit with an SSH signature is judged by git and ssh-keygen:", () => {
  let lab: Lab;
  let judged: ReadonlyMap<string, VerifiedCommit>;

  type Row = readonly [what: string, verdict: string, content: () => string | Buffer];
  const rows: readonly Row[] = [
    ["by an allowed key", "G dev@example.test", () => lab.signed("dev")],
    ["by a stranger", "U the key isn't among the allowed signers", () => lab.signed("stranger")],
    [
      "by a key that had expired",
      "U the key may not sign: line 3: key has expired: verify time 2023-11-14T22:13:20 > valid-before 2023-11-01T00:00:00",
      () => lab.signed("old"),
    ],
    ["by a key that has expired since", "G early@example.test", () => lab.signed("early")],
    [
      "by a key for other purposes",
      'B the key may not sign: line 5: key is not permitted for use in signature namespace "git"',
      () => lab.signed("files"),
    ],
    ["by one of several principals", "G ops@example.test", () => lab.signed("several")],
    [
      "for another purpose",
      "B the signature can't be used: Couldn't verify signature: namespace does not match",
      () => withSignature(lab.text(), sha1, lab.sign("dev", lab.text(), "file")),
    ],
    [
      "of another commit",
      "B this is not what was signed: it or its signature was changed",
      () => withSignature(lab.text({ message: "other" }), sha1, lab.sign("dev", lab.text())),
    ],
    [
      "with a certificate",
      "G ann@example.test",
      () => {
        lab.certify("-n", "ann@example.test", "-V", "20230101Z:20240101Z");
        return lab.signed("certified-cert.pub");
      },
    ],
    [
      "with an expired certificate",
      "U ",
      () => {
        lab.certify("-n", "ann@example.test", "-V", "20220101Z:20230101Z");
        return lab.signed("certified-cert.pub");
      },
    ],
    [
      "with a certificate for nobody that's allowed",
      "U ",
      () => {
        lab.certify("-n", "ann@example.org", "-V", "20230101Z:20240101Z");
        return lab.signed("certified-cert.pub");
      },
    ],
    [
      "together with a header that only others sign",
      "G dev@example.test",
      () =>
        lab.signed(
          "dev",
          lab.text({ more: "mergetag object a\n -----BEGIN SSH SIGNATURE-----\n x\nodd y\n z\n" }),
        ),
    ],
    [
      "with bytes that are no text",
      "G dev@example.test",
      () => lab.signed("dev", lab.text({ more: "encoding x\n", message: "\0\xff\xfe" })),
    ],
    [
      "of a large commit",
      "G dev@example.test",
      () => lab.signed("dev", lab.text({ message: "x".repeat(9e5) })),
    ],
    [
      "twice",
      "G dev@example.test",
      () => withSignature(lab.signed("dev"), sha1, lab.sign("stranger", lab.text())),
    ],
    [
      "twice, the other way round",
      "U ",
      () => withSignature(lab.signed("stranger"), sha1, lab.sign("dev", lab.text())),
    ],
    [
      "only for another hash",
      "N it isn't signed",
      () => withSignature(lab.text(), sha256, lab.sign("dev", lab.text())),
    ],
    [
      "in its message",
      "N it isn't signed",
      () => Buffer.concat([lab.text(), Buffer.from(`gpgsig ${lab.sign("dev", lab.text())}`)]),
    ],
    [
      "after one of another kind",
      "E it has a signature of an unknown kind; sign with OpenPGP or SSH",
      () => lab.signed("dev", lab.text(), (signature) => `x\n${signature}`),
    ],
    ["without an end", "B ", () => lab.signed("dev", lab.text(), (text) => text.replace(/-----END.*/s, ""))],
    ["without anything", "B ", () => lab.signed("dev", lab.text(), () => "-----BEGIN SSH SIGNATURE-----\n")],
    ["with damage", "B ", () => lab.signed("dev", lab.text(), (text) => text.replace(/^AAAA/m, "AAAB"))],
    [
      "without a date, which then is today",
      "G dev@example.test",
      () => lab.signed("dev", lab.text({ at: "" })),
    ],
    [
      "without a date, by a key that has expired since",
      "U the key may not sign: line 4: key has expired",
      () => lab.signed("early", lab.text({ at: "" })),
    ],
    [
      "without a committer",
      "N git finds no signature in it, or no date",
      () => {
        const text = lab.text().toString("latin1");
        return lab.signed("dev", Buffer.from(text.replace(/^committer .*\n/m, "")));
      },
    ],
    ["in a far future", "B ", () => lab.signed("dev", lab.text({ at: "999999999999 +0000" }))],
    [
      "that's damaged, of a large commit",
      "B ",
      () =>
        lab.signed("dev", lab.text({ message: "x".repeat(9e5) }), () => "-----BEGIN SSH SIGNATURE-----\n"),
    ],
  ];

  before(async () => {
    lab = await Lab.start();
    const ids: string[] = [];
    for (const [, , content] of rows) {
      ids.push(await lab.store(content()));
    }
    const verdicts = await lab.verdicts(...ids);
    judged = new Map(rows.map(([what], index) => [what, verdicts[index] as VerifiedCommit]));
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [what, expected] of rows) {
    it(what, () => {
      const { status, signer, reason, accepted } = judged.get(what) ?? {};

      const verdict = `${status} ${status === "G" ? signer : reason}`;
      assert.ok(verdict.startsWith(expected), verdict);
      assert.equal(accepted, status === "G");
    });
  }
});

describe("without an ssh-keygen that does its work, no commit is good or bad, and none is so afterwards:", () => {
  let lab: Lab;
  let good: string;
  before(async () => {
    lab = await Lab.start();
    good = await lab.store(lab.signed("dev"));
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [what, script, message] of [
    [
      "it isn't installed",
      "#!/bin/sh\necho 'sh: ssh-keygen: not found' >&2; exit 127\n",
      /not found: make sure/,
    ],
    ["it's killed", "#!/bin/sh\nkill -9 $$\n", /Killed.*: make sure .* enough memory/],
    [
      "it's too old",
      "#!/bin/sh\necho 'usage: ssh-keygen' >&2; exit 1\n",
      /is needed for ssh signature verification/,
    ],
    ["it says nothing", "#!/bin/sh\nexit 1\n", /said nothing/],
  ] as const) {
    it(what, async () => {
      using programs = new TempFolder();
      programs.write("ssh-keygen", script, 0o755);
      await using rig = await GitRig.ready(lab.upstream.url, {
        verifier: lab.verifier,
        programs: programs.path,
      });

      await assert.rejects(verify(rig, [good]), (error) => {
        assert.ok(error instanceof SshKeygenError, String(error));
        assert.match(error.message, message);
        return true;
      });
      programs.write("ssh-keygen", `#!/bin/sh\nPATH=\${PATH#*:} exec ssh-keygen "$@"\n`);
      const [verdict] = await verify(rig, [good]);
      assert.equal(verdict?.status, "G");
      programs.write("ssh-keygen", script);
      assert.deepEqual(await verify(rig, [good]), [verdict]);
    });
  }

  it("it takes too long", async () => {
    using programs = new TempFolder();
    programs.write("ssh-keygen", "#!/bin/sh\nexec sleep 1000\n", 0o755);
    await using rig = await GitRig.ready(lab.upstream.url, {
      verifier: lab.verifier,
      programs: programs.path,
    });

    await assert.rejects(verify(rig, [good], AbortSignal.timeout(500)), GitError);
  });
});

describe("many commits with SSH signatures", () => {
  it("are judged in order, also around a damaged one that's large", async () => {
    await using lab = await Lab.start();
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      const message = index === 5 ? "x".repeat(9e5) : `commit ${index}`;
      const damage = index === 5 ? (): string => "-----BEGIN SSH SIGNATURE-----\n" : undefined;
      ids.push(await lab.store(lab.signed("dev", lab.text({ message }), damage)));
    }
    const asked = Array.from({ length: 10 }, () => ids).flat();

    const verdicts = await lab.verdicts(...asked);

    assert.deepEqual(
      verdicts.map(({ revision }) => revision),
      asked,
    );
    assert.equal(verdicts.map(({ status }) => status).join(""), "GGGGGBGG".repeat(10));
  });
});

async function verify(
  { repository }: GitRig,
  ids: readonly string[],
  signal = soon(),
): Promise<readonly VerifiedCommit[]> {
  const verdicts: VerifiedCommit[] = [];
  for await (const verdict of repository.verify(ids, signal)) {
    verdicts.push(verdict);
  }
  return verdicts;
}
