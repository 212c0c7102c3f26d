import { ownConsoleRepository, ownImageRepository, rootSuffix } from "../../../src/own-image/own-image.ts";

/** What images have: fluxd with the tools of generators, or with only what it needs itself; or the console. */
export type ImageKind = "full" | "slim" | "console";

/** An image that a tag names. How it's made, and what it starts, is in the Dockerfile. */
export interface Variant {
  readonly kind: ImageKind;
  /** The stage of the Dockerfile. */
  readonly target: string;
  readonly repository: string;
  /** What follows the version in its tag. */
  readonly suffix: string;
  readonly title: string;
  readonly description: string;
}

const full = {
  kind: "full",
  repository: ownImageRepository,
  title: "Weir",
  description: "fluxd, fluxctl, and the tools of generators",
} as const;

/** All images, see docs/image.md. */
export const variants: readonly Variant[] = [
  { ...full, target: "full", suffix: "" },
  // Deployments of Flux v1 mount files that only root can read: docs/decisions/0015-root-only-by-name.md.
  { ...full, target: "root", suffix: rootSuffix },
  {
    kind: "slim",
    target: "slim",
    repository: ownImageRepository,
    suffix: "-slim",
    title: "Weir, slim",
    description: "fluxd and fluxctl, with git, ssh, and gpg only",
  },
  {
    kind: "console",
    target: "console",
    repository: ownConsoleRepository,
    suffix: "",
    title: "Weir console",
    description: "The console, to which any number of fluxd connect",
  },
];

/** The name of its folder in a release. */
export function layoutName({ repository, suffix }: Variant): string {
  return `${repository.replace(/.*\//, "")}${suffix}`;
}
