/**
 * Update specs and results as JSON, for the API and for git notes. Keys are in the order of Flux v1's structs, and maps
 * are sorted. Decoders throw JsonShapeError, InvalidResourceIdError, or InvalidImageRefError.
 */
import {
  compareGoStrings,
  type Decode,
  type JsonObject,
  JsonReader,
  type JsonValue,
  listAt,
  mapAt,
  textAt,
  textOrNullAt,
} from "@weir/base";
import { parseImageRef, printImageRef } from "../image/ref.ts";
import { parseResourceId, type ResourceId } from "../resource/id.ts";
import type { PolicySet, PolicyUpdate } from "../resource/policy.ts";
import type { UpdateResult, UpdateStatus, WorkloadResult } from "./result.ts";
import type {
  AutomatedChange,
  Cause,
  ContainerUpdate,
  PolicyUpdates,
  ReleaseContainersSpec,
  ReleaseImageSpec,
  UpdateSpec,
} from "./spec.ts";

/** A spec has an unknown type. */
export class UnknownSpecTypeError extends Error {
  override readonly name = "UnknownSpecTypeError";
  readonly type: string;

  constructor(type: string) {
    super(`unknown spec type: ${type}`);
    this.type = type;
  }
}

/** A spec names its type but has no content. */
export class MissingSpecError extends Error {
  override readonly name = "MissingSpecError";
  readonly type: string;

  constructor(type: string) {
    super(`a spec of type ${type} has no "spec"`);
    this.type = type;
  }
}

/** {"type", "cause", "spec"}. */
export function encodeUpdateSpec(spec: UpdateSpec): JsonObject {
  return { type: spec.type, cause: encodeCause(spec.cause), spec: encodeSpecBody(spec) };
}

/** Decodes the output of encodeUpdateSpec. Also throws UnknownSpecTypeError and MissingSpecError. */
export function decodeUpdateSpec(value: JsonValue, path = ""): UpdateSpec {
  return decodeSpec(value, path, decodeContainerUpdate);
}

/** Decodes a caller's request. Throws like decodeUpdateSpec, and if a current image is given but empty. */
export function decodeUpdateRequest(value: JsonValue, path = ""): UpdateSpec {
  return decodeSpec(value, path, decodeRequestedUpdate);
}

function decodeSpec(value: JsonValue, path: string, decodeUpdate: Decode<ContainerUpdate>): UpdateSpec {
  const reader = new JsonReader(value, path);
  const type = reader.text("type");
  const cause = decodeCause(reader.object("cause"));
  switch (type) {
    case "image":
      return { type, cause, spec: decodeReleaseImageSpec(specIn(reader, type)) };
    case "containers":
      return { type, cause, spec: decodeReleaseContainersSpec(specIn(reader, type), decodeUpdate) };
    case "policy":
      specIn(reader, type);
      return { type, cause, spec: reader.value("spec", decodePolicyUpdates) ?? null };
    case "auto":
      return { type, cause, spec: specIn(reader, type).list("Changes", decodeAutomatedChange) ?? [] };
    case "sync": {
      const reapply = specIn(reader, type).flag("Reapply");
      return { type, cause, ...(reapply ? { reapply } : {}) };
    }
    default:
      throw new UnknownSpecTypeError(type);
  }
}

/** {"Message", "User"}. */
export function encodeCause({ message, user }: Cause): JsonObject {
  return { Message: message, User: user };
}

/** A map from workload to {"Status", "Error"?, "PerContainer"}. */
export function encodeUpdateResult(result: UpdateResult): JsonObject {
  return sortedObject(result, encodeWorkloadResult);
}

/** Decodes the output of encodeUpdateResult. */
export function decodeUpdateResult(value: JsonValue, path = ""): UpdateResult {
  return idMap(mapAt(value, path, decodeWorkloadResult));
}

/** {"ServiceSpecs", "ImageSpec", "Kind", "Excludes", "Force"}. */
export function encodeReleaseImageSpec(spec: ReleaseImageSpec): JsonObject {
  return {
    ServiceSpecs: spec.workloads,
    ImageSpec: spec.image,
    Kind: spec.kind,
    Excludes: spec.excludes,
    Force: spec.force,
  };
}

/** {"Kind", "ContainerSpecs", "SkipMismatches", "Force"}. */
export function encodeReleaseContainersSpec(spec: ReleaseContainersSpec): JsonObject {
  return {
    Kind: spec.kind,
    ContainerSpecs:
      spec.containers &&
      sortedObject(spec.containers, (updates) => updates && updates.map(encodeContainerUpdate)),
    SkipMismatches: spec.skipMismatches,
    Force: spec.force,
  };
}

/** {"Changes"}: the changes made by automation. */
export function encodeAutomated(changes: readonly AutomatedChange[]): JsonObject {
  return { Changes: changes.length === 0 ? null : changes.map(encodeAutomatedChange) };
}

/** Decodes a map from workload to {"add", "remove"}. */
export function decodePolicyUpdates(value: JsonValue, path = ""): PolicyUpdates {
  return idMap(mapAt(value, path, decodePolicyUpdate));
}

/** A resource ID in a field; throws InvalidResourceIdError or JsonShapeError. */
export function resourceIdAt(value: JsonValue, path: string): ResourceId {
  return parseResourceId(textAt(value, path));
}

function encodeSpecBody(spec: UpdateSpec): JsonValue {
  switch (spec.type) {
    case "image":
      return encodeReleaseImageSpec(spec.spec);
    case "containers":
      return encodeReleaseContainersSpec(spec.spec);
    case "policy":
      return spec.spec && sortedObject(spec.spec, encodePolicyUpdate);
    case "auto":
      return encodeAutomated(spec.spec);
    case "sync":
      return spec.reapply === true ? { Reapply: true } : {};
  }
}

/** The fields of the spec itself. As in Flux v1, it may be null, but not missing. */
function specIn(reader: JsonReader, type: string): JsonReader {
  if (!reader.has("spec")) {
    throw new MissingSpecError(type);
  }
  return reader.object("spec");
}

function decodeCause(reader: JsonReader): Cause {
  return { message: reader.text("Message"), user: reader.text("User") };
}

function decodeReleaseImageSpec(reader: JsonReader): ReleaseImageSpec {
  return {
    workloads: reader.list("ServiceSpecs", textOrNullAt),
    image: reader.text("ImageSpec"),
    kind: reader.text("Kind"),
    excludes: reader.list("Excludes", excludeAt),
    force: reader.flag("Force"),
  };
}

function excludeAt(value: JsonValue, path: string): ResourceId | "" {
  const text = textOrNullAt(value, path);
  return text === "" ? text : parseResourceId(text);
}

function decodeReleaseContainersSpec(
  reader: JsonReader,
  decodeUpdate: Decode<ContainerUpdate>,
): ReleaseContainersSpec {
  const containers = reader.map("ContainerSpecs", (value, path) =>
    value === null ? null : listAt(value, path, decodeUpdate),
  );
  return {
    kind: reader.text("Kind"),
    containers: containers && idMap(containers),
    skipMismatches: reader.flag("SkipMismatches"),
    force: reader.flag("Force"),
  };
}

/** As Flux v1, "" for an unknown current image. */
function encodeContainerUpdate({ container, current, target }: ContainerUpdate): JsonObject {
  return {
    Container: container,
    Current: current === undefined ? "" : printImageRef(current),
    Target: printImageRef(target),
  };
}

/** As in Flux v1, a caller that doesn't know the current image leaves it out; an empty image is refused. */
function decodeRequestedUpdate(value: JsonValue, path: string): ContainerUpdate {
  const reader = new JsonReader(value, path);
  if (reader.has("Current")) {
    parseImageRef(reader.text("Current"));
  }
  return decodeContainerUpdate(value, path);
}

/** Flux v1 can't parse the empty image that it writes itself; here it stands for an unknown one. */
function decodeContainerUpdate(value: JsonValue, path: string): ContainerUpdate {
  const reader = new JsonReader(value, path);
  const current = reader.text("Current");
  return {
    container: reader.text("Container"),
    current: current === "" ? undefined : parseImageRef(current),
    target: parseImageRef(reader.text("Target")),
  };
}

function encodeAutomatedChange({ workload, container, image }: AutomatedChange): JsonObject {
  return {
    WorkloadID: workload,
    Container: { Name: container.name, Image: printImageRef(container.image) },
    ImageID: printImageRef(image),
  };
}

function decodeAutomatedChange(value: JsonValue, path: string): AutomatedChange {
  const reader = new JsonReader(value, path);
  const container = reader.object("Container");
  return {
    workload: parseResourceId(reader.text("WorkloadID")),
    container: { name: container.text("Name"), image: parseImageRef(container.text("Image")) },
    image: parseImageRef(reader.text("ImageID")),
  };
}

function encodePolicyUpdate({ add, remove }: PolicyUpdate): JsonObject {
  return { add: add && sortedPolicies(add), remove: remove && sortedPolicies(remove) };
}

function sortedPolicies(set: PolicySet): JsonObject {
  return sortedObject(new Map(Object.entries(set)), (value) => value);
}

function decodePolicyUpdate(value: JsonValue, path: string): PolicyUpdate {
  const reader = new JsonReader(value, path);
  return {
    add: reader.value("add", decodePolicySet) ?? null,
    remove: reader.value("remove", decodePolicySet) ?? null,
  };
}

/** A map of policies, or the list of names that older clients send. */
function decodePolicySet(value: JsonValue, path: string): PolicySet {
  if (Array.isArray(value)) {
    return Object.fromEntries(listAt(value, path, textOrNullAt).map((policy) => [policy, "true"]));
  }
  return Object.fromEntries(mapAt(value, path, textOrNullAt));
}

function encodeWorkloadResult({ status, error, containers }: WorkloadResult): JsonObject {
  return {
    Status: status,
    ...(error === undefined || error === "" ? {} : { Error: error }),
    PerContainer: containers && containers.map(encodeContainerUpdate),
  };
}

function decodeWorkloadResult(value: JsonValue, path: string): WorkloadResult {
  const reader = new JsonReader(value, path);
  const error = reader.text("Error");
  return {
    status: statusOf(reader.text("Status")),
    ...(error === "" ? {} : { error }),
    containers: reader.list("PerContainer", decodeContainerUpdate),
  };
}

const statuses: readonly UpdateStatus[] = ["success", "failed", "skipped", "ignored", "unknown"];

function statusOf(text: string): UpdateStatus {
  return statuses.find((status) => status === text) ?? "unknown";
}

function idMap<T>(map: ReadonlyMap<string, T>): ReadonlyMap<ResourceId, T> {
  return new Map([...map].map(([key, value]) => [parseResourceId(key), value]));
}

function sortedObject<T>(map: ReadonlyMap<string, T>, encode: (value: T) => JsonValue): JsonObject {
  const entries = [...map].toSorted(([a], [b]) => compareGoStrings(a, b));
  return Object.fromEntries(entries.map(([key, value]) => [key, encode(value)]));
}
