import { type Logger, toError } from "@weir/base";
import {
  type Cause,
  type PolicyUpdates,
  partsOfResourceId,
  printImageRef,
  type ResourceId,
  type UpdateSpec,
  type WorkloadResult,
} from "@weir/flux";
import type { JobResult, UndoPlan, UndoRequest } from "@weir/flux/api";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { putFiles, readFiles } from "../../manifests/files/put-files.ts";
import type { ManifestStore } from "../../manifests/store.ts";
import { headMovedError, manifestLoadError } from "../errors.ts";
import type { DaemonSettings, ManifestSource, Repo, WorkingClone } from "../ports.ts";
import { undoRefused } from "../undo/errors.ts";
import { findCommit } from "../undo/find-commit.ts";
import { locksFor, workloadsToLock } from "../undo/locks.ts";
import { type PreparedUndo, prepareUndo } from "../undo/prepare-undo.ts";
import { commitUpdate } from "./commit.ts";
import { type RetryGuard, retryOvertaken } from "./push-retries.ts";
import { type CloneDependencies, openVerifiedClone } from "./verified-clone.ts";

/** Receives what is done, before it's committed. */
export type TellPlan = (plan: UndoPlan) => void;

/**
 * Undoes what a commit did to manifests with a new commit, which also locks workloads for which automation would make
 * the same change again. A dry run ends before the commit. Rejects with a FluxError if that isn't possible exactly, with
 * nothing pushed. If somebody else pushed first, it can be done again on the new head, from the beginning, unless it was to be
 * done on one head only.
 */
export function undoCommit(
  id: string,
  request: UndoRequest,
  { tell, head = "", ...deps }: UndoJobDependencies & { readonly tell?: TellPlan; readonly head?: string },
  signal: AbortSignal,
): Promise<JobResult> {
  return retryOvertaken(
    id,
    (guard) => undoOnHead({ id, request, guard, tell, head }, deps, signal),
    deps,
    signal,
  );
}

export interface UndoJobDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly logger: Logger;
  readonly heads?: CloneDependencies["heads"];
}

interface UndoAttempt {
  readonly id: string;
  readonly request: UndoRequest;
  readonly guard: RetryGuard;
  readonly tell: TellPlan | undefined;
  /** The head of the branch, without which nothing is done; "" for any. */
  readonly head: string;
}

async function undoOnHead(
  { id, request, guard, tell, head }: UndoAttempt,
  deps: UndoJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  await using clone = await openVerifiedClone(deps, signal);
  const found = await clone.headRevision(signal);
  if (head !== "" && head !== found) {
    throw headMovedError(head, found);
  }
  const prepared = await prepare(request, clone, deps, signal);
  guard.check(basisOf(prepared));
  const locks = await write(prepared, request, clone, deps, signal);
  tell?.({ ...(await planOf(prepared, locks, clone)), head: found });
  const { user, message: why } = request.cause;
  const cause = { user, message: why === "" ? titleOf(prepared) : why };
  const spec: UpdateSpec = { type: "policy", cause, spec: locks };
  const result = resultOf(prepared);
  if (request.dryRun) {
    return { spec, result };
  }
  const { revision: undone } = prepared.commit;
  const message = commitMessage(cause, prepared, { locks, resource: request.resource });
  try {
    const update = { jobId: id, spec, result, message, undo: { revision: undone } };
    return { revision: await commitUpdate(update, clone, deps.settings, signal), spec, result };
  } catch (error) {
    // Upstream may have new commits; after fetching them, the next attempt is more likely to succeed.
    deps.repo.notify();
    throw toError(error);
  }
}

async function prepare(
  { commit: name, resource, allowDelete }: UndoRequest,
  clone: WorkingClone,
  deps: UndoJobDependencies,
  signal: AbortSignal,
): Promise<PreparedUndo> {
  const head = await clone.headRevision(signal);
  const commit = await findCommit({ commit: name, resource }, head, deps, signal);
  const { manifestGeneration: generates } = deps.settings;
  // A broken file mustn't keep anybody from undoing the commit that broke it.
  const loaded = await deps.manifests
    .store(clone.dir)
    .resources(signal)
    .catch(() => undefined);
  signal.throwIfAborted();
  const sources = loaded && new Set([...loaded.resources.values()].map(({ source }) => source));
  const broken = new Set(loaded?.incompleteFiles ?? []);
  const read = sources && sources.union(broken);
  return prepareUndo({ commit, head, clone, resource, allowDelete, sources: read, generates }, deps, signal);
}

/** Writes the files and the locks, and checks that all manifests can be loaded then. Resolves to the locks. */
async function write(
  { files, ids, now, undone, commit }: PreparedUndo,
  { cause }: UndoRequest,
  clone: WorkingClone,
  { manifests }: UndoJobDependencies,
  signal: AbortSignal,
): Promise<PolicyUpdates> {
  await putFiles(
    clone.dir,
    files.map(({ path, mode, now: before, undone: after }) => ({ path, mode, before, after })),
  );
  const created = files.filter((file) => file.now === undefined && file.undone !== undefined);
  await clone.include(
    created.map(({ path }) => path),
    signal,
  );
  const store = manifests.store(clone.dir);
  await checkLoads(store, { files, ids, undone }, signal);
  const locks = locksFor(workloadsToLock(ids, { now, undone }), commit, cause);
  for (const [id, lock] of locks) {
    await store.updateWorkloadPolicies(id, lock, signal);
  }
  return locks;
}

/** Every resource must come from the file that was changed, and that file must be sound. */
async function checkLoads(
  store: ManifestStore,
  { files, ids, undone }: Pick<PreparedUndo, "files" | "ids" | "undone">,
  signal: AbortSignal,
): Promise<void> {
  const { resources, incompleteFiles } = await store.resources(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw manifestLoadError(toError(error));
  });
  const broken = files.find(({ path }) => incompleteFiles.includes(path));
  if (broken !== undefined) {
    throw undoRefused(`${broken.path} would be broken afterwards, so it isn't changed`);
  }
  const lost = ids.find((id) => undone.has(id) && resources.get(id)?.source !== undone.get(id)?.source);
  if (lost !== undefined) {
    throw undoRefused(`fluxd doesn't read ${lost} from ${undone.get(lost)?.source ?? ""}`);
  }
}

/** The same undo has the same basis: the commit, and its resources on the branch. */
function basisOf({ commit, ids, now, undone }: PreparedUndo): ReadonlyMap<ResourceId, string> {
  return new Map(
    ids.map((id) => [id, JSON.stringify([commit.revision, now.get(id)?.bytes, undone.get(id)?.bytes])]),
  );
}

function resultOf({ ids, now, undone }: PreparedUndo): ReadonlyMap<ResourceId, WorkloadResult> {
  return new Map(
    ids.map((id) => {
      const before = now.get(id)?.containers;
      const after = undone.get(id)?.containers;
      const updates = after?.flatMap(({ name, image: target }) => {
        const current = before?.find((container) => container.name === name)?.image;
        const isSame = current !== undefined && printImageRef(current) === printImageRef(target);
        return isSame ? [] : [{ container: name, current, target }];
      });
      return [id, { status: "success", containers: updates ?? null }];
    }),
  );
}

async function planOf(
  { commit, files, ids, now, undone, leftAlone }: PreparedUndo,
  locks: PolicyUpdates,
  clone: WorkingClone,
): Promise<Omit<UndoPlan, "head">> {
  const { revision, author, message } = commit;
  const paths = files.map(({ path }) => path);
  const texts = await readFiles(clone.dir, paths);
  const secret = new Set(
    [...now.values(), ...undone.values()]
      .filter(({ id }) => partsOfResourceId(id).kind === "secret")
      .map(({ source }) => source),
  );
  return {
    ...{ revision, author, message },
    resources: ids.map((id) => ({
      id,
      what: !now.has(id) ? "created" : undone.has(id) ? "changed" : "deleted",
    })),
    locks: [...locks.keys()],
    files: files.map(({ path, now: before = "" }) => ({
      path,
      diff: secret.has(path) ? "" : patch(path, before, texts.get(path) ?? ""),
    })),
    leftAlone,
  };
}

function patch(path: string, before: string, after: string): string {
  const [from, to] = [before === "" ? "/dev/null" : `a/${path}`, after === "" ? "/dev/null" : `b/${path}`];
  return createTwoFilesPatch(from, to, before, after, "", "", { headerOptions: FILE_HEADERS_ONLY });
}

function titleOf({ commit: { revision, message } }: PreparedUndo): string {
  return `Undo ${revision.slice(0, 7)}: ${message}`;
}

/** Why, and what was done. */
function commitMessage(
  { message }: Cause,
  { commit: { revision } }: PreparedUndo,
  { locks, resource }: { readonly locks: PolicyUpdates; readonly resource: string },
): string {
  const part = resource === "" ? "" : `, as far as it concerns ${resource}`;
  const locked = locks.size === 0 ? "" : `\nLocked: ${[...locks.keys()].join(", ")}\n`;
  return `${message}\n\nThis undoes commit ${revision}${part}.\n${locked}`;
}
