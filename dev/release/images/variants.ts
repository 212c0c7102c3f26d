import { ownConsoleRepository, ownImageRepository, rootSuffix } from "../../../src/own-image/own-image.ts";
import { ownUser } from "./tree/configuration.ts";

/** What images have: fluxd with the tools of generators, or with only what it needs itself; or the console. */
export type ImageKind = "full" | "slim" | "console";

/** An image that a tag names. */
export interface Variant {
  readonly kind: ImageKind;
  readonly repository: string;
  /** What follows the version in its tag. */
  readonly suffix: string;
  readonly title: string;
  readonly description: string;
  /** A user and its group, by number; undefined for root. */
  readonly user: string | undefined;
  /** The program that it starts. */
  readonly program: string;
  readonly workingDir: string;
}

const user = `${ownUser.id}:${ownUser.id}`;
const fluxd = {
  repository: ownImageRepository,
  program: "fluxd",
  // As in Flux's image.
  workingDir: `/${ownUser.home}`,
} as const;
const full = {
  ...fluxd,
  kind: "full",
  title: "Weir",
  description: "fluxd, fluxctl, and the tools of generators",
} as const;

/** All images, see docs/image.md. */
export const variants: readonly Variant[] = [
  { ...full, suffix: "", user },
  // Deployments of Flux v1 mount files that only root can read: docs/decisions/0015-root-only-by-name.md.
  { ...full, suffix: rootSuffix, user: undefined },
  {
    ...fluxd,
    kind: "slim",
    suffix: "-slim",
    title: "Weir, slim",
    description: "fluxd and fluxctl, with git, ssh, and gpg only",
    user,
  },
  {
    kind: "console",
    repository: ownConsoleRepository,
    suffix: "",
    title: "Weir console",
    description: "The console, to which any number of fluxd connect",
    user,
    program: "weir-console",
    workingDir: "/",
  },
];

/** The name of its folder in a release. */
export function layoutName({ repository, suffix }: Variant): string {
  return `${repository.replace(/.*\//, "")}${suffix}`;
}
