import { messageOf } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { type LoadResult, loadManifests } from "../manifests/load.ts";
import type { ParsedFileCache } from "../manifests/parsed-file-cache.ts";
import { RawFiles } from "../manifests/raw-files.ts";
import type { ScopePort } from "../manifests/scope.ts";
import { ScopeLog } from "../manifests/scope-log.ts";
import type { ManifestStore } from "../manifests/store.ts";
import type { ManifestSource, RevisionExport, RevisionResources } from "./ports.ts";

/** Where the files of revisions come from. */
export interface RevisionFiles {
  export(revision: string, signal: AbortSignal): Promise<RevisionExport>;
  /** All files of a revision; the same id means the same content. */
  treeEntries(
    revision: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly path: string; readonly id: string }[]>;
}

/** What the manifests of revisions are read with. */
export interface RevisionManifestsOptions {
  readonly repo: RevisionFiles;
  readonly scopes: ScopePort;
  /** The git paths. */
  readonly paths: readonly string[];
  readonly quarantine: boolean;
  readonly logger: Logger;
}

/**
 * The manifests of revisions, as files of exports of git. The revision that was loaded last is kept, so that a
 * list asks git for nothing; of another one only the files that differ are read and parsed.
 */
export class RevisionManifests implements ManifestSource {
  readonly #options: RevisionManifestsOptions;
  readonly #scopeLog: ScopeLog;
  #cache: ParsedFileCache | undefined;
  #last: { readonly revision: string; readonly loaded: RevisionResources } | undefined;
  #toldProblems = "";

  constructor(options: RevisionManifestsOptions) {
    this.#options = options;
    this.#scopeLog = new ScopeLog(options.logger, options.scopes.defaultNamespace);
  }

  async at(revision: string, signal: AbortSignal): Promise<RevisionResources> {
    if (this.#last?.revision === revision) {
      return this.#last.loaded;
    }
    const { repo } = this.#options;
    const treeEntries = repo.treeEntries(revision, signal);
    // Whichever of the two fails first is told; the other must not go unheard.
    treeEntries.catch(() => undefined);
    await using files = await repo.export(revision, signal);
    const blobIds = new Map((await treeEntries).map(({ path, id }) => [path, id]));
    const result = await this.#load(files.dir, signal, blobIds);
    this.#cache = result.cache;
    this.#tell(result);
    const { resources, heldBack, incompleteFiles, unscoped } = result;
    const loaded = { resources, heldBack, complete: incompleteFiles.length === 0 };
    // A kind that is not known now may be known at the next look, without a new revision.
    this.#last = unscoped.length === 0 ? { revision, loaded } : undefined;
    return loaded;
  }

  store(dir: string): ManifestStore {
    const { paths, scopes, quarantine } = this.#options;
    const cache = this.#cache ? { cache: this.#cache } : {};
    return new RawFiles({ root: dir, paths, scopes, quarantine, ...cache });
  }

  #load(root: string, signal: AbortSignal, blobIds: ReadonlyMap<string, string>): Promise<LoadResult> {
    const { paths, scopes, quarantine } = this.#options;
    return loadManifests({
      root,
      paths,
      scopes,
      quarantine,
      signal,
      blobIds,
      ...(this.#cache ? { cache: this.#cache } : {}),
    });
  }

  /** Says once what is left out, all problems of a load in one line. */
  #tell(result: LoadResult): void {
    this.#scopeLog.report(result);
    const problems = result.problems.map(messageOf).join("; ");
    if (problems !== this.#toldProblems && problems !== "") {
      this.#options.logger.log({
        warning: "files that do not load are left out, and nothing that they hold or held is deleted",
        err: problems,
      });
    }
    this.#toldProblems = problems;
  }
}
