/** The image repository of Weir itself: the only place that names it. */
export const ownImageRepository = "docker.io/weirdev/weir";

/** The image with fluxd, fluxctl, and the tools that generators use, for a version of Weir. */
export function ownImage(version: string): string {
  return `${ownImageRepository}:${version}`;
}
