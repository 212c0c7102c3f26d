import { booleanPolicies, hasPolicy, printImageRef, type ResourceStatus } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { printEventLine } from "./event-line.ts";
import type { Remark, TopState } from "./model.ts";
import { type Row, shortName } from "./rows.ts";
import { healthMark, isUnwell, syncMark, syncWord } from "./status.ts";

/** How many events the details of a workload show. */
const shownEvents = 5;

/** Everything that's known about the selected node, in lines of any width. */
export function detailsOf(state: TopState, row: Row | undefined): readonly Remark[] {
  if (row?.node.kind !== "resource") {
    return [];
  }
  const { status, root } = row.node;
  const workload = status.id === root ? state.findings.workloads.get(root) : undefined;
  return [
    ...aboutStatus(status, state.findings.unapplied),
    ...troubleBelow(status),
    ...(workload === undefined ? [] : aboutWorkload(workload)),
    ...eventsOf(state, row.node.root),
  ];
}

function aboutStatus(status: ResourceStatus, unapplied: number | undefined): readonly Remark[] {
  const sync = syncMark(syncWord(status, unapplied));
  const health = healthMark(status.health);
  return [
    ...field("Version", status.apiVersion),
    ...field("File", status.source),
    ...(sync.word === "" ? [] : [{ tone: sync.tone, text: `Sync: ${sync.word}${meaningOf(sync.word)}` }]),
    ...(health.word === "" ? [] : [{ tone: health.tone, text: `Health: ${health.word}` }]),
    ...(status.message === "" ? [] : [{ tone: health.tone, text: `Message: ${status.message}` }]),
  ];
}

function meaningOf(word: string): string {
  switch (word) {
    case "pending":
      return ", the next sync changes it (d shows how)";
    case "drift":
      return ", it was changed in the cluster, and differs from git (d shows how)";
    case "differs":
      return " from git (d shows how)";
    case "obsolete":
      return ", no longer in git";
    case "ignored":
      return ", syncs leave it as it is";
    default:
      return "";
  }
}

/** Why something is unhealthy is often said by what it owns. */
function troubleBelow(status: ResourceStatus): readonly Remark[] {
  const below = unwellBelow(status);
  return below.length === 0
    ? []
    : [
        heading("Unhealthy objects that it owns"),
        ...below.map(({ id, health, message }) => ({
          tone: healthMark(health).tone,
          text: `  ${shortName(id)}: ${health.toLowerCase()}${message === "" ? "" : `, ${message}`}`,
        })),
      ];
}

function unwellBelow({ children }: ResourceStatus): readonly ResourceStatus[] {
  return children.flatMap((child) => [...(isUnwell(child) ? [child] : []), ...unwellBelow(child)]);
}

function aboutWorkload(workload: WorkloadStatusReport): readonly Remark[] {
  const { status, rollout, syncError, readOnly, containers } = workload;
  const { desired, updated, ready, messages } = rollout;
  return [
    heading("Workload"),
    ...field("  Status", status),
    { tone: "plain", text: `  Replicas: ${updated} of ${desired} updated, ${ready} ready` },
    ...(messages ?? []).map((text) => ({ tone: "bad", text: `  ${text}` }) as const),
    ...(syncError === "" ? [] : [{ tone: "bad", text: `  Not applied: ${syncError}` } as const]),
    ...field("  Cannot be changed in git", readOnly),
    heading("Images"),
    ...containers.map(({ name, image }) => plain(`  ${name}: ${printImageRef(image)}`)),
    heading("Policies"),
    ...policiesOf(workload),
  ];
}

function policiesOf({ policies }: WorkloadStatusReport): readonly Remark[] {
  const set = Object.entries(policies).filter(([policy]) => hasPolicy(policies, policy));
  return set.length === 0
    ? [plain("  none")]
    : set.map(([policy, value]) =>
        plain(booleanPolicies.includes(policy) ? `  ${policy}` : `  ${policy}: ${value}`),
      );
}

function eventsOf({ events }: TopState, root: string): readonly Remark[] {
  const own = events.filter(({ workloads }) => workloads.some((id) => id === root)).slice(-shownEvents);
  return own.length === 0
    ? []
    : [
        heading("Events"),
        ...own.map((event) => {
          const { tone, text } = printEventLine(event);
          return { tone, text: `  ${text}` };
        }),
      ];
}

function field(name: string, value: string): readonly Remark[] {
  return value === "" ? [] : [plain(`${name}: ${value}`)];
}

function heading(text: string): Remark {
  return { tone: "heading", text };
}

function plain(text: string): Remark {
  return { tone: "plain", text };
}
