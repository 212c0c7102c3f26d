/**
 * Whether a key may sign, decided in git's two steps: find the principals of a key, then check each of them. Both skip
 * lines that list the key but don't apply, and tell why.
 */
import type { AllowedSigner } from "./allowed-signer.ts";
import type { Certificate } from "./certificate.ts";
import { certificateProblem, unlistedPrincipals } from "./certificate-use.ts";
import { matchesPattern, matchesPatternList } from "./patterns.ts";
import { printName, printTime } from "./print.ts";
import { isSameKey, isSamePlainKey, type PublicKey } from "./public-key.ts";

/** A key, and when it's used, in seconds since 1970. */
export interface KeyUse {
  readonly key: PublicKey;
  readonly at: number;
}

/** What somebody wants to sign for. */
export interface SigningRequest {
  readonly principal: string;
  readonly namespace: string;
}

/** Principals, or why the lines that list the key don't apply. */
export type Found =
  | { readonly kind: "principals"; readonly principals: readonly string[] }
  | { readonly kind: "none"; readonly reasons: readonly string[] };

/**
 * The principals of the first line that applies to a key, as `ssh-keygen -Y find-principals` prints them. For a key,
 * they are the line's patterns themselves; for a certificate, those of its principals that match the patterns.
 */
export function findPrincipals(signers: readonly AllowedSigner[], use: KeyUse): Found {
  const reasons: string[] = [];
  for (const signer of signers.filter((one) => lists(one, use.key))) {
    const found = principalsOf(signer, use);
    if (found.kind === "principals") {
      return found;
    }
    reasons.push(...found.reasons);
  }
  return { kind: "none", reasons };
}

/**
 * Why a principal may not sign with a key, by each line that lists the key, as `ssh-keygen -Y verify` decides; undefined
 * if one of them applies.
 */
export function refusals(
  signers: readonly AllowedSigner[],
  use: KeyUse,
  request: SigningRequest,
): readonly string[] | undefined {
  const reasons: string[] = [];
  for (const signer of signers.filter((one) => lists(one, use.key))) {
    const reason = refusal(signer, use, request);
    if (reason === undefined) {
      return undefined;
    }
    reasons.push(onLine(signer, reason));
  }
  return reasons;
}

/** Whether a line is about a key: it has the key itself, or the authority that signed its certificate. */
function lists({ key: listed, options }: AllowedSigner, key: PublicKey): boolean {
  return options.certAuthority
    ? key.certificate !== undefined && isSamePlainKey(key.certificate.authority, listed.plain)
    : isSameKey(listed, key);
}

/** The certificate that counts for a line. If a line lists a certificate itself, what it says doesn't count. */
function certificateFor({ options }: AllowedSigner, key: PublicKey): Certificate | undefined {
  return options.certAuthority ? key.certificate : undefined;
}

function principalsOf(signer: AllowedSigner, { key, at }: KeyUse): Found {
  const certificate = certificateFor(signer, key);
  const problem =
    (certificate && certificateProblem(certificate, at)) ??
    (certificate && certifiedPrincipals(signer, certificate) === ""
      ? unlistedPrincipals(certificate)
      : undefined) ??
    timeProblem(signer, at);
  if (problem !== undefined) {
    return { kind: "none", reasons: [onLine(signer, problem)] };
  }
  const principals = certificate === undefined ? signer.principals : certifiedPrincipals(signer, certificate);
  return { kind: "principals", principals: untilEmpty(principals) };
}

/** The certificate's principals that match the line's patterns, as a list with commas. */
function certifiedPrincipals(signer: AllowedSigner, { principals }: Certificate): string {
  return untilEmpty(signer.principals)
    .flatMap((pattern) => principals.filter((principal) => matchesPattern(principal, pattern)))
    .join(",");
}

function refusal(signer: AllowedSigner, { key, at }: KeyUse, request: SigningRequest): string | undefined {
  const { principal, namespace } = request;
  if (!matchesPatternList(principal, signer.principals)) {
    return `the line's principals don't include ${printName(principal)}`;
  }
  const certificate = certificateFor(signer, key);
  if (certificate !== undefined) {
    const problem = certificateProblem(certificate, at);
    if (problem !== undefined || !certificate.principals.includes(principal)) {
      return problem ?? unlistedPrincipals(certificate);
    }
  }
  const { namespaces } = signer.options;
  if (namespaces !== undefined && !matchesPatternList(namespace, namespaces)) {
    return `the key may sign only in namespaces ${printName(namespaces)}, not in ${printName(namespace)}`;
  }
  return timeProblem(signer, at);
}

function timeProblem({ options }: AllowedSigner, at: number): string | undefined {
  const { validAfter, validBefore } = options;
  if (validAfter !== undefined && at < validAfter) {
    return `the key isn't valid before ${printTime(validAfter)}`;
  }
  return validBefore !== undefined && at > validBefore
    ? `the key expired at ${printTime(validBefore)}`
    : undefined;
}

/** The items of a list with commas. ssh-keygen stops at an empty one. */
function untilEmpty(list: string): readonly string[] {
  const items = list.split(",");
  const end = items.indexOf("");
  return end === -1 ? items : items.slice(0, end);
}

function onLine({ line }: AllowedSigner, problem: string): string {
  return `line ${line}: ${problem}`;
}
