import tools from "../../docker/tools.json" with { type: "json" };

/** A package of the distribution, and what it brings that generators can use. */
export interface ToolPackage {
  readonly package: string;
  /** True if the slim image has it, too. */
  readonly slim: boolean;
  readonly commands: readonly string[];
}

/** A program that its makers publish, for amd64. */
export interface ToolDownload {
  readonly command: string;
  readonly version: string;
  readonly url: string;
  /** The path of the program in the archive; absent if the download is the program. */
  readonly member?: string;
  /** The algorithm and hash that the makers publish for the download. */
  readonly digest: string;
  /** The Go module that the program is built from, and the checksum of its source code. */
  readonly module: string;
  readonly moduleSum: string;
}

/** The content of docker/tools.json: everything in the image beside Weir and its base. */
export interface ImageTools {
  /** The release of Debian that packages come from. */
  readonly debian: string;
  readonly packages: readonly ToolPackage[];
  readonly downloads: readonly ToolDownload[];
}

/** What the image has. */
export const imageTools: ImageTools = tools;

/** The file of the repository with the licenses of the modules in a downloaded tool. */
export function licensesFile(command: string): string {
  return `docker/licenses/${command}.txt`;
}
