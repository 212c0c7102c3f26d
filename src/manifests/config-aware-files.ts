import { invariant } from "../base/errors.ts";
import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { PolicyUpdate } from "../resource/policy.ts";
import { policyChanges } from "../resource/policy-changes.ts";
import type { Resource } from "../resource/resource.ts";
import { assembleManifests, type ManifestSet } from "./assemble.ts";
import { withImage, withPolicies } from "./edit-manifest.ts";
import { NotAWorkloadError, ResourceNotFoundError } from "./errors.ts";
import { splitPaths } from "./generate/find-config.ts";
import {
  type GeneratedFile,
  GeneratedFiles,
  type GenerationSettings,
  type Reuse,
} from "./generate/generated-files.ts";
import { runImageUpdaters, runPolicyUpdaters } from "./generate/updaters.ts";
import { type LoadedFiles, type LoadResult, soundBefore } from "./load.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";
import { RawFiles, type RawFilesOptions } from "./raw-files.ts";
import type { ManifestStore } from "./store.ts";

/** A checkout, and how the files and commands in it are used. */
export interface ConfigAwareOptions extends RawFilesOptions {
  readonly generation: GenerationSettings;
  /** What generators printed for the same commit; without it they are always run. */
  readonly reuse?: Reuse;
}

/** Where the manifests of a checkout come from. */
interface Parts {
  /** Undefined where every git path has a .flux.yaml. */
  readonly raw: RawFiles | undefined;
  readonly generated: GeneratedFiles;
}

/** A resource that a .flux.yaml generates. */
interface Found {
  readonly file: GeneratedFile;
  readonly resource: Resource;
}

/** Only what is changed shall differ between what was generated and what is patched. */
const minimal = { style: "minimal" } as const;

const noFiles: LoadedFiles = { files: [], cache: ParsedFileCache.empty };

/**
 * A store over a checkout that nobody else changes: git paths with a .flux.yaml have their manifests generated
 * and changed by it, the files of all others are manifests. After Flux's pkg/manifests/configaware.go.
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

  /** All resources, and what to give to the next load. Rejects as loadManifests does, and where a command fails. */
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
    const { raw, generated, found } = await this.#find(id, signal);
    if (found === undefined) {
      await raw.setWorkloadImage(id, container, image, signal);
    } else if (found.file.place.config.kind === "patch") {
      const { file, resource } = found;
      await generated.patch(file, resource, (text) => withImage(text, resource, container, image, minimal));
    } else {
      await generated.run((settings) =>
        runImageUpdaters(found.file.place, id, container, image, settings, signal),
      );
    }
    this.#forget(generated);
  }

  async updateWorkloadPolicies(id: ResourceId, update: PolicyUpdate, signal: AbortSignal): Promise<boolean> {
    const { raw, generated, found } = await this.#find(id, signal);
    const isChanged =
      found === undefined
        ? await raw.updateWorkloadPolicies(id, update, signal)
        : await updateGenerated(found, update, generated, signal);
    this.#forget(generated);
    return isChanged;
  }

  async #find(
    id: ResourceId,
    signal: AbortSignal,
  ): Promise<
    | { readonly raw: RawFiles; readonly generated: GeneratedFiles; readonly found: undefined }
    | { readonly raw: undefined; readonly generated: GeneratedFiles; readonly found: Found }
  > {
    const resource = (await this.load(signal)).resources.get(id);
    if (resource === undefined) {
      throw new ResourceNotFoundError(id);
    }
    const { raw, generated } = await this.#split();
    const file = (await generated.load(signal)).find(({ place }) => place.source === resource.source);
    if (file !== undefined) {
      return { raw: undefined, generated, found: { file, resource } };
    }
    invariant(raw !== undefined, "what no .flux.yaml generates stands in a file");
    return { raw, generated, found: undefined };
  }

  /** After a change all is looked at again, as far as it may have become another. */
  #forget(generated: GeneratedFiles): void {
    generated.forget();
    this.#result = undefined;
  }

  async #load(signal: AbortSignal): Promise<LoadResult> {
    const { scopes, quarantine = false, generation } = this.#options;
    const { raw, generated } = await this.#split();
    const { files: rawFiles, cache } = (await raw?.load(signal)) ?? noFiles;
    rawFiles.forEach((file) => generation.secrets.learn(file));
    const files = [...rawFiles, ...(await generated.load(signal)).map(({ patched }) => patched)];
    const before = soundBefore(files, { ...this.#options, signal });
    return { ...(await assembleManifests({ files, before, scopes, signal, quarantine })), cache };
  }

  async #split(): Promise<Parts> {
    if (this.#parts === undefined) {
      const { root, paths, generation, reuse } = this.#options;
      const { raw, configured } = await splitPaths(root, paths);
      this.#parts = {
        raw: raw.length === 0 ? undefined : new RawFiles({ ...this.#options, paths: raw }),
        generated: new GeneratedFiles(root, configured, generation, reuse),
      };
    }
    return this.#parts;
  }
}

async function updateGenerated(
  { file, resource }: Found,
  update: PolicyUpdate,
  generated: GeneratedFiles,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, containers } = resource;
  if (file.place.config.kind === "patch") {
    return await generated.patch(file, resource, (text) => withPolicies(text, resource, update, minimal));
  }
  if (containers === undefined) {
    throw new NotAWorkloadError(id);
  }
  const changes = policyChanges(containers, update);
  await generated.run((settings) => runPolicyUpdaters(file.place, id, changes, settings, signal));
  // As Flux v1: whether the commands changed anything shows when it is committed.
  return changes.size > 0;
}
