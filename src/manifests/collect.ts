import type { ResourceId } from "../resource/id.ts";
import { DuplicateManifestError, type ManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import type { ParsedFile } from "./parse.ts";

/** Anything that can be wrong with manifests. */
export type ManifestProblem = ManifestError | DuplicateManifestError;

/** The manifests of all files, and what is wrong with them. */
export interface Collection {
  /** By the ID that they have in their file; none of these is defined twice. */
  readonly manifests: ReadonlyMap<ResourceId, Manifest>;
  /** In the order in which Flux v1 would come upon it. */
  readonly problems: readonly ManifestProblem[];
  /** Manifests that are defined twice, or that stand in a file that could not be read to its end. */
  readonly heldBack: readonly Manifest[];
}

/** Puts the manifests of files together, in the order of the files. */
export function collectManifests(files: readonly ParsedFile[]): Collection {
  const manifests = new Map<ResourceId, Manifest>();
  const problems: ManifestProblem[] = [];
  const duplicates: Manifest[] = [];
  const unfinished: Manifest[] = [];
  for (const file of files) {
    const { own, repeated } = withoutRepeats(file);
    problems.push(...repeated.map((manifest) => duplicateError(manifest.id, manifest, manifest)));
    duplicates.push(...repeated);
    if (file.error !== undefined) {
      problems.push(file.error);
      unfinished.push(...own);
      continue;
    }
    for (const manifest of own) {
      const other = manifests.get(manifest.id);
      if (other === undefined) {
        manifests.set(manifest.id, manifest);
      } else {
        problems.push(duplicateError(manifest.id, other, manifest));
        duplicates.push(manifest);
      }
    }
  }
  for (const { id } of duplicates) {
    manifests.delete(id);
  }
  return { manifests, problems, heldBack: [...duplicates, ...unfinished] };
}

/** Says that two manifests define the same resource, with the files given as Flux v1 gives them. */
export function duplicateError(id: ResourceId, first: Manifest, second: Manifest): DuplicateManifestError {
  const [one, other] = [first.content.source, second.content.source];
  const places = first === second ? one : `${one} and ${other}`;
  return new DuplicateManifestError(`duplicate definition of '${id}' (in ${places})`, id, one, other);
}

function withoutRepeats({ manifests }: ParsedFile): {
  readonly own: readonly Manifest[];
  readonly repeated: readonly Manifest[];
} {
  const own = new Map<ResourceId, Manifest>();
  const repeated: Manifest[] = [];
  for (const manifest of manifests) {
    if (own.has(manifest.id)) {
      repeated.push(manifest);
    } else {
      own.set(manifest.id, manifest);
    }
  }
  return { own: [...own.values()], repeated };
}
