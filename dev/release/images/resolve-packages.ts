import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Architecture } from "./architecture.ts";
import { type ImagePackages, type PinnedPackage, wantedPackages } from "./debian-packages.ts";
import { runProgram } from "./run-program.ts";

const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** Debian's archives, as apt's sources list them. */
const sources = ["debian bookworm", "debian bookworm-updates", "debian-security bookworm-security"].map(
  (archive) => `deb [signed-by=${keyring}] http://deb.debian.org/${archive} main\n`,
);

/**
 * What apt would install now on an empty machine of this architecture. It uses an apt of its own, that knows nothing
 * of this machine's packages and settings.
 */
export async function resolvePackages(architecture: Architecture): Promise<ImagePackages> {
  const folder = await mkdtemp(join(tmpdir(), "weir-apt-"));
  try {
    const apt = await prepareApt(folder, architecture);
    await apt("apt-get", "--quiet", "update");
    const slim = await resolve(apt, wantedPackages.slim);
    const all = await resolve(apt, [...wantedPackages.slim, ...wantedPackages.full]);
    const known = new Set(slim.map(({ package: name }) => name));
    return { slim, full: all.filter(({ package: name }) => !known.has(name)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs apt-get or apt-cache; resolves to what it printed. */
type Apt = (program: string, ...args: readonly string[]) => Promise<string>;

async function prepareApt(folder: string, { name }: Architecture): Promise<Apt> {
  const folders = ["state/lists/partial", "cache/archives/partial", "etc/preferences.d", "empty"];
  await Promise.all(folders.map((path) => mkdir(join(folder, path), { recursive: true })));
  const status = join(folder, "status");
  const config = join(folder, "apt.conf");
  await writeFile(status, "");
  await writeFile(join(folder, "etc", "sources.list"), sources.join(""));
  const empty = join(folder, "empty");
  const settings = {
    Dir: folder,
    "Dir::State": "state",
    "Dir::State::status": status,
    "Dir::Cache": "cache",
    "Dir::Etc": "etc",
    "Dir::Etc::main": "none",
    "Dir::Etc::parts": empty,
    "Dir::Etc::sourceparts": empty,
    "Dir::Etc::trustedparts": empty,
    "APT::Architecture": name,
    "APT::Architectures": name,
    "APT::Install-Recommends": "false",
    "Acquire::Languages": "none",
  };
  await writeFile(
    config,
    Object.entries(settings)
      .map(([key, value]) => `${key} "${value}";\n`)
      .join(""),
  );
  return async (program, ...args) => {
    const env = { APT_CONFIG: config, LC_ALL: "C" };
    return (await runProgram({ program, debianPackage: "apt", args, env })).toString();
  };
}

async function resolve(apt: Apt, wanted: readonly string[]): Promise<readonly PinnedPackage[]> {
  const plan = parsePlan(await apt("apt-get", "--simulate", "--yes", "install", ...wanted));
  const records = parseRecords(await apt("apt-cache", "show", ...plan));
  return records.toSorted((a, b) => (a.package < b.package ? -1 : 1));
}

/** `package=version` for each package that `apt-get --simulate install` would install. */
export function parsePlan(printed: string): readonly string[] {
  return [...printed.matchAll(/^Inst (\S+) \((\S+) /gm)].map(([, name = "", version = ""]) => {
    return `${name.replace(/:.*/, "")}=${version}`;
  });
}

/** The packages that `apt-cache show` describes. */
export function parseRecords(printed: string): readonly PinnedPackage[] {
  return printed
    .split(/\n\n+/)
    .filter((record) => record.trim() !== "")
    .map((record) => {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(record)?.[1] ?? "";
      return {
        package: field("Package"),
        version: field("Version"),
        architecture: field("Architecture"),
        path: field("Filename"),
        sha256: field("SHA256"),
      };
    });
}
