import { ownUser } from "./tree/configuration.ts";

/** What images have: the tools of generators, or only what fluxd itself needs. */
export type ImageKind = "full" | "slim";

/** An image that a tag names. */
export interface Variant {
  readonly kind: ImageKind;
  /** What follows the version in its tag. */
  readonly suffix: string;
  readonly title: string;
  readonly description: string;
  /** A user and its group, by number; undefined for root. */
  readonly user: string | undefined;
}

const weir = {
  kind: "full",
  title: "Weir",
  description: "fluxd, fluxctl, and the tools of generators",
} as const;
const user = `${ownUser.id}:${ownUser.id}`;

/** All images, see docs/image.md. */
export const variants: readonly Variant[] = [
  // Deployments of Flux v1 mount files that only root can read: docs/decisions/0014-users-of-the-images.md.
  { ...weir, suffix: "", user: undefined },
  { ...weir, suffix: "-nonroot", user },
  {
    kind: "slim",
    suffix: "-slim",
    title: "Weir, slim",
    description: "fluxd and fluxctl, with git, ssh, and gpg only",
    user,
  },
];

/** The name of its folder in a release. */
export function layoutName({ suffix }: Variant): string {
  return `weir${suffix}`;
}
