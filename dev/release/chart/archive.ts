/** What to pack. */
export interface ArchiveRequest {
  /** The folder above. */
  readonly folder: string;
  /** The folder in it that is packed. */
  readonly name: string;
  /** The archive to write, with gzip. */
  readonly file: string;
  /** The time of everything in the archive, in seconds since the epoch. */
  readonly time: number;
}

/** Arguments of GNU tar that pack the same files into the same bytes, whoever does it and whenever. */
export function createArguments({ folder, name, file, time }: ArchiveRequest): readonly string[] {
  return [
    "--create",
    "--format=ustar",
    "--sort=name",
    `--mtime=@${time}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
    // Without the name and the time of the file.
    "--use-compress-program=gzip --best --no-name",
    `--file=${file}`,
    `--directory=${folder}`,
    name,
  ];
}

/** Arguments of tar that unpack an archive with gzip into a folder. */
export function extractArguments(file: string, folder: string): readonly string[] {
  return ["--extract", "--gzip", "--no-same-owner", `--file=${file}`, `--directory=${folder}`];
}
