import type { Program } from "./platforms.ts";

/** A Debian package of one of the programs. */
export interface PackageFacts {
  readonly program: Program;
  readonly version: string;
  /** As Debian has it; "amd64" or "arm64". */
  readonly architecture: string;
  /** What it takes when it's installed. */
  readonly installedBytes: number;
}

/**
 * What Node.js needs: its executables are built for glibc 2.28, and are linked to these libraries. fluxd runs git, and
 * git runs ssh.
 */
const libraries = "libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8), libatomic1";

const descriptions: Readonly<Record<Program, readonly [summary: string, text: string]>> = {
  fluxctl: [
    "command-line of Weir, a drop-in replacement for Flux v1",
    "fluxctl talks to fluxd: it lists workloads and their images, releases new\n images, and tells how a sync went.",
  ],
  fluxd: [
    "daemon of Weir, a drop-in replacement for Flux v1",
    "fluxd keeps a Kubernetes cluster in sync with the manifests in a git\n repository, and updates images in them.",
  ],
};

/** The file that describes a package. */
export function printControl({ program, version, architecture, installedBytes }: PackageFacts): string {
  const [summary, text] = descriptions[program];
  const depends = program === "fluxd" ? `${libraries}, git, openssh-client, ca-certificates` : libraries;
  return `Package: ${packageName(program)}
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: The Weir authors <noreply@weir.dev>
Installed-Size: ${Math.ceil(installedBytes / 1024)}
Depends: ${depends}${program === "fluxctl" ? "\nRecommends: ca-certificates" : ""}
Section: admin
Priority: optional
Description: ${summary}
 ${text}
`;
}

/** The name of the package with a program. */
export function packageName(program: Program): string {
  return `weir-${program}`;
}

/** A pre-release such as 1.0.0-rc.1 comes before its release, which for Debian a tilde says. */
export function debianVersion(version: string): string {
  return version.replace("-", "~");
}
