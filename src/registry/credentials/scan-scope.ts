import { globMatches } from "@weir/base";
import {
  canonicalImageName,
  type ImageName,
  parseImageRefLoosely,
  printImageName,
  type RegistryCredentials,
} from "@weir/flux";
import type { ImageSource } from "../image-source.ts";

/** Which images to scan: globs over canonical names. `exclude` takes precedence. */
export interface ScanScope {
  readonly exclude: readonly string[];
  /** Empty for all. */
  readonly include: readonly string[];
}

/** True if the image should be scanned. */
export function isScanned(name: ImageName, { exclude, include }: ScanScope): boolean {
  const canonical = printImageName(canonicalImageName(name));
  const matches = (glob: string): boolean => globMatches(glob, canonical);
  return !exclude.some(matches) && (include.length === 0 || include.some(matches));
}

/** Filters images by name. */
export function withinScope(
  images: ImageSource,
  isWanted: (name: ImageName, signal: AbortSignal) => boolean | Promise<boolean>,
): ImageSource {
  return {
    async imageCredentials(signal) {
      const wanted = new Map<string, RegistryCredentials>();
      for (const [name, credentials] of await images.imageCredentials(signal)) {
        if (await isWanted(parseImageRefLoosely(name), signal)) {
          wanted.set(name, credentials);
        }
      }
      return wanted;
    },
  };
}
