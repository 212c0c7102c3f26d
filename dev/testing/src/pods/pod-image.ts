/** What stands for the images whose name matches a pattern: pods run the programs of this machine. */
export interface PodImage {
  /** The name of the image with its tag; * matches anything, slashes too. */
  readonly match: string;
  /** What the image runs; a container's own command replaces it. `$(POD_IP)` and variables are filled in. */
  readonly command?: readonly string[];
  /** Its arguments; a container's own replace them. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly dir?: string;
  /** A folder whose files are copied over the machine's. */
  readonly root?: string;
  /** A folder with all of the image's files; pods see none of the machine's then. */
  readonly rootfs?: string;
  /** The number of its user and group; root unless told otherwise. */
  readonly user?: number;
  /** Files and folders of the machine, by the path at which the image has them. */
  readonly mounts?: Readonly<Record<string, string>>;
  /** Runs nothing, and is ready at once. */
  readonly pause?: boolean;
}

/** For images that nobody looks into. */
export const pauseImage: PodImage = { match: "*", pause: true };
