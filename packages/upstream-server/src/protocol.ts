import {
  allWorkloadsSpec,
  type FluxError,
  partsOfResourceId,
  type ResourceId,
  readResourceId,
  type UpdateSpec,
} from "@weir/flux";
import { unsupportedKindError, upgradeNeededError } from "./errors.ts";

/**
 * The protocol versions with which daemons can connect. Daemons of Flux 1.25.4 and Weir use version 11; version 12 is the
 * same.
 */
export const protocolVersions = [6, 7, 8, 9, 10, 11, 12] as const;

/** A supported protocol version. */
export type ProtocolVersion = (typeof protocolVersions)[number];

/** The capabilities of a protocol version. After the clients of Flux v1's pkg/remote/rpc. */
export interface Protocol {
  readonly version: ProtocolVersion;
  /**
   * True (7): a response has fields for a result and an API error. False: a result is sent as it is, and an
   * error is a line of text.
   */
  readonly envelope: boolean;
  /** The supported kinds of workloads. */
  readonly kinds: readonly string[];
  /** True (9): NotifyChange exists. False: only SyncNotify, which doesn't say what changed. */
  readonly notifyChange: boolean;
  /** True (10): ListImagesWithOptions exists. */
  readonly imagesWithOptions: boolean;
  /** True (11): ListServicesWithOptions is called, although no Flux daemon has it. */
  readonly servicesWithOptions: boolean;
  /** True (11): the daemon can be Weir's, and have a method for Weir's own routes. */
  readonly inspect: boolean;
}

const oldKinds = ["service"];
const newKinds = ["deployment", "daemonset", "statefulset", "cronjob", "helmrelease"];

/** The capabilities of a version. */
export function protocolOf(version: ProtocolVersion): Protocol {
  return {
    version,
    envelope: version >= 7,
    kinds: version >= 8 ? newKinds : oldKinds,
    notifyChange: version >= 9,
    imagesWithOptions: version >= 10,
    servicesWithOptions: version >= 11,
    inspect: version >= 11,
  };
}

/** Throws a FluxError if the daemon can't list a kind among these workloads. */
export function requireListable(ids: readonly ResourceId[], { kinds }: Protocol): void {
  requireKinds(ids, kinds, unsupportedKindError);
}

/**
 * Like requireListable, for a workload whose images are listed, or for all workloads; the error says that an
 * old daemon needs an upgrade.
 */
export function requireImagesOf(
  workload: ResourceId | typeof allWorkloadsSpec,
  { version, kinds }: Protocol,
): void {
  requireKinds(workload === allWorkloadsSpec ? [] : [workload], kinds, kindErrorOf(version));
}

/** Like requireListable, for the workloads of an update. As Flux v1, only for policies and images. */
export function requireUpdatable(spec: UpdateSpec, { version, kinds }: Protocol): void {
  requireKinds(workloadsIn(spec), kinds, kindErrorOf(version));
}

function kindErrorOf(version: ProtocolVersion): (message: string) => FluxError {
  return version >= 8 ? unsupportedKindError : upgradeNeededError;
}

/** As Flux v1, the daemon handles text that isn't a workload ID. */
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
