/**
 * Compares a folder with another folder, a commit, or a snapshot, without a cluster: an API server in this process holds
 * what it's compared with, and tries the folder's objects, so that defaults and refusals are those of a cluster.
 */
import type { Environment } from "@weir/base";
import { parsePruneLimit, withLastApplied } from "@weir/engine";
import { type ResourcePreview, type SyncSet, sortedChanges, withoutBookkeeping } from "@weir/flux";
import type { SyncSettings } from "@weir/flux/api";
import type { KubeObject } from "@weir/kube";
import { createDiscovery } from "@weir/kube/rest";
import { DiscoveredScopes } from "../../engine-adapter/scope.ts";
import { TargetMaker } from "../../engine-adapter/target-set.ts";
import { presentPaths, requirePaths } from "./git-paths.ts";
import { type LoadedFolder, loadFolder, nothingLoaded } from "./load-folder.ts";
import { notesOn } from "./notes.ts";
import { impliedNamespaces, isUnchangedSource, onlyPremises, refusalNotes } from "./offline-rules.ts";
import { previewSync } from "./preview-sync.ts";
import { problemsOf } from "./problems.ts";
import type { ComparisonReport } from "./report.ts";
import { type RefusedObject, ScratchCluster } from "./scratch-cluster.ts";
import { SecretHasher } from "./secret-hasher.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotObjects } from "./snapshot-objects.ts";
import { TempCopies } from "./temp-copies.ts";

/** What to compare with what. */
export interface OfflineDiffRequest {
  readonly dir: string;
  /** A folder, or a commit of the same repository; "" for none. */
  readonly against: string;
  /** What a cluster contains; with `against`, only its namespaces and definitions of kinds count. */
  readonly snapshot: Snapshot | undefined;
  readonly settings: SyncSettings;
  /** Whether to run the commands in .flux.yaml files on this machine. */
  readonly runGenerators: boolean;
  /** The time limit for a generator, in milliseconds. */
  readonly timeout: number;
  readonly env: Environment;
}

/** How the folder differs. Rejects with ComparisonError. */
export async function diffOffline(
  request: OfflineDiffRequest,
  signal: AbortSignal,
): Promise<ComparisonReport> {
  const { dir, against, env } = request;
  await using copies = await TempCopies.open(env);
  const { root } = await copies.workingFiles(dir, signal);
  const base = against === "" ? undefined : await copies.against(against, dir, signal);
  await using cluster = await ScratchCluster.start(env, signal);
  return await new OfflineComparison(cluster, request, signal).compare(root, base?.root);
}

/** Compares two folders in one cluster, step by step, because each step needs the kinds that the previous ones defined. */
class OfflineComparison {
  readonly #cluster: ScratchCluster;
  readonly #request: OfflineDiffRequest;
  readonly #signal: AbortSignal;
  readonly #hasher: SecretHasher;

  constructor(cluster: ScratchCluster, request: OfflineDiffRequest, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#request = request;
    this.#signal = signal;
    this.#hasher = new SecretHasher(request.snapshot?.salt);
  }

  async compare(root: string, baseRoot: string | undefined): Promise<ComparisonReport> {
    const { settings, snapshot } = this.#request;
    const known = await this.#storeSnapshot();
    const base = baseRoot === undefined ? undefined : await this.#storeBase(baseRoot);
    const loaded = await this.#load(root, await requirePaths(root, settings.paths));
    const head = await this.#setOf(loaded);
    if (snapshot === undefined) {
      const defined = [head, ...(base === undefined ? [] : [base.set])];
      await this.#store(impliedNamespaces(head, defined, settings.defaultNamespace));
    }
    const changes = sortedChanges(withoutBookkeeping(await this.#preview(head))).filter(
      (change) => !isUnchangedSource(change, base?.set, head),
    );
    const problems = await problemsOf({ root, loaded, changes, unknownKindAdvice });
    const notes = [...notesOn(loaded, settings), ...refusalNotes([...known, ...(base?.refused ?? [])])];
    return { changes, problems, notes: [...notes, ...(base?.notes ?? [])] };
  }

  async #storeSnapshot(): Promise<readonly RefusedObject[]> {
    const { settings, snapshot, against } = this.#request;
    return snapshot === undefined
      ? []
      : await this.#store(
          await snapshotObjects(snapshot, {
            syncSetName: settings.syncSetName,
            onlyPremises: against !== "",
            hasher: this.#hasher,
          }),
        );
  }

  async #storeBase(root: string): Promise<Base> {
    const { settings, snapshot } = this.#request;
    const paths = await presentPaths(root, settings.paths);
    const loaded = paths === undefined ? nothingLoaded : await this.#load(root, paths);
    const set = await this.#setOf(loaded);
    if (snapshot === undefined) {
      await this.#store(impliedNamespaces(set, [set], settings.defaultNamespace));
    }
    const refused = await this.#store(this.#objectsOf(set).map(withLastApplied));
    const count = loaded.problems.length + loaded.unscoped.length;
    const notes = count === 0 ? [] : [`${count} of the manifests to compare with can't be loaded.`];
    return { set, refused, notes };
  }

  /**
   * What a sync would change. Definitions and namespaces are compared with what was there before, and then stored, so
   * that the other objects are tried with them. Deletions depend on everything, so they come from the second look.
   */
  async #preview(set: SyncSet): Promise<readonly ResourcePreview[]> {
    const { settings } = this.#request;
    const pruneLimit = parsePruneLimit(settings.pruneLimit);
    const options = { ...settings, pruneLimit, client: this.#cluster.client };
    const first = onlyPremises(set);
    if (first.resources.size === 0) {
      return await previewSync(set, options, this.#signal);
    }
    const before = await previewSync(first, { ...options, prune: "off" }, this.#signal);
    await this.#store(this.#objectsOf(first).map(withLastApplied));
    const after = await previewSync(set, options, this.#signal);
    const known = new Set(before.map(({ id }) => id));
    return [...before, ...after.filter(({ id }) => !known.has(id))];
  }

  #store(objects: readonly KubeObject[]): Promise<readonly RefusedObject[]> {
    return this.#cluster.store(objects, this.#signal);
  }

  #objectsOf(set: SyncSet): readonly KubeObject[] {
    const { allowedNamespaces } = this.#request.settings;
    const { targets } = new TargetMaker(new Set(allowedNamespaces)).make(set);
    return targets.filter(({ apply }) => apply !== false).map(({ object }) => object);
  }

  /** Values of Secrets are compared by their hashes if the snapshot has nothing else. */
  async #setOf({ resources, heldBack, complete }: LoadedFolder): Promise<SyncSet> {
    const { settings, snapshot, against } = this.#request;
    const isHashed = snapshot !== undefined && against === "";
    const own = isHashed ? await this.#hasher.resources(resources) : resources;
    return { name: settings.syncSetName, revision: "local", resources: own, heldBack, complete };
  }

  async #load(root: string, paths: readonly string[]): Promise<LoadedFolder> {
    const { settings, runGenerators, timeout, env } = this.#request;
    const scopes = new DiscoveredScopes(createDiscovery(this.#cluster.client), settings.defaultNamespace);
    const generators = settings.manifestGeneration ? (runGenerators ? "run" : "skip") : "ignore";
    const generation = { env, timeout };
    return await loadFolder({ root, paths, scopes, quarantine: true, generators, generation }, this.#signal);
  }
}

/** What a folder is compared with. */
interface Base {
  readonly set: SyncSet;
  readonly refused: readonly RefusedObject[];
  readonly notes: readonly string[];
}

const unknownKindAdvice =
  "add its CustomResourceDefinition to the folder, or use --snapshot with that of a cluster";
