import type { KubeObject } from "@weir/kube";
import { applyPatchType, jsonPatchType } from "@weir/kube/patch";
import { lastAppliedText } from "../diff/last-applied.ts";
import type { Deed, OperationContext } from "./context.ts";
import { migratedManagedFields } from "./field-migration.ts";
import { OperationError } from "./operation-error.ts";
import { type KnownSubject, type Subject, withoutRaces } from "./races.ts";
import { pathOf } from "./read.ts";
import { respectIgnored, withOwners } from "./respect-ignored.ts";
import { serverSideSettings } from "./server-side-settings.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

/**
 * `kubectl apply --server-side` of one manifest: the server merges it by field ownership. Fields that were applied
 * client-side are handed over first, as kubectl does. A comparison with the previous version shows whether anything
 * changed. Rejects with OperationError.
 */
export async function applyServerSide(
  context: OperationContext,
  subject: KnownSubject,
  options: WriteOptions,
): Promise<Deed> {
  return withoutRaces(
    context,
    subject,
    async ({ live }) => {
      const before = live && (await handOver(context, subject, live, options));
      const after = await send(context, subject, before, options);
      // A dry run doesn't give a new version to what it changes.
      if (after.metadata.resourceVersion === live?.metadata.resourceVersion && !options.dryRun) {
        return { change: "unchanged", live: after };
      }
      return { change: live === undefined ? "created" : "configured", live: after };
    },
    options.signal,
  );
}

async function send(
  context: OperationContext,
  subject: Subject,
  live: KubeObject | undefined,
  options: WriteOptions,
): Promise<KubeObject> {
  const { fieldManager, forceConflicts } = serverSideSettings(context.serverSide);
  const written =
    live === undefined
      ? subject.target
      : await respectIgnored(context, subject, { ...options, live, replaces: false, owner: fieldManager });
  const write = {
    method: "PATCH",
    path: pathOf(subject.resource, subject.target),
    body: written === subject.target ? written : versioned(written, live),
    contentType: applyPatchType,
    query: { force: String(forceConflicts) },
    fieldManager,
    verb: "serverside-apply",
    objects: [subject.target, live],
  } as const;
  try {
    return await sendWrite(context, write, options);
  } catch (error) {
    throw isOwnedByOthers(error) ? new OperationError(error.message, "FieldManagerConflict") : error;
  }
}

/** Live values are only valid for the version that they were taken from. */
function versioned(target: KubeObject, live: KubeObject | undefined): KubeObject {
  const resourceVersion = live?.metadata.resourceVersion;
  return resourceVersion === undefined
    ? target
    : { ...target, metadata: { ...target.metadata, resourceVersion } };
}

/** The server has one reason for both: a lost race, which is worth another try, and fields of other managers. */
function isOwnedByOthers(error: unknown): error is OperationError {
  return (
    error instanceof OperationError &&
    error.reason === "Conflict" &&
    error.message.includes("Apply failed with ")
  );
}

/**
 * Hands over the fields of an object that was applied client-side. Without that, nobody would remove a field that the
 * manifest no longer has. A dry run can't show the effect.
 */
async function handOver(
  context: OperationContext,
  subject: Subject,
  live: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { dryRun, clientSideApplyMigration = true } = options;
  if (dryRun || !clientSideApplyMigration || lastAppliedText(live) === undefined) {
    return live;
  }
  const settings = serverSideSettings(context.serverSide);
  const owned = await withOwners(context, subject, live, options.signal);
  const managedFields = migratedManagedFields(owned, settings);
  if (managedFields === undefined) {
    return owned;
  }
  const write = {
    method: "PATCH",
    path: pathOf(subject.resource, subject.target),
    body: [
      { op: "replace", path: "/metadata/managedFields", value: managedFields },
      { op: "replace", path: "/metadata/resourceVersion", value: owned.metadata.resourceVersion },
    ],
    contentType: jsonPatchType,
    fieldManager: settings.fieldManager,
    verb: "patching",
    objects: [subject.target, live],
  } as const;
  return sendWrite(context, write, options);
}
