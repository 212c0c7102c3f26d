import { type Logger, Mutex, messageOf, Reported } from "@weir/base";
import type { Resource } from "@weir/flux";
import { ConfigAwareFiles } from "../manifests/config-aware-files.ts";
import { definedIn, type FileText } from "../manifests/defined-in.ts";
import type { EditStyle } from "../manifests/edit/edit-file.ts";
import type { Decrypt } from "../manifests/encrypted.ts";
import { committedFiles, type SizedFile } from "../manifests/files/committed-files.ts";
import { folderFiles } from "../manifests/files/folder-files.ts";
import type { SourceFiles } from "../manifests/files/source-files.ts";
import {
  type CommittedFile,
  type GeneratedCache,
  generationKey,
} from "../manifests/generate/generated-cache.ts";
import type { GenerationSettings, Reuse } from "../manifests/generate/generated-files.ts";
import { type FileOptions, type LoadResult, loadManifests } from "../manifests/load.ts";
import type { Manifest } from "../manifests/manifest.ts";
import type { ParsedFileCache } from "../manifests/parsed-file-cache.ts";
import { RawFiles, type RawFilesOptions } from "../manifests/raw-files.ts";
import type { ScopePort } from "../manifests/scope.ts";
import { ScopeLog } from "../manifests/scope-log.ts";
import type { ManifestStore } from "../manifests/store.ts";
import type {
  ManifestSource,
  ResourceSet,
  RevisionExport,
  RevisionFile,
  RevisionResources,
} from "./ports.ts";

/** Provides the files of revisions. */
export interface RevisionFiles {
  /** The files of a revision in a folder. A writable folder is never shared, now or later. */
  export(
    revision: string,
    signal: AbortSignal,
    options: { readonly writable: boolean },
  ): Promise<RevisionExport>;
  /** All files of a revision; the same ID means the same content. */
  treeEntries(revision: string, signal: AbortSignal): Promise<readonly RepositoryFile[]>;
  /** True if exports have these files as they are in git, unless the repository itself gives them attributes. */
  exportsVerbatim(paths: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** The content of files by its ID, without those that don't exist. */
  contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** A file of a revision, as it is in git. */
export type RepositoryFile = CommittedFile & SizedFile;

/** How to process .flux.yaml files. */
export interface Generation {
  readonly settings: GenerationSettings;
  /** Earlier output of generators; without it, generators run for each revision. */
  readonly cache?: GeneratedCache;
}

/** How many revisions to remember: the current one, and the previous one, which a sync compares with. */
const remembered = 2;

/**
 * The manifests of revisions, read from git, or from exports of it. The latest revisions are remembered, so that a list needs
 * neither git nor generators. For another revision, only files that differ are read and parsed.
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

  /** Loads one revision at a time; concurrent requests for the same revision share one load. */
  async at(
    revision: string,
    signal: AbortSignal,
    { fresh = false, onRead }: Parameters<ManifestSource["at"]>[2] = {},
  ): Promise<RevisionResources> {
    const { generation } = this.#options;
    // The content of files depends only on the revision, and generators can be declared to do the same.
    const isRemembered = !fresh || generation === undefined || generation.cache !== undefined;
    const find = (): RevisionResources | undefined => (isRemembered ? this.#recent.get(revision) : undefined);
    const load = async (): Promise<RevisionResources> =>
      find() ?? (await this.#load(revision, onRead, signal));
    return find() ?? (await this.#loads.run(load, signal));
  }

  async definedIn(files: readonly FileText[], signal: AbortSignal): Promise<ResourceSet> {
    return definedIn(files, this.#options.scopes, signal);
  }

  store(dir: string): ManifestStore {
    const { generation } = this.#options;
    const options = this.#filesIn(dir);
    return generation === undefined
      ? new RawFiles(options)
      : new ConfigAwareFiles({ ...options, generation: generation.settings });
  }

  async #load(
    revision: string,
    onRead: ((resource: Resource) => void) | undefined,
    signal: AbortSignal,
  ): Promise<RevisionResources> {
    const { generation } = this.#options;
    const onManifests = (manifests: readonly Manifest[]): void => {
      manifests.forEach((each) => onRead?.(each.resourceIn(each.content.namespace)));
    };
    const result = await this.#read(revision, onManifests, signal);
    this.#cache = result.cache;
    this.#tell(result);
    const { resources, heldBack, incompleteFiles, unscoped } = result;
    const loaded = { resources, heldBack, complete: incompleteFiles.length === 0 };
    // A kind that's unknown now may become known later, without a new revision, and a failed command may succeed.
    if (unscoped.length === 0 && (generation === undefined || loaded.complete)) {
      const others = [...this.#recent].filter(([other]) => other !== revision);
      this.#recent = new Map([...others, [revision, loaded] as const].slice(-remembered));
    }
    return loaded;
  }

  /** Writes the files of the revision to a folder only if git can't tell what they would be there, or for generators. */
  async #read(
    revision: string,
    onManifests: NonNullable<FileOptions["onManifests"]>,
    signal: AbortSignal,
  ): Promise<LoadResult> {
    const { repo, generation } = this.#options;
    const commit = await repo.treeEntries(revision, signal);
    const committed = generation === undefined ? await this.#inGit(commit, signal) : undefined;
    if (committed !== undefined) {
      return await this.#loadPlain({ files: committed, blobIds: idsOf(commit), onManifests, signal });
    }
    await using exported = await repo.export(revision, signal, { writable: generation !== undefined });
    const found = withRevealed(commit, exported.revealed);
    if (generation === undefined) {
      const files = folderFiles(exported.dir);
      return await this.#loadPlain({ files, blobIds: idsOf(found), onManifests, signal });
    }
    return await this.#generate(exported.dir, { commit: found, generation }, signal);
  }

  /** Undefined if it takes an export to know what's in the files of the commit. */
  async #inGit(commit: readonly RepositoryFile[], signal: AbortSignal): Promise<SourceFiles | undefined> {
    const { repo, paths } = this.#options;
    const contents = repo.contents.bind(repo);
    const files = committedFiles({ files: commit, paths, contents });
    return files !== undefined && (await repo.exportsVerbatim(files.found, signal)) ? files : undefined;
  }

  async #loadPlain(
    files: Pick<FileOptions, "files" | "blobIds" | "onManifests" | "signal">,
  ): Promise<LoadResult> {
    return await loadManifests({ ...this.#readOptions(), ...files });
  }

  async #generate(
    root: string,
    { commit, generation }: { readonly commit: readonly CommittedFile[]; readonly generation: Generation },
    signal: AbortSignal,
  ): Promise<LoadResult> {
    const { settings, cache } = generation;
    cache?.begin();
    const reuse: Reuse = (place, run) => cache?.get(generationKey(place, commit), run) ?? run();
    const options = { ...this.#filesIn(root), blobIds: idsOf(commit), generation: settings, reuse };
    return await new ConfigAwareFiles(options).load(signal);
  }

  #filesIn(root: string): RawFilesOptions {
    return { ...this.#readOptions(), root, edit: { style: this.#options.writeBackStyle } };
  }

  #readOptions(): Omit<RawFilesOptions, "root" | "edit"> {
    const { paths, scopes, quarantine, decrypt } = this.#options;
    return {
      paths,
      scopes,
      quarantine,
      ...(decrypt === undefined ? {} : { decrypt }),
      ...(this.#cache ? { cache: this.#cache } : {}),
    };
  }

  /** Logs once what's left out, with all problems of a load on one line. */
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

export interface RevisionManifestsOptions {
  readonly repo: RevisionFiles;
  readonly scopes: ScopePort;
  /** The git paths. */
  readonly paths: readonly string[];
  readonly quarantine: boolean;
  /** Decrypts files; undefined to read them as they are. */
  readonly decrypt?: Decrypt | undefined;
  /** The style for edited files. */
  readonly writeBackStyle: EditStyle;
  /** Undefined if all files are plain manifests. */
  readonly generation: Generation | undefined;
  readonly logger: Logger;
}

function idsOf(commit: readonly CommittedFile[]): ReadonlyMap<string, string> {
  return new Map(commit.map(({ path, id }) => [path, id]));
}

/** What's really in the folder. */
function withRevealed(
  commit: readonly CommittedFile[],
  revealed: readonly RevisionFile[],
): readonly CommittedFile[] {
  if (revealed.length === 0) {
    return commit;
  }
  const replaced = new Set(revealed.map(({ path }) => path));
  return [...commit.filter(({ path }) => !replaced.has(path)), ...revealed];
}
