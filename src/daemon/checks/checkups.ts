import type { Checkup } from "@weir/base";
import type { Cluster } from "@weir/flux";
import type { Suspension, VerificationReport } from "@weir/flux/api";
import type { DaemonSettings, Repo } from "../ports.ts";
import { verification } from "../queries/verification.ts";
import type { HeadVerifier } from "../sync/head-verifier.ts";
import type { SyncOutcome } from "../sync/outcome.ts";
import type { SyncState } from "../sync/state.ts";
import { gitCheckup } from "./git.ts";
import { signatureCheckup } from "./signatures.ts";
import { suspensionCheckup } from "./suspension.ts";
import { syncCheckup } from "./sync.ts";

/** The daemon's own checks: git, syncs, suspensions, and signatures. */
export function daemonCheckups(deps: CheckupsDependencies): readonly Checkup[] {
  const { repo, settings, cluster, syncState, outcome } = deps;
  const { branch } = settings;
  const paths = settings.manifestGeneration ? [] : settings.paths;
  const publicKey = async (signal: AbortSignal): Promise<string> =>
    (await cluster.publicSshKey(false, signal)).key;
  return [
    gitCheckup({ repo, branch, publicKey }),
    syncCheckup({ repo, branch, paths, syncState, outcome }),
    suspensionCheckup(() => deps.suspensions()),
    ...signatureCheckups(deps),
  ];
}

export interface CheckupsDependencies extends SignatureCheckupsDependencies {
  readonly cluster: Pick<Cluster, "publicSshKey">;
  readonly syncState: Pick<SyncState, "revision">;
  readonly outcome: SyncOutcome;
  suspensions(): readonly Suspension[];
}

/** None if commits needn't be signed. */
export function signatureCheckups({
  repo,
  settings,
  heads,
}: SignatureCheckupsDependencies): readonly Checkup[] {
  const mode = settings.verifySignatures;
  const report = (signal: AbortSignal): Promise<VerificationReport> =>
    verification({ repo, mode, heads }, signal);
  return heads === undefined ? [] : [signatureCheckup({ repo, branch: settings.branch, report })];
}

export interface SignatureCheckupsDependencies {
  readonly repo: Repo;
  readonly settings: DaemonSettings;
  /** Undefined if commits needn't be signed. */
  readonly heads: HeadVerifier | undefined;
}
