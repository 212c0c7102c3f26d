import type { Finding, JsonObject } from "@weir/base";
import type { ResourcePreview } from "@weir/flux";
import type { DaemonPod } from "../running-install/daemon-pod.ts";
import type { SwitchCommands } from "./switch-commands.ts";

/** What a switch needs and changes. */
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

/** What the first sync would change, or why that isn't known. */
export type ComparisonOutcome =
  | {
      readonly kind: "compared";
      /** The repository that was read, without a password. */
      readonly source: string;
      readonly revision: string;
      /** The number of objects in git. */
      readonly objects: number;
      /** What the first sync would change, and what it would deliberately leave alone. */
      readonly changes: readonly ResourcePreview[];
    }
  /** Something is needed that wasn't given. */
  | { readonly kind: "skipped"; readonly reason: string; readonly advice: string }
  /** It was tried, and failed. */
  | { readonly kind: "failed"; readonly reason: string; readonly advice: string };

/** A report as JSON, without fluxd's arguments and variables, which can contain tokens. */
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
