import { invariant } from "@weir/base";
import type { ImageRef, PolicyUpdate, ResourceId } from "@weir/flux";
import { assembleManifests, type ManifestSet } from "./assemble.ts";
import { type ManifestError, ResourceNotFoundError } from "./errors.ts";
import { editorOf, type ResourceEditor } from "./generate/editor.ts";
import { splitPaths } from "./generate/find-config.ts";
import { GeneratedFiles, type GenerationSettings, type Reuse } from "./generate/generated-files.ts";
import { type LoadedFiles, type LoadResult, soundBefore } from "./load.ts";
import type { ParsedFile } from "./parse.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";
import { RawFiles, type RawFilesOptions } from "./raw-files.ts";
import type { ManifestStore } from "./store.ts";

/** A checkout, and how to use the files and commands in it. */
export interface ConfigAwareOptions extends RawFilesOptions {
  readonly generation: GenerationSettings;
  /** Earlier output of generators for the same commit; if undefined, generators always run. */
  readonly reuse?: Reuse;
}

/** The sources of a checkout's manifests. */
interface Parts {
  /** Undefined if every git path has a .flux.yaml. */
  readonly raw: RawFiles | undefined;
  readonly generated: GeneratedFiles;
  /** .flux.yaml files that can't be parsed. */
  readonly broken: readonly ParsedFile[];
  /** Set if a git path doesn't exist, or leads out of the repository. */
  readonly failure: ManifestError | undefined;
}

const noFiles: LoadedFiles = { files: [], cache: ParsedFileCache.empty };

/**
 * A store for a checkout that nobody else changes. For git paths with a .flux.yaml, it generates and changes the
 * manifests accordingly; for all others, the files are the manifests. Based on Flux's pkg/manifests/configaware.go.
 */
export class ConfigAwareFiles implements ManifestStore {
  readonly #options: ConfigAwareOptions;
  #parts: Parts | undefined;
  #result: LoadResult | undefined;

  constructor(options: ConfigAwareOptions) {
    this.#options = options;
  }

  resources(signal: AbortSignal): Promise<ManifestSet> {
    return this.load(signal);
  }

  /** All resources, and data for the next load. Rejects like loadManifests, and if a command fails. */
  async load(signal: AbortSignal): Promise<LoadResult> {
    this.#result ??= await this.#load(signal);
    return this.#result;
  }

  async setWorkloadImage(
    id: ResourceId,
    container: string,
    image: ImageRef,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#edit(id, signal, (editor) => editor.setImage(container, image, signal));
  }

  async updateWorkloadPolicies(id: ResourceId, update: PolicyUpdate, signal: AbortSignal): Promise<boolean> {
    return await this.#edit(id, signal, (editor) => editor.updatePolicies(update, signal));
  }

  /** After a change, everything that may be affected is read again. */
  async #edit<T>(
    id: ResourceId,
    signal: AbortSignal,
    change: (editor: ResourceEditor) => Promise<T>,
  ): Promise<T> {
    const editor = await this.#editorOf(id, signal);
    const { generated } = await this.#split();
    try {
      return await change(editor);
    } finally {
      generated.forget();
      this.#result = undefined;
    }
  }

  async #editorOf(id: ResourceId, signal: AbortSignal): Promise<ResourceEditor> {
    const resource = (await this.load(signal)).resources.get(id);
    if (resource === undefined) {
      throw new ResourceNotFoundError(id);
    }
    const { raw, generated } = await this.#split();
    const file = (await generated.load(signal)).find(({ place }) => place.source === resource.source);
    if (file !== undefined) {
      return editorOf(file, resource, generated);
    }
    invariant(raw !== undefined, "a resource that isn't generated comes from a file");
    return {
      setImage: (container, image) => raw.setWorkloadImage(id, container, image, signal),
      updatePolicies: (update) => raw.updateWorkloadPolicies(id, update, signal),
    };
  }

  async #load(signal: AbortSignal): Promise<LoadResult> {
    const { scopes, quarantine = false, generation } = this.#options;
    const { raw, generated, broken, failure } = await this.#split();
    const fault = broken[0]?.error;
    if (fault !== undefined && !quarantine) {
      throw fault;
    }
    if (failure !== undefined) {
      throw failure;
    }
    const { files: rawFiles, cache } = (await raw?.load(signal)) ?? noFiles;
    rawFiles.forEach((file) => generation.secrets.learn(file));
    const made = (await generated.load(signal)).map(({ patched }) => patched);
    const files = [...broken, ...rawFiles, ...made];
    const before = soundBefore(files, this.#options);
    return { ...(await assembleManifests({ files, before, scopes, signal, quarantine })), cache };
  }

  async #split(): Promise<Parts> {
    if (this.#parts === undefined) {
      const { root, paths, generation, reuse } = this.#options;
      const { raw, configured, broken, failure } = await splitPaths(root, paths);
      this.#parts = {
        raw: raw.length === 0 ? undefined : new RawFiles({ ...this.#options, paths: raw }),
        generated: new GeneratedFiles({ root, places: configured, settings: generation, reuse }),
        broken,
        failure,
      };
    }
    return this.#parts;
  }
}
