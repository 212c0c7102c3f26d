import { clusterScope, partsOfResourceId, type ResourceId, type ResourceStatus } from "@weir/flux";
import type { TopState } from "./model.ts";
import { isOutOfStep, isUnwell, type SyncWord, syncWord } from "./status.ts";

/** How many of the resources in a namespace have which problem. */
export interface Tally {
  readonly resources: number;
  readonly unhealthy: number;
  readonly progressing: number;
  /** In git and not applied yet, or no longer in git and still there. */
  readonly pending: number;
  /** Changed in the cluster. */
  readonly drifted: number;
}

/** A visible node of the tree. */
export interface Row {
  /** Unique, and the same after each update. */
  readonly key: string;
  /** The key of the node above it; "" for none. */
  readonly parent: string;
  readonly depth: number;
  /** Undefined for a node without children. */
  readonly isOpen: boolean | undefined;
  readonly node:
    | { readonly kind: "namespace"; readonly name: string; readonly tally: Tally }
    | {
        readonly kind: "resource";
        readonly status: ResourceStatus;
        /** The resource in git that it belongs to. */
        readonly root: ResourceId;
      };
}

type Shown = Pick<TopState, "findings" | "toggled" | "filter" | "troubleOnly">;

/** The visible nodes, in order: namespaces, in each its resources, and below these the objects that they own. */
export function rowsOf({ findings, toggled, filter, troubleOnly }: Shown): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen: Chosen = {
    toggled,
    isFiltered: words.length > 0,
    unapplied: findings.unapplied,
    isWanted: (status) =>
      (!troubleOnly || isUnwell(status) || isOutOfStep(status)) &&
      words.every((word) => searchable(status, findings.unapplied).includes(word)),
  };
  const byNamespace = Map.groupBy(findings.resources, ({ id }) => namespaceOf(id));
  return [...byNamespace]
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .flatMap(([name, resources]) => namespaceRows(name, resources, chosen));
}

/** How a resource and those below it stand. */
export function tallyOf(resources: readonly ResourceStatus[], unapplied: number | undefined): Tally {
  const count = (is: (status: ResourceStatus) => boolean): number => resources.filter(is).length;
  const inStep = (word: SyncWord) => (status: ResourceStatus) => syncWord(status, unapplied) === word;
  return {
    resources: resources.length,
    unhealthy: count((status) => has(status, isUnhealthy)),
    progressing: count((status) => has(status, isProgressing) && !has(status, isUnhealthy)),
    pending: count(inStep("pending")) + count(inStep("obsolete")) + count(inStep("differs")),
    drifted: count(inStep("drift")),
  };
}

/** The namespace as people see it. */
export function namespaceOf(id: ResourceId): string {
  const { namespace } = partsOfResourceId(id);
  return namespace === clusterScope ? "(cluster)" : namespace;
}

/** "kind/name". */
export function shortName(id: ResourceId): string {
  const { kind, name } = partsOfResourceId(id);
  return `${kind}/${name}`;
}

interface Chosen {
  readonly toggled: ReadonlySet<string>;
  /** True if a text is searched for; then the nodes above a match are open. */
  readonly isFiltered: boolean;
  readonly unapplied: number | undefined;
  readonly isWanted: (status: ResourceStatus) => boolean;
}

/** Namespaces are open at first. */
function namespaceRows(name: string, resources: readonly ResourceStatus[], chosen: Chosen): readonly Row[] {
  const key = `namespace ${name}`;
  const wanted = resources.filter((status) => hasWanted(status, chosen));
  if (wanted.length === 0) {
    return [];
  }
  const isOpen = !chosen.toggled.has(key);
  const node = { kind: "namespace", name, tally: tallyOf(resources, chosen.unapplied) } as const;
  const below = isOpen
    ? wanted.flatMap((status) => resourceRows(status, { parent: key, depth: 1, root: status.id }, chosen))
    : [];
  return [{ key, parent: "", depth: 0, isOpen, node }, ...below];
}

/** Resources are closed at first, unless a match is below them. */
function resourceRows(
  status: ResourceStatus,
  place: { readonly parent: string; readonly depth: number; readonly root: ResourceId },
  chosen: Chosen,
): readonly Row[] {
  const { parent, depth, root } = place;
  const key = `${parent} ${status.apiVersion} ${status.id}`;
  const children = chosen.isWanted(status)
    ? status.children
    : status.children.filter((child) => hasWanted(child, chosen));
  const opensItself = chosen.isFiltered && children.some((child) => hasWanted(child, chosen));
  const isOpen = children.length === 0 ? undefined : opensItself !== chosen.toggled.has(key);
  const below =
    isOpen === true
      ? children.flatMap((child) => resourceRows(child, { parent: key, depth: depth + 1, root }, chosen))
      : [];
  return [{ key, parent, depth, isOpen, node: { kind: "resource", status, root } }, ...below];
}

function hasWanted(status: ResourceStatus, chosen: Chosen): boolean {
  return chosen.isWanted(status) || status.children.some((child) => hasWanted(child, chosen));
}

/** True for a resource or anything that it owns. */
function has(status: ResourceStatus, is: (status: ResourceStatus) => boolean): boolean {
  return is(status) || status.children.some((child) => has(child, is));
}

function isProgressing({ health }: ResourceStatus): boolean {
  return health === "Progressing";
}

function isUnhealthy(status: ResourceStatus): boolean {
  return isUnwell(status) && !isProgressing(status);
}

function searchable(status: ResourceStatus, unapplied: number | undefined): string {
  const { id, health, source, message } = status;
  return [id, syncWord(status, unapplied), health, source, message].join(" ").toLowerCase();
}
