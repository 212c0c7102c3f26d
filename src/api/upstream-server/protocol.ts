import type { FluxError } from "../../errors/flux-error.ts";
import { partsOfResourceId, type ResourceId, readResourceId } from "../../resource/id.ts";
import { allWorkloadsSpec, type UpdateSpec } from "../../update/spec.ts";
import { unsupportedKindError, upgradeNeededError } from "./errors.ts";

/** The versions in which daemons may connect. A daemon of Flux 1.25.4, or of Weir, uses the last. */
export const protocolVersions = [6, 7, 8, 9, 10, 11] as const;

/** One of them. */
export type ProtocolVersion = (typeof protocolVersions)[number];

/** How daemons of one version are talked to. After the clients of Flux v1's pkg/remote/rpc. */
export interface Protocol {
  readonly version: ProtocolVersion;
  /** Results stand beside errors of the API (7); else they are bare, and any error is a line of text. */
  readonly envelope: boolean;
  /** The kinds of workloads that may be asked for. */
  readonly kinds: readonly string[];
  /** NotifyChange is there (9); else SyncNotify, which names no change. */
  readonly notifyChange: boolean;
  /** ListImagesWithOptions is there (10). */
  readonly imagesWithOptions: boolean;
  /** ListServicesWithOptions is called (11), although no daemon of Flux has it. */
  readonly servicesWithOptions: boolean;
}

const oldKinds = ["service"];
const newKinds = ["deployment", "daemonset", "statefulset", "cronjob", "helmrelease"];

/** What a version is able to do. */
export function protocolOf(version: ProtocolVersion): Protocol {
  return {
    version,
    envelope: version >= 7,
    kinds: version >= 8 ? newKinds : oldKinds,
    notifyChange: version >= 9,
    imagesWithOptions: version >= 10,
    servicesWithOptions: version >= 11,
  };
}

/** Throws a FluxError where one of the workloads is of a kind that the daemon does not list. */
export function requireListable(ids: readonly ResourceId[], { kinds }: Protocol): void {
  requireKinds(ids, kinds, unsupportedKindError);
}

/** The same for a workload whose images are listed, or for all; old daemons are said to need an upgrade. */
export function requireImagesOf(
  workload: ResourceId | typeof allWorkloadsSpec,
  { version, kinds }: Protocol,
): void {
  requireKinds(workload === allWorkloadsSpec ? [] : [workload], kinds, kindErrorOf(version));
}

/** The same for what is to be updated. As Flux v1, for policies and images only. */
export function requireUpdatable(spec: UpdateSpec, { version, kinds }: Protocol): void {
  requireKinds(workloadsIn(spec), kinds, kindErrorOf(version));
}

function kindErrorOf(version: ProtocolVersion): (message: string) => FluxError {
  return version >= 8 ? unsupportedKindError : upgradeNeededError;
}

/** As Flux v1, a text that names no workload is left to the daemon. */
function workloadsIn(spec: UpdateSpec): readonly ResourceId[] {
  switch (spec.type) {
    case "policy":
      return [...(spec.spec?.keys() ?? [])];
    case "image": {
      const { workloads, excludes } = spec.spec;
      return [...(workloads ?? []), ...(excludes ?? [])].flatMap((each) => readResourceId(each) ?? []);
    }
    case "containers":
    case "auto":
    case "sync":
      return [];
  }
}

function requireKinds(
  ids: readonly ResourceId[],
  kinds: readonly string[],
  toError: (message: string) => FluxError,
): void {
  const other = ids.map((id) => partsOfResourceId(id).kind).find((kind) => !kinds.includes(kind));
  if (other !== undefined) {
    throw toError(`Unsupported resource kind: ${other}`);
  }
}
