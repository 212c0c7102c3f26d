import { type Clock, type Environment, forEachBounded } from "@weir/base";
import type { Resource } from "@weir/flux";
import { ManifestError } from "../errors.ts";
import { ManifestSum } from "../manifest-sum.ts";
import type { ParsedFile } from "../parse.ts";
import type { ConfigPlace } from "./find-config.ts";
import { generateManifests } from "./generators.ts";
import { readPatchFile, writePatchFile } from "./patch-file.ts";
import { patchGenerated, patchWith } from "./patched.ts";
import type { SecretValues } from "./secret-values.ts";
import { tellableError } from "./tellable.ts";

/** How to run the commands of .flux.yaml files. */
export interface GenerationSettings {
  /** The environment of generators; updaters get only PATH from it. */
  readonly environment: Environment;
  /** The time limit for a command without its own, in milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  /** The values that messages must not contain. */
  readonly secrets: SecretValues;
}

/** The manifests that a .flux.yaml generates, in the form of a file. */
export interface GeneratedFile {
  readonly place: ConfigPlace;
  /** As the generators print them. */
  readonly generated: ParsedFile;
  /** With the patch, if there's one; this is what's synced. */
  readonly patched: ParsedFile;
}

/** Returns earlier output of generators, or runs them. */
export type Reuse = (place: ConfigPlace, run: () => Promise<ParsedFile>) => Promise<ParsedFile>;

/** How many .flux.yaml files run their generators at a time. */
const atATime = 4;

/** What to generate, and how. */
export interface GeneratedFilesOptions {
  /** The folder of the checkout. */
  readonly root: string;
  readonly places: readonly ConfigPlace[];
  readonly settings: GenerationSettings;
  /** By default, everything is generated from scratch. */
  readonly reuse?: Reuse | undefined;
}

/** The output of a checkout's .flux.yaml files; generated once, and again after a change to the files. */
export class GeneratedFiles {
  readonly #root: string;
  readonly #places: readonly ConfigPlace[];
  readonly #settings: GenerationSettings;
  readonly #reuse: Reuse;
  readonly #kept = new Map<ConfigPlace, ParsedFile>();
  #files: readonly GeneratedFile[] | undefined;

  constructor({ root, places, settings, reuse = (_place, run) => run() }: GeneratedFilesOptions) {
    this.#root = root;
    this.#places = places;
    this.#settings = settings;
    this.#reuse = reuse;
  }

  /**
   * The files in the order of their git paths; a failure becomes the error of its file. Generators of different
   * .flux.yaml files run at the same time, those of one file one after another.
   */
  async load(signal: AbortSignal): Promise<readonly GeneratedFile[]> {
    this.#files ??= await this.#generateAll(signal);
    return this.#files;
  }

  /** Call this after a change. As in Flux v1, manifests that are only patched aren't generated again. */
  forget(): void {
    this.#files = undefined;
    for (const place of this.#kept.keys()) {
      if (place.config.kind === "command") {
        this.#kept.delete(place);
      }
    }
  }

  /** Runs updaters. Rejects like they do, without the values of Secrets in the message. */
  async run(updaters: (settings: GenerationSettings) => Promise<void>): Promise<void> {
    try {
      await updaters(this.#settings);
    } catch (error) {
      throw await this.#tellable(error);
    }
  }

  /**
   * Writes a resource to the patch file, as changed by `edit`; resolves to false if the patch stays the same. Rejects
   * with errors from `edit`, and if the file can't be written.
   */
  async patch(
    { place, generated, patched }: GeneratedFile,
    resource: Resource,
    edit: (text: Uint8Array) => string | undefined,
  ): Promise<boolean> {
    try {
      const text = patchWith({ generated, patched, resource }, edit);
      if (text !== undefined && place.config.kind === "patch") {
        await writePatchFile(place, place.config.patchFile, text);
      }
      return text !== undefined;
    } catch (error) {
      throw await this.#tellable(error);
    }
  }

  async #generateAll(signal: AbortSignal): Promise<readonly GeneratedFile[]> {
    const files = new Map<ConfigPlace, GeneratedFile>();
    const sum = new ManifestSum();
    const groups = Map.groupBy(this.#places, ({ configPath }) => configPath);
    await forEachBounded([...groups.values()], atATime, async (places) => {
      for (const place of places) {
        files.set(place, await this.#fileOf(place, sum, signal));
      }
    });
    return this.#places.flatMap((place) => files.get(place) ?? []);
  }

  async #fileOf(place: ConfigPlace, sum: ManifestSum, signal: AbortSignal): Promise<GeneratedFile> {
    const nothing: ParsedFile = { source: place.source, manifests: [], error: undefined };
    try {
      const generated = await this.#generate(place, signal);
      sum.add(generated.manifests, place.source);
      const patched = await this.#patched(place, generated, signal);
      const error = patched.error && (await this.#tellable(patched.error));
      return { place, generated, patched: { ...patched, error } };
    } catch (error) {
      const told = await this.#tellable(error);
      if (told instanceof ManifestError) {
        return { place, generated: nothing, patched: { ...nothing, error: told } };
      }
      throw told;
    }
  }

  async #generate(place: ConfigPlace, signal: AbortSignal): Promise<ParsedFile> {
    const run = (): Promise<ParsedFile> => generateManifests(place, this.#settings, signal);
    const generated = this.#kept.get(place) ?? (await this.#reuse(place, run));
    this.#kept.set(place, generated);
    this.#settings.secrets.learn(generated);
    return generated;
  }

  async #patched(place: ConfigPlace, generated: ParsedFile, signal: AbortSignal): Promise<ParsedFile> {
    if (place.config.kind !== "patch" || generated.error !== undefined) {
      return generated;
    }
    const patches = await readPatchFile(place, place.config.patchFile, signal);
    this.#settings.secrets.learn(patches);
    return patchGenerated(generated, patches, place);
  }

  #tellable<E>(error: E): Promise<E | ManifestError> {
    return tellableError(error, this.#root, this.#settings);
  }
}
