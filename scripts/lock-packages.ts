/**
 * `node scripts/lock-packages.ts`: pins the Debian packages of the images to what Debian has now, in docker/debian. Do it
 * when there are security updates, and commit the result.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { architectures } from "../dev/release/images/architecture.ts";
import { runTool } from "../dev/release/run-tool.ts";
import { imageTools } from "./image/tools.ts";

const folder = join(import.meta.dirname, "..", "docker", "debian");

const toolsOf = (isSlim: boolean): readonly string[] =>
  imageTools.packages.filter(({ slim }) => slim === isSlim).map(({ package: name }) => name);

const wanted = {
  // As in Debian's own base image; and what Node.js needs.
  base: [
    ...["?essential", "apt", "tzdata", "usr-is-merged"],
    ...["libstdc++6", "libgcc-s1", "libatomic1"],
    ...toolsOf(true),
  ],
  tools: toolsOf(false),
};

/** Describes what apt would install on an empty machine: an apt of its own, which knows nothing of this one. */
const describe = (names: string): string => `export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
apt-get --quiet --quiet update
apt-get --simulate --no-install-recommends install ${names} |
  sed -n 's/^Inst \\([^ :]*\\)[^ ]* (\\([^ ]*\\) .*/\\1=\\2/p' | xargs apt-cache show`;

/** Lines for sha256sum, by the names that apt gives to the files: those have the versions. */
async function resolved(architecture: string, packages: readonly string[]): Promise<readonly string[]> {
  const temporary = await mkdtemp(join(tmpdir(), "weir-apt-"));
  try {
    const list = join(temporary, "list");
    const names = packages.map((name) => `'${name}'`).join(" ");
    const args = [
      ...["--quiet", "--mode=chrootless", "--variant=extract", "--format=null"],
      ...[`--architectures=${architecture}`, `--setup-hook=${describe(names)} >'${list}'`],
      ...["bookworm", "/dev/null"],
    ];
    await runTool({ program: "mmdebstrap", debianPackage: "mmdebstrap", args }, AbortSignal.timeout(600_000));
    const records = (await readFile(list, "utf8")).split(/\n\n+/).filter((record) => record.trim() !== "");
    return records.map(lineOf).toSorted(byName);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function lineOf(record: string): string {
  const [name, version, architecture, sum] = ["Package", "Version", "Architecture", "SHA256"].map(
    (field) => new RegExp(`^${field}: (.*)$`, "m").exec(record)?.[1] ?? "",
  );
  return `${sum}  ${name}_${version?.replace(":", "%3a")}_${architecture}.deb\n`;
}

function byName(a: string, b: string): number {
  return a.slice(66) < b.slice(66) ? -1 : 1;
}

const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
for (const { name } of architectures) {
  console.error(`weir: asking Debian for the packages of ${name}`);
  const base = await resolved(name, wanted.base);
  const all = await resolved(name, [...wanted.base, ...wanted.tools]);
  await writeFile(join(folder, `${name}-base`), base.join(""));
  await writeFile(join(folder, `${name}-tools`), all.filter((line) => !base.includes(line)).join(""));
}
await writeFile(join(folder, "date"), `${date}\n`);
