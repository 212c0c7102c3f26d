/** The image repository of Weir itself. Only this file names images of ours. */
export const ownImageRepository = "docker.io/weirdev/weir";

/** The image repository of the console. */
export const ownConsoleRepository = "docker.io/weirdev/weir-console";

/** The image with fluxd, fluxctl, and the tools that generators use, for a version of Weir. Its user isn't root. */
export function ownImage(version: string): string {
  return `${ownImageRepository}:${version}`;
}

/** What follows the version in the tag of the image that runs as root. */
export const rootSuffix = "-root";

/** The same image, as root: for Deployments that set no user and mount files that only root can read, as Flux v1's do. */
export function ownRootImage(version: string): string {
  return `${ownImage(version)}${rootSuffix}`;
}
