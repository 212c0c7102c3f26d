import { type Checkup, type Finding, failed, passed, warning } from "@weir/base";
import { describeUnverified, type VerificationReport } from "@weir/flux/api";
import type { Repo } from "../ports.ts";

const subject = "signatures";

/** Checks that all commits of the branch have good signatures; only for a daemon that requires them. */
export function signatureCheckup(options: SignatureCheckOptions): Checkup {
  return { subject, look: async (signal) => [await look(options, signal)] };
}

export interface SignatureCheckOptions {
  readonly repo: Pick<Repo, "status">;
  readonly branch: string;
  readonly report: (signal: AbortSignal) => Promise<VerificationReport>;
}

async function look({ repo, branch, report }: SignatureCheckOptions, signal: AbortSignal): Promise<Finding> {
  if (repo.status().status !== "ready") {
    return warning(subject, "cannot verify commits until the git repository is available", "");
  }
  const { verified, bad, error } = await report(signal);
  if (error !== "") {
    return failed(subject, `no commit of ${branch} can be verified: ${error}`, markerAdvice);
  }
  return bad === undefined
    ? passed(subject, `all commits of ${branch} are verified, up to ${verified.slice(0, 7)}`)
    : failed(subject, `${describeUnverified(bad)}; ${lastVerified(verified)}`, commitAdvice);
}

function lastVerified(verified: string): string {
  return verified === "" ? "no commit is applied" : `only commits up to ${verified.slice(0, 7)} are applied`;
}

const commitAdvice =
  "if you trust the commit, sign it again and push the branch with --force, or import the key that signed it with --git-gpg-key-import; otherwise, remove it from the branch";

const markerAdvice =
  "the sync tag and the commit that it points to must be signed with a known key; if you trust them, sign the tag again (git tag -f -s), or delete it to have the whole branch verified";
