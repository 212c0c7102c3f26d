import { globMatches } from "@weir/base";
import type { RegistryCredentials } from "../../image/credentials.ts";
import { canonicalImageName, type ImageName, printImageName } from "../../image/name.ts";
import { parseImageRefLoosely } from "../../image/ref.ts";
import type { ImageSource } from "../image-source.ts";

/** Which images are scanned: globs over canonical names. What is excluded is not, whatever else is said. */
export interface ScanScope {
  readonly exclude: readonly string[];
  /** Empty for all. */
  readonly include: readonly string[];
}

/** True for an image that is to be scanned. */
export function isScanned(name: ImageName, { exclude, include }: ScanScope): boolean {
  const canonical = printImageName(canonicalImageName(name));
  const matches = (glob: string): boolean => globMatches(glob, canonical);
  return !exclude.some(matches) && (include.length === 0 || include.some(matches));
}

/** Of the images, those that are wanted. */
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
