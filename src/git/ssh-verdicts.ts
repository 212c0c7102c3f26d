/**
 * Commands with which git judges SSH signatures. Git asks ssh-keygen: who may sign with a key, at the time of the
 * commit or tag, and whether that's a signature by one of them. In: commits or a tag, and a file with allowed signers.
 * Out: git's verdict, and a reason that quotes ssh-keygen.
 */
import { makeVisible } from "@weir/base";
import { type GitCommand, outside } from "./commands.ts";
import { SshKeygenError } from "./errors.ts";
import type { KeyVerdict, SignersFile } from "./signature.ts";

/** Longer messages are cut off: a commit's author chooses some of the words. */
const shownCharacters = 300;

/** Between the fields of a commit, and after its last one. */
const separator = "\0";
const fields = ["%H", "%G?", "%GK", "%GS", "%GG"];

/** Judges commits that have an SSH signature. */
export function judgeCommits(
  revisions: readonly string[],
  signers: SignersFile,
): GitCommand<ReadonlyMap<string, KeyVerdict>> {
  const format = `--format=${fields.join("%x00")}`;
  return {
    args: [...settings(signers), "log", "--no-walk=unsorted", "--stdin", "--no-patch", "-z", format],
    input: revisions.map((revision) => `${revision}\n`).join(""),
    prints: "history",
    doing: "verifying SSH signatures",
    parse({ stdout, stderr }) {
      refuseTrouble(stderr);
      const printed = stdout.split(separator);
      const verdicts = revisions.map((revision, index) => {
        const at = index * fields.length;
        const [id, status = "", key = "", signer = "", words = ""] = printed.slice(at, at + fields.length);
        if (id !== revision) {
          throw new SshKeygenError("git doesn't list the commits whose signatures it should verify");
        }
        return [id, verdict({ status, key, signer, words }, signers)] as const;
      });
      return new Map(verdicts);
    },
  };
}

/** Judges a tag that has an SSH signature. */
export function judgeTag(id: string, signers: SignersFile): GitCommand<KeyVerdict> {
  return {
    args: [...settings(signers), "verify-tag", "--raw", outside("git ref", id)],
    doing: "verifying SSH signatures",
    isAnswer: ({ exitCode }) => exitCode === 1,
    parse({ stderr, exitCode }) {
      refuseTrouble(stderr);
      const [, signer = "", key = ""] =
        /^Good "git" signature (?:for (.*) )?with \S+ key (\S+)$/m.exec(stderr) ?? [];
      const status = exitCode === 0 ? "G" : key === "" ? "B" : "U";
      return verdict({ status, key, signer, words: stderr }, signers);
    },
  };
}

/** Git runs no other program, and doesn't see refs/replace/*, as a checkout doesn't. */
function settings({ path, program }: SignersFile): readonly string[] {
  const values = [
    `gpg.ssh.allowedSignersFile=${path}`,
    `gpg.ssh.program=${program}`,
    "gpg.program=false",
    "gpg.x509.program=false",
    "gpg.minTrustLevel=undefined",
  ];
  return ["--no-replace-objects", ...values.flatMap((value) => ["-c", value])];
}

/** What git says itself, rather than ssh-keygen, is about a program that didn't run or didn't end by itself. */
function refuseTrouble(stderr: string): void {
  const trouble = /^(?:error|fatal): (.*)$/m.exec(stderr)?.[1];
  if (trouble !== undefined) {
    throw new SshKeygenError(trouble);
  }
}

/** What git says about a signature, and what ssh-keygen said. */
interface Said {
  /** Git's `%G?`. */
  readonly status: string;
  readonly key: string;
  readonly signer: string;
  readonly words: string;
}

function verdict({ status, key, signer, words }: Said, signers: SignersFile): KeyVerdict {
  switch (status) {
    case "G":
      // A good signature is somebody's: without a name, git has judged by other rules than these.
      if (signer === "") {
        throw new SshKeygenError("git calls a signature good, but doesn't say whose it is");
      }
      return { status, key, signer, reason: `signed by ${printLine(signer)}` };
    case "N":
      return { status, key: "", reason: "git finds no signature in it, or no date" };
    case "U":
      return { status, key, reason: reasonOf(conclude("U", words), signers) };
    default:
      return { status: "B", key: "", reason: reasonOf(conclude("B", words), signers) };
  }
}

/** What ssh-keygen says when it has come to a verdict: that a key isn't known, or that a signature doesn't count. */
const conclusions = { U: "No principal matched.", B: "Could not verify signature." } as const;

/** What ssh-keygen says if it can't read what git gives it. */
const unreadable = /^(?:Couldn't read|Unable to open|sig_find_principals: sshsig_find_principal)/;

/** What ssh-keygen said besides its conclusion. */
interface Concluded {
  readonly status: "U" | "B";
  readonly remarks: readonly string[];
}

/** Throws SshKeygenError unless ssh-keygen has come to a conclusion. */
function conclude(status: "U" | "B", words: string): Concluded {
  const lines = words.split(/\r?\n/).filter((line) => line !== "");
  const trouble = lines.find((line) => unreadable.test(line));
  if (trouble !== undefined || !lines.includes(conclusions[status])) {
    throw new SshKeygenError(printLine(trouble ?? lines[0] ?? "ssh-keygen said nothing"));
  }
  return { status, remarks: lines.filter((line) => !Object.values<string>(conclusions).includes(line)) };
}

function reasonOf({ status, remarks }: Concluded, { path, faulty }: SignersFile): string {
  const messages = remarks.flatMap((remark) => parseLineMessage(remark, path) ?? []);
  const about = messages.filter(({ line }) => !faulty.has(line));
  if (about.length > 0) {
    const lines = new Set(about.map(({ line, message }) => `line ${line}: ${message}`));
    return printLine(`the key may not sign: ${[...lines].join("; ")}`);
  }
  if (status === "U") {
    return "the key isn't among the allowed signers";
  }
  if (remarks.some((remark) => remark.endsWith("incorrect signature"))) {
    return "this is not what was signed: it or its signature was changed";
  }
  const why = remarks.find((remark) => parseLineMessage(remark, path) === undefined);
  return why === undefined
    ? "the key may not sign for any of its principals"
    : printLine(`the signature can't be used: ${why}`);
}

/** What ssh-keygen says about a line of a file, counted from 1. */
export interface LineMessage {
  readonly line: number;
  readonly message: string;
}

/** What a line of ssh-keygen's output says about a line of the file at `path`; undefined if it's about something else. */
export function parseLineMessage(text: string, path: string): LineMessage | undefined {
  const [, line, message] =
    (text.startsWith(`${path}:`) && /^(\d+): (.*)$/.exec(text.slice(path.length + 1))) || [];
  return line === undefined || message === undefined ? undefined : { line: Number(line), message };
}

function printLine(text: string): string {
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return makeVisible(shown).replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}
