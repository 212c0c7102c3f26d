import { join } from "node:path";
import { findProgram, isExecutable } from "@weir/toolchain";

/** The levels of tests, as in docs/testing.md. */
export type ToolLevel = "fast" | "full" | "release";

/** A program, other than Node.js and git, that some tests need. */
export interface Tool {
  readonly name: string;
  /** The program to find on PATH. */
  readonly program: string;
  /** The Debian package that contains it. */
  readonly debianPackage: string;
  /** The remedy if it's missing. */
  readonly remedy: string;
  /** The level whose tests need it; tests of a later level may, too. */
  readonly level: ToolLevel;
}

/** All such programs. */
export const tools: readonly Tool[] = [
  {
    name: "Go",
    program: "go",
    debianPackage: "golang-go",
    remedy: "install Go 1.24 or newer, or set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver",
    level: "full",
  },
  {
    name: "sshd",
    program: "sshd",
    debianPackage: "openssh-server",
    remedy: "install openssh-server",
    level: "full",
  },
  {
    name: "ssh-keygen",
    program: "ssh-keygen",
    debianPackage: "openssh-client",
    remedy: "install openssh-client",
    level: "fast",
  },
  {
    name: "kubectl",
    program: "kubectl",
    debianPackage: "kubernetes-client",
    remedy: "install kubectl 1.20 or newer",
    level: "full",
  },
  {
    name: "docker-registry",
    program: "docker-registry",
    debianPackage: "docker-registry",
    remedy: "install docker-registry",
    level: "full",
  },
  { name: "gpg", program: "gpg", debianPackage: "gnupg", remedy: "install gnupg", level: "fast" },
  {
    name: "memcached",
    program: "memcached",
    debianPackage: "memcached",
    remedy: "install memcached",
    level: "full",
  },
  { name: "iproute2", program: "ip", debianPackage: "iproute2", remedy: "install iproute2", level: "full" },
  {
    name: "util-linux",
    program: "nsenter",
    debianPackage: "util-linux",
    remedy: "install util-linux",
    level: "full",
  },
  { name: "openssl", program: "openssl", debianPackage: "openssl", remedy: "install openssl", level: "full" },
  { name: "skopeo", program: "skopeo", debianPackage: "skopeo", remedy: "install skopeo", level: "release" },
  {
    name: "buildah",
    program: "buildah",
    debianPackage: "buildah",
    remedy: "install buildah",
    level: "release",
  },
  { name: "umoci", program: "umoci", debianPackage: "umoci", remedy: "install umoci", level: "release" },
  {
    name: "git-secret",
    program: "git-secret",
    debianPackage: "git-secret",
    remedy: "install git-secret",
    level: "full",
  },
  { name: "tmux", program: "tmux", debianPackage: "tmux", remedy: "install tmux", level: "full" },
  { name: "zsh", program: "zsh", debianPackage: "zsh", remedy: "install zsh", level: "full" },
  {
    name: "Chromium",
    program: "chromium",
    debianPackage: "chromium",
    remedy: "install chromium",
    level: "full",
  },
  {
    name: "prometheus",
    program: "prometheus",
    debianPackage: "prometheus",
    remedy: "install prometheus, which includes promtool",
    level: "full",
  },
  { name: "Ruby", program: "ruby", debianPackage: "ruby", remedy: "install ruby", level: "release" },
  {
    name: "lintian",
    program: "lintian",
    debianPackage: "lintian",
    remedy: "install lintian",
    level: "release",
  },
  {
    name: "mmdebstrap",
    program: "mmdebstrap",
    debianPackage: "mmdebstrap",
    remedy: "install mmdebstrap",
    level: "release",
  },
  {
    name: "PostgreSQL",
    program: "postgres",
    debianPackage: "postgresql",
    remedy: "install postgresql",
    level: "full",
  },
  {
    name: "qemu",
    program: "qemu-aarch64-static",
    debianPackage: "qemu-user-static",
    remedy: "install qemu-user-static",
    level: "release",
  },
  {
    name: "systemd",
    program: "systemd-analyze",
    debianPackage: "systemd",
    remedy: "install systemd",
    level: "release",
  },
  { name: "podman", program: "podman", debianPackage: "podman", remedy: "install podman", level: "release" },
  {
    name: "podman-compose",
    program: "podman-compose",
    debianPackage: "podman-compose",
    remedy: "install podman-compose",
    level: "release",
  },
  { name: "runc", program: "runc", debianPackage: "runc", remedy: "install runc", level: "release" },
  {
    name: "netavark",
    program: "netavark",
    debianPackage: "netavark",
    remedy: "install netavark",
    level: "release",
  },
  {
    name: "aardvark-dns",
    program: "aardvark-dns",
    debianPackage: "aardvark-dns",
    remedy: "install aardvark-dns",
    level: "release",
  },
  { name: "fish", program: "fish", debianPackage: "fish", remedy: "install fish", level: "full" },
];

/** True if a prebuilt control plane is configured, so that Go isn't needed. */
function hasControlPlane(): boolean {
  const assets = process.env["KUBEBUILDER_ASSETS"];
  return assets !== undefined && isExecutable(join(assets, "kube-apiserver"));
}

/** The tools that aren't installed. */
export function missingTools(): readonly Tool[] {
  return tools.filter(
    ({ name, program }) => findProgram(program) === undefined && !(name === "Go" && hasControlPlane()),
  );
}

/**
 * For the `skip` option of a test: false if the tool is installed, or else the reason to skip. With CI=true,
 * a skipped test fails the run (scripts/test.ts).
 */
export function lacks(name: string): string | false {
  const tool = missingTools().find((each) => each.name === name);
  return tool === undefined ? false : `needs ${tool.name}: ${tool.remedy}`;
}
