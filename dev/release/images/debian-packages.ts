import lock from "../../../docker/packages-lock.json" with { type: "json" };
import { imageTools } from "../../../scripts/image/tools.ts";
import type { Architecture } from "./architecture.ts";

/** A Debian package in exactly one build. */
export interface PinnedPackage {
  readonly package: string;
  readonly version: string;
  /** That of the image, or "all". */
  readonly architecture: string;
  /** In the archive `debian`, or in `debian-security` if it starts with pool/updates. */
  readonly path: string;
  /** The SHA-256 of the file, in hex. */
  readonly sha256: string;
}

/** The packages of both images of an architecture. */
export interface ImagePackages {
  /** Those of the slim image. */
  readonly slim: readonly PinnedPackage[];
  /** Those that the large image has beside them. */
  readonly full: readonly PinnedPackage[];
}

/** Node.js needs these, and its images have them. */
export const packagesOfNode: readonly string[] = ["libstdc++6", "libgcc-s1", "libatomic1"];
/** Debian's own base image has them, too; /bin and others are links from the beginning. */
const ofBase = ["tzdata", "usr-is-merged"];

/** What apt is asked for. Packages that Debian calls essential come first, so that the rest can count on them. */
export const wantedPackages: { readonly slim: readonly string[]; readonly full: readonly string[] } = {
  slim: [
    "?essential",
    ...ofBase,
    ...packagesOfNode,
    ...imageTools.packages.filter(({ slim }) => slim).map(({ package: name }) => name),
  ],
  full: ["apt", ...imageTools.packages.filter(({ slim }) => !slim).map(({ package: name }) => name)],
};

/** The packages that docker/packages-lock.json pins. */
export function pinnedPackages({ name }: Architecture): ImagePackages {
  return lock.packages[name];
}

/** Where a package can be downloaded: first from the archive as it is now, then from the one that forgets nothing. */
export function addressesOf({ path }: PinnedPackage): readonly string[] {
  const archive = path.startsWith("pool/updates/") ? "debian-security" : "debian";
  return [
    `http://deb.debian.org/${archive}/${path}`,
    `https://snapshot.debian.org/archive/${archive}/${lock.date}/${path}`,
  ];
}
