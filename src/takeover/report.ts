import type { Finding, JsonObject } from "@weir/base";
import type { ResourcePreview } from "../cluster/preview.ts";
import type { DaemonPod } from "./daemon-pod.ts";
import type { SwitchCommands } from "./switch-commands.ts";

/** What a switch would take and change. */
export interface TakeoverReport {
  readonly pod: DaemonPod;
  readonly newImage: string;
  readonly git: {
    /** Without a password. */
    readonly url: string;
    readonly branch: string;
    readonly paths: readonly string[];
  };
  readonly findings: readonly Finding[];
  readonly comparison: ComparisonOutcome;
  readonly commands: SwitchCommands;
}

/** What the first sync would change, or why that is not known. */
export type ComparisonOutcome =
  | {
      readonly kind: "compared";
      /** Where the manifests come from, without a password. */
      readonly source: string;
      readonly revision: string;
      /** How many objects git has. */
      readonly objects: number;
      /** What the first sync would do, and what it would leave alone for a reason. */
      readonly changes: readonly ResourcePreview[];
    }
  /** It takes something that was not given. */
  | { readonly kind: "skipped"; readonly reason: string; readonly advice: string }
  /** It was tried in vain. */
  | { readonly kind: "failed"; readonly reason: string; readonly advice: string };

/** A report as JSON. The arguments of fluxd and its variables stay out: they may hold tokens. */
export function encodeReport(report: TakeoverReport): JsonObject {
  const { pod, newImage, git, findings, comparison, commands } = report;
  return {
    namespace: pod.namespace,
    deployment: pod.deployment,
    container: pod.container,
    image: pod.image,
    newImage,
    serviceAccount: pod.serviceAccount,
    secrets: pod.secrets,
    volumes: pod.volumes.map(({ path, kind, name }) => ({ path, kind, name })),
    git: { ...git },
    findings: findings.map(({ subject, verdict, found, advice }) => ({ subject, verdict, found, advice })),
    comparison: encodeComparison(comparison),
    commands: { switch: commands.switch, rollBack: commands.rollBack },
  };
}

function encodeComparison(outcome: ComparisonOutcome): JsonObject {
  if (outcome.kind !== "compared") {
    return { ...outcome };
  }
  const { kind, source, revision, objects, changes } = outcome;
  return { kind, source, revision, objects, changes: changes.map((change) => ({ ...change })) };
}
