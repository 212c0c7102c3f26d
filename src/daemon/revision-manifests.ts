import { type Logger, Mutex, messageOf, Reported } from "@weir/base";
import { ConfigAwareFiles } from "../manifests/config-aware-files.ts";
import type { EditStyle } from "../manifests/edit/edit-file.ts";
import {
  type CommittedFile,
  type GeneratedCache,
  generationKey,
} from "../manifests/generate/generated-cache.ts";
import type { GenerationSettings, Reuse } from "../manifests/generate/generated-files.ts";
import { type LoadResult, loadManifests } from "../manifests/load.ts";
import type { ParsedFileCache } from "../manifests/parsed-file-cache.ts";
import { RawFiles, type RawFilesOptions } from "../manifests/raw-files.ts";
import type { ScopePort } from "../manifests/scope.ts";
import { ScopeLog } from "../manifests/scope-log.ts";
import type { ManifestStore } from "../manifests/store.ts";
import type { ManifestSource, RevisionExport, RevisionResources } from "./ports.ts";

/** Where the files of revisions come from. */
export interface RevisionFiles {
  /** The files of a revision in a folder; a writable one is nobody else's, now or later. */
  export(
    revision: string,
    signal: AbortSignal,
    options: { readonly writable: boolean },
  ): Promise<RevisionExport>;
  /** All files of a revision; the same id means the same content. */
  treeEntries(revision: string, signal: AbortSignal): Promise<readonly CommittedFile[]>;
}

/** How .flux.yaml files are followed. */
export interface Generation {
  readonly settings: GenerationSettings;
  /** What generators printed before; without it they run for each revision. */
  readonly cache?: GeneratedCache;
}

/** What the manifests of revisions are read with. */
export interface RevisionManifestsOptions {
  readonly repo: RevisionFiles;
  readonly scopes: ScopePort;
  /** The git paths. */
  readonly paths: readonly string[];
  readonly quarantine: boolean;
  /** How edited files are written. */
  readonly writeBackStyle: EditStyle;
  /** Undefined where all files are manifests as they stand. */
  readonly generation: Generation | undefined;
  readonly logger: Logger;
}

/** Revisions that are remembered: the one that is synced, and the one before, which a sync reports against. */
const remembered = 2;

/**
 * The manifests of revisions, as files of exports of git. The revisions that were loaded last are kept, so that a
 * list asks git for nothing and runs no generator; of another one only the files that differ are read and parsed.
 */
export class RevisionManifests implements ManifestSource {
  readonly #options: RevisionManifestsOptions;
  readonly #scopeLog: ScopeLog;
  readonly #loads = new Mutex();
  #cache: ParsedFileCache | undefined;
  #recent: ReadonlyMap<string, RevisionResources> = new Map();
  readonly #told = new Reported();

  constructor(options: RevisionManifestsOptions) {
    this.#options = options;
    this.#scopeLog = new ScopeLog(options.logger, options.scopes.defaultNamespace);
  }

  /** One revision is loaded at a time: who asks for the same one meanwhile gets it without another load. */
  async at(revision: string, signal: AbortSignal, { fresh = false } = {}): Promise<RevisionResources> {
    const { generation } = this.#options;
    // What files hold depends on the revision alone, and what generators print may be taken to do so.
    const isRemembered = !fresh || generation === undefined || generation.cache !== undefined;
    const find = (): RevisionResources | undefined => (isRemembered ? this.#recent.get(revision) : undefined);
    const load = async (): Promise<RevisionResources> => find() ?? (await this.#load(revision, signal));
    return find() ?? (await this.#loads.run(load, signal));
  }

  store(dir: string): ManifestStore {
    const { generation } = this.#options;
    const options = this.#filesIn(dir);
    return generation === undefined
      ? new RawFiles(options)
      : new ConfigAwareFiles({ ...options, generation: generation.settings });
  }

  async #load(revision: string, signal: AbortSignal): Promise<RevisionResources> {
    const { repo, generation } = this.#options;
    const treeEntries = repo.treeEntries(revision, signal);
    // Whichever of the two fails first is told; the other must not go unheard.
    treeEntries.catch(() => undefined);
    await using files = await repo.export(revision, signal, { writable: generation !== undefined });
    const result = await this.#loadFrom(files.dir, await treeEntries, signal);
    this.#cache = result.cache;
    this.#tell(result);
    const { resources, heldBack, incompleteFiles, unscoped } = result;
    const loaded = { resources, heldBack, complete: incompleteFiles.length === 0 };
    // A kind that is not known now may be known at the next look, without a new revision; a command may work then.
    if (unscoped.length === 0 && (generation === undefined || loaded.complete)) {
      const others = [...this.#recent].filter(([other]) => other !== revision);
      this.#recent = new Map([...others, [revision, loaded] as const].slice(-remembered));
    }
    return loaded;
  }

  async #loadFrom(root: string, commit: readonly CommittedFile[], signal: AbortSignal): Promise<LoadResult> {
    const { generation } = this.#options;
    const blobIds = new Map(commit.map(({ path, id }) => [path, id]));
    const options = { ...this.#filesIn(root), blobIds };
    if (generation === undefined) {
      return await loadManifests({ ...options, signal });
    }
    const { settings, cache } = generation;
    cache?.begin();
    const reuse: Reuse = (place, run) => cache?.get(generationKey(place, commit), run) ?? run();
    return await new ConfigAwareFiles({ ...options, generation: settings, reuse }).load(signal);
  }

  #filesIn(root: string): RawFilesOptions {
    const { paths, scopes, quarantine, writeBackStyle: style } = this.#options;
    return {
      root,
      paths,
      scopes,
      quarantine,
      edit: { style },
      ...(this.#cache ? { cache: this.#cache } : {}),
    };
  }

  /** Says once what is left out, all problems of a load in one line. */
  #tell(result: LoadResult): void {
    this.#scopeLog.report(result);
    const problems = result.problems.map(messageOf).join("; ");
    if (problems === "") {
      this.#told.clear("files");
    } else if (this.#told.isNew("files", problems)) {
      this.#options.logger.log({
        warning: "skipping files that fail to load; resources defined in them are not deleted",
        err: problems,
      });
    }
  }
}
