import { join } from "node:path";
import { findProgram, isExecutable } from "@weir/toolchain";

/** A program, other than Node.js and git, that some end-to-end tests need. */
export interface Tool {
  readonly name: string;
  /** The program to find on PATH. */
  readonly program: string;
  /** The Debian package that contains it. */
  readonly debianPackage: string;
  /** The remedy if it's missing. */
  readonly remedy: string;
}

/** All such programs. */
export const tools: readonly Tool[] = [
  {
    name: "Go",
    program: "go",
    debianPackage: "golang-go",
    remedy: "install Go 1.24 or newer, or set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver",
  },
  { name: "sshd", program: "sshd", debianPackage: "openssh-server", remedy: "install openssh-server" },
  {
    name: "ssh-keygen",
    program: "ssh-keygen",
    debianPackage: "openssh-client",
    remedy: "install openssh-client",
  },
  {
    name: "kubectl",
    program: "kubectl",
    debianPackage: "kubernetes-client",
    remedy: "install kubectl 1.20 or newer",
  },
  {
    name: "docker-registry",
    program: "docker-registry",
    debianPackage: "docker-registry",
    remedy: "install docker-registry",
  },
  { name: "gpg", program: "gpg", debianPackage: "gnupg", remedy: "install gnupg" },
  { name: "memcached", program: "memcached", debianPackage: "memcached", remedy: "install memcached" },
  { name: "iproute2", program: "ip", debianPackage: "iproute2", remedy: "install iproute2" },
  { name: "util-linux", program: "nsenter", debianPackage: "util-linux", remedy: "install util-linux" },
  { name: "openssl", program: "openssl", debianPackage: "openssl", remedy: "install openssl" },
  { name: "skopeo", program: "skopeo", debianPackage: "skopeo", remedy: "install skopeo" },
  { name: "umoci", program: "umoci", debianPackage: "umoci", remedy: "install umoci" },
  { name: "git-secret", program: "git-secret", debianPackage: "git-secret", remedy: "install git-secret" },
  { name: "tmux", program: "tmux", debianPackage: "tmux", remedy: "install tmux" },
  { name: "zsh", program: "zsh", debianPackage: "zsh", remedy: "install zsh" },
  { name: "Chromium", program: "chromium", debianPackage: "chromium", remedy: "install chromium" },
  {
    name: "prometheus",
    program: "prometheus",
    debianPackage: "prometheus",
    remedy: "install prometheus, which includes promtool",
  },
  { name: "Ruby", program: "ruby", debianPackage: "ruby", remedy: "install ruby" },
  { name: "lintian", program: "lintian", debianPackage: "lintian", remedy: "install lintian" },
  { name: "mmdebstrap", program: "mmdebstrap", debianPackage: "mmdebstrap", remedy: "install mmdebstrap" },
  { name: "PostgreSQL", program: "postgres", debianPackage: "postgresql", remedy: "install postgresql" },
  {
    name: "qemu",
    program: "qemu-aarch64-static",
    debianPackage: "qemu-user-static",
    remedy: "install qemu-user-static",
  },
  { name: "systemd", program: "systemd-analyze", debianPackage: "systemd", remedy: "install systemd" },
  { name: "podman", program: "podman", debianPackage: "podman", remedy: "install podman" },
  {
    name: "podman-compose",
    program: "podman-compose",
    debianPackage: "podman-compose",
    remedy: "install podman-compose",
  },
  { name: "runc", program: "runc", debianPackage: "runc", remedy: "install runc" },
  { name: "netavark", program: "netavark", debianPackage: "netavark", remedy: "install netavark" },
  {
    name: "aardvark-dns",
    program: "aardvark-dns",
    debianPackage: "aardvark-dns",
    remedy: "install aardvark-dns",
  },
  { name: "fish", program: "fish", debianPackage: "fish", remedy: "install fish" },
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
