/**
 * Workloads and the git configuration as JSON, in the types of API version 6. Decoders throw JsonShapeError
 * or InvalidResourceIdError.
 */

import { compareGoStrings, type JsonObject, JsonReader, type JsonValue, listAt, textAt } from "@weir/base";
import type { PublicSshKey, SshFingerprint } from "../cluster/cluster.ts";
import type { RolloutStatus } from "../cluster/workload.ts";
import { parseImageRefLoosely, printImageRef } from "../image/ref.ts";
import { parseResourceId, type ResourceId } from "../resource/id.ts";
import { hasPolicy, type PolicySet } from "../resource/policy.ts";
import type { Container } from "../resource/resource.ts";
import type { GitConfigReport, GitStatus, ReadOnlyReason, WorkloadStatusReport } from "./api-server.ts";

/** v6.ControllerStatus[]; null for an empty list, as in Flux v1. */
export function encodeWorkloads(workloads: readonly WorkloadStatusReport[]): readonly JsonObject[] | null {
  return workloads.length === 0 ? null : workloads.map(encodeWorkload);
}

/** Decodes the result of encodeWorkloads. */
export function decodeWorkloads(value: JsonValue): readonly WorkloadStatusReport[] {
  return value === null ? [] : listAt(value, "", decodeWorkload);
}

/** v6.GitConfig. */
export function encodeGitConfig(config: GitConfigReport): JsonObject {
  return {
    remote: { url: config.url, branch: config.branch, path: config.path },
    publicSSHKey: encodePublicSshKey(config.publicSshKey),
    status: config.status,
    errors: config.errors,
  };
}

/** Decodes the result of encodeGitConfig; an unknown status is decoded as "new". */
export function decodeGitConfig(value: JsonValue): GitConfigReport {
  const reader = new JsonReader(value);
  const remote = reader.object("remote");
  return {
    url: remote.text("url"),
    branch: remote.text("branch"),
    path: remote.text("path"),
    publicSshKey: decodePublicSshKey(reader.object("publicSSHKey")),
    status: gitStatuses.find((status) => status === reader.text("status")) ?? "new",
    errors: reader.text("errors"),
  };
}

/** ssh.PublicKey. */
export function encodePublicSshKey({ key, fingerprints }: PublicSshKey): JsonObject {
  return { key, fingerprints: fingerprints && sorted(fingerprints, encodeFingerprint) };
}

const gitStatuses: readonly GitStatus[] = ["unconfigured", "new", "cloned", "ready", "unreachable"];
const readOnlyReasons: readonly ReadOnlyReason[] = [
  "NotInRepo",
  "System",
  "NoRepo",
  "NotReady",
  "ReadOnlyMode",
];

/** The three policies with their own fields. */
const flagPolicies = [
  ["Automated", "automated"],
  ["Locked", "locked"],
  ["Ignore", "ignore"],
] as const;

function encodeWorkload(workload: WorkloadStatusReport): JsonObject {
  return {
    ID: workload.id,
    // As Flux v1: unlike other lists, this one is never null.
    Containers: workload.containers.map(encodeContainer),
    ReadOnly: workload.readOnly,
    Status: workload.status,
    Rollout: encodeRollout(workload.rollout),
    SyncError: workload.syncError,
    Antecedent: workload.antecedent,
    Labels: workload.labels && sorted(workload.labels, (value) => value),
    Automated: hasPolicy(workload.policies, "automated"),
    Locked: hasPolicy(workload.policies, "locked"),
    Ignore: hasPolicy(workload.policies, "ignore"),
    Policies: sorted(workload.policies, (value) => value),
  };
}

function decodeWorkload(value: JsonValue, path: string): WorkloadStatusReport {
  const reader = new JsonReader(value, path);
  return {
    id: parseResourceId(reader.text("ID")),
    containers: reader.list("Containers", decodeContainer) ?? [],
    readOnly: readOnlyReasons.find((reason) => reason === reader.text("ReadOnly")) ?? "",
    status: reader.text("Status"),
    rollout: decodeRollout(reader.object("Rollout")),
    syncError: reader.text("SyncError"),
    antecedent: decodeAntecedent(reader.text("Antecedent")),
    labels: textMap(reader, "Labels"),
    policies: decodePolicies(reader),
  };
}

function decodeAntecedent(text: string): ResourceId | "" {
  return text === "" ? "" : parseResourceId(text);
}

/** Daemons that don't send the policies still report the boolean ones in three fields. */
function decodePolicies(reader: JsonReader): PolicySet {
  const set = flagPolicies.filter(([field]) => reader.flag(field));
  const flags = Object.fromEntries(set.map(([, policy]) => [policy, "true"] as const));
  return { ...textMap(reader, "Policies"), ...flags };
}

/** v6.Container without the fields of image lists; includes the empty image, as Flux v1 does. */
function encodeContainer({ name, image }: Container): JsonObject {
  return {
    ...(name === "" ? {} : { Name: name }),
    Current: { ID: printImageRef(image), Labels: {} },
    LatestFiltered: { ID: "", Labels: {} },
  };
}

/** As Flux v1, an invalid image doesn't fail the whole list. */
function decodeContainer(value: JsonValue, path: string): Container {
  const reader = new JsonReader(value, path);
  const image = reader.object("Current").text("ID");
  return { name: reader.text("Name"), image: parseImageRefLoosely(image) };
}

function encodeRollout(rollout: RolloutStatus): JsonObject {
  return {
    Desired: rollout.desired,
    Updated: rollout.updated,
    Ready: rollout.ready,
    Available: rollout.available,
    Outdated: rollout.outdated,
    Messages: rollout.messages,
  };
}

function decodeRollout(reader: JsonReader): RolloutStatus {
  return {
    desired: reader.integer("Desired"),
    updated: reader.integer("Updated"),
    ready: reader.integer("Ready"),
    available: reader.integer("Available"),
    outdated: reader.integer("Outdated"),
    messages: reader.list("Messages", textAt),
  };
}

function encodeFingerprint({ hash, randomart }: SshFingerprint): JsonObject {
  return { hash, randomart };
}

function decodePublicSshKey(reader: JsonReader): PublicSshKey {
  const fingerprints = reader.map("fingerprints", (value, path) => {
    const fingerprint = new JsonReader(value, path);
    return { hash: fingerprint.text("hash"), randomart: fingerprint.text("randomart") };
  });
  return { key: reader.text("key"), fingerprints: fingerprints && Object.fromEntries(fingerprints) };
}

function textMap(reader: JsonReader, key: string): Readonly<Record<string, string>> | null {
  const map = reader.map(key, textAt);
  return map && Object.fromEntries(map);
}

function sorted<T>(record: Readonly<Record<string, T>>, encode: (value: T) => JsonValue): JsonObject {
  const entries = Object.entries(record).toSorted(([a], [b]) => compareGoStrings(a, b));
  return Object.fromEntries(entries.map(([key, value]) => [key, encode(value)]));
}
