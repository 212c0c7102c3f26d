import { systemClock } from "@weir/base";
import type { AllowedSigner } from "./allowed-signer.ts";
import type { AllowedSigners } from "./allowed-signers.ts";
import { dearmor } from "./armor.ts";
import { findPrincipals, type KeyUse, refusals } from "./authorize.ts";
import { FormatError } from "./errors.ts";
import { decodeUtf8, printName } from "./print.ts";
import { hasSigned, parseSshSignature } from "./sshsig.ts";
import type { Verdict } from "./verdict.ts";

/** The last second that git can pass to ssh-keygen: the end of the year 9999. */
const lastSecond = 253_402_300_799;

/** A signature to verify. */
export interface VerifyRequest {
  /** What was signed: of a commit or a tag, everything except the signature. */
  readonly data: Uint8Array;
  /** In text form, as in a commit or a tag. */
  readonly signature: string;
  /** What the signature has to be for, in ASCII: `git`, unless something else is given. */
  readonly namespace?: string;
  /** When it was made, by the committer or tagger; now, unless something else is given. */
  readonly at?: Date;
}

/**
 * Verifies a signature as git does with ssh-keygen. Never throws: whatever is wrong with a signature makes it bad. The
 * time this takes is proportional to the sizes of data, signature, and list.
 */
export function verifySshSignature(request: VerifyRequest, { signers }: AllowedSigners): Verdict {
  try {
    return verify(request, signers);
  } catch (error) {
    if (error instanceof FormatError) {
      return bad(`the signature can't be used: ${error.message}`);
    }
    throw error;
  }
}

function verify(request: VerifyRequest, signers: readonly AllowedSigner[]): Verdict {
  const { data, namespace = "git" } = request;
  const at = secondsOf(request.at);
  if (at === undefined) {
    return bad("the date of the signature is out of range");
  }
  const signature = parseSshSignature(dearmor(request.signature));
  if (signature.namespace !== namespace) {
    return bad(`the signature is for namespace ${printName(signature.namespace)}, not for ${namespace}`);
  }
  const { key } = signature;
  if (!hasSigned(data, signature)) {
    return bad(`this is not what was signed with key ${key.plain.fingerprint}: one of the two was changed`);
  }
  return judge({ key, at }, namespace, signers);
}

/** Who made a signature that is good in itself. */
function judge(use: KeyUse, namespace: string, signers: readonly AllowedSigner[]): Verdict {
  const key = use.key.plain.fingerprint;
  const found = findPrincipals(signers, use);
  const principals = found.kind === "principals" ? linesOf(found.principals) : [];
  if (principals.length === 0) {
    return { status: "U", key, reason: untrusted(found.kind === "none" ? found.reasons : []) };
  }
  const reasons = new Set<string>();
  for (const principal of principals) {
    const refused = refusals(signers, use, { principal, namespace });
    if (refused === undefined) {
      return { status: "G", key, signer: decodeUtf8(principal), reason: `signed by ${printName(principal)}` };
    }
    for (const reason of refused) {
      reasons.add(reason);
    }
  }
  return bad(`key ${key} may not sign: ${[...reasons].join("; ")}`);
}

function untrusted(reasons: readonly string[]): string {
  return reasons.length === 0
    ? "the key isn't among the allowed signers"
    : `the key may not sign: ${reasons.join("; ")}`;
}

/** git reads principals line by line from what ssh-keygen prints, and drops carriage returns at the end. */
function linesOf(principals: readonly string[]): readonly string[] {
  return principals
    .flatMap((principal) => principal.split("\n"))
    .map((line) => line.replace(/\r$/, ""))
    .filter((line) => line !== "");
}

/** Seconds since 1970, as git passes them; undefined if ssh-keygen would refuse them. */
function secondsOf(at: Date | undefined): number | undefined {
  const seconds = Math.floor((at?.getTime() ?? 0) / 1000);
  if (seconds === 0) {
    // git passes no time for the first second of 1970.
    return Math.floor(systemClock.now() / 1000);
  }
  return seconds > 0 && seconds <= lastSecond ? seconds : undefined;
}

function bad(reason: string): Verdict {
  return { status: "B", key: "", reason };
}
