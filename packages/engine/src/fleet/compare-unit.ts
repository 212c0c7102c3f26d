import { messageOf } from "@weir/base";
import type { Claims } from "./claims.ts";
import type { ClusterLink } from "./cluster-link.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type { SyncUnit, SyncUnitEvent, SyncUnitStatus } from "./ports.ts";
import type { UnitRecords } from "./unit-records.ts";
import { eventsOf, type Finding, statusBy, withFinding } from "./unit-status.ts";
import { foreignTo, ownedBy, type UnitTargets } from "./unit-targets.ts";

/** The dependencies of comparing the units of one cluster. */
export interface CompareContext {
  readonly records: UnitRecords;
  readonly targets: UnitTargets;
  readonly link: ClusterLink;
  readonly claims: Claims;
  readonly calls: OutsideCalls;
  /** How long comparing may take. */
  readonly compareMs: number;
  readonly tell: (unit: string, event: SyncUnitEvent) => void;
  /** Compare these units again. */
  readonly concerns: (units: Iterable<string>) => void;
}

/** Compares a unit with its cluster and stores its status. Rejects if the store does, or with an abort. */
export async function compareUnit(
  unit: SyncUnit,
  context: CompareContext,
  signal: AbortSignal,
): Promise<void> {
  const finding = await findingOf(unit, context, signal);
  let change: { readonly before: SyncUnitStatus; readonly after: SyncUnitStatus } | undefined;
  await context.records.change(
    unit.id,
    (before) => {
      const after = withFinding(before, finding, context.claims.warningsOf(unit.id));
      change = after === undefined ? undefined : { before, after };
      return after;
    },
    signal,
  );
  if (change !== undefined) {
    eventsOf(change.before, change.after).forEach((event) => context.tell(unit.id, event));
  }
}

async function findingOf(unit: SyncUnit, context: CompareContext, signal: AbortSignal): Promise<Finding> {
  try {
    return await compare(unit, context, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { sync: "Unknown", health: "Unknown", revision: unit.status.revision, message: messageOf(error) };
  }
}

async function compare(unit: SyncUnit, context: CompareContext, signal: AbortSignal): Promise<Finding> {
  const { link, targets, claims, calls, compareMs: limitMs } = context;
  using lease = await link.acquire(signal);
  const { engine, settings, server } = lease.connection;
  const { instanceLabelKey, resourceOverrides = {} } = settings;
  const generated = await targets.of(unit, instanceLabelKey, signal);
  context.concerns(claims.replace(unit.id, generated.keys));
  const request = {
    // They say what the manifests mean; a selection only says what the request was about.
    ...unit.operation,
    selection: undefined,
    dryRun: false,
    targets: generated.targets,
    isManaged: ownedBy(unit.id, instanceLabelKey, claims),
    foreignOwner: foreignTo(unit.id, instanceLabelKey, claims),
    revision: generated.revision,
    unit: unit.id,
    prune: "on",
    // Hooks are part of a sync, not of what is compared.
    hooks: "never",
  } as const;
  const what = `comparing with cluster "${unit.destination.cluster}" (${server})`;
  const plan = await calls.make({ what, limitMs, signal }, (ends) => engine.plan(request, ends));
  return statusBy(plan, generated.revision, resourceOverrides);
}
