import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runTool } from "../run-tool.ts";

/** Where images go, and how they are signed there. */
export interface Publishing {
  /** The folder of the release. */
  readonly release: string;
  /** A registry, and a path in it: what the names of images are appended to, e.g. "docker.io/weirdev". */
  readonly registry: string;
  /** False for a registry without TLS. */
  readonly tls: boolean;
  /** Signs images, each named by its digest. */
  readonly sign: (images: readonly string[]) => Promise<void>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** An image of a release, as its `digests.txt` lists it. */
interface ListedImage {
  /** E.g. "weir:1.2.3". */
  readonly name: string;
  /** The digest of its index. */
  readonly digest: string;
  /** Its OCI layout. */
  readonly layout: string;
}

/**
 * Pushes all images of a release, for all their platforms, and signs them. Resolves to their names with digests, of which
 * each is listed once. Throws if the release has no images, or what is in the registry then isn't what was released.
 */
export async function publishImages(options: Publishing): Promise<readonly string[]> {
  const { release, registry, sign, say } = options;
  const published = new Set<string>();
  for (const image of imagesOf(join(release, "images"))) {
    await push(image, options);
    say(`pushed ${registry}/${image.name}`);
    const [repository = ""] = image.name.split(":");
    published.add(`${registry}/${repository}@${image.digest}`);
  }
  await sign([...published]);
  return [...published];
}

async function push({ name, digest, layout }: ListedImage, options: Publishing): Promise<void> {
  const { registry, tls, signal } = options;
  const [, tag = ""] = name.split(":");
  const copy = ["copy", "--all", "--preserve-digests", `--dest-tls-verify=${tls}`];
  const target = `docker://${registry}/${name}`;
  const skopeo = (args: readonly string[]): Promise<string> =>
    runTool({ program: "skopeo", debianPackage: "skopeo", args }, signal);
  await skopeo([...copy, `oci:${layout}:${tag}`, target]);
  const raw = await skopeo(["inspect", "--raw", `--tls-verify=${tls}`, target]);
  const found = `sha256:${createHash("sha256").update(raw).digest("hex")}`;
  if (found !== digest) {
    throw new Error(`${registry}/${name} is ${found} in the registry, and ${digest} in the release`);
  }
}

function imagesOf(images: string): readonly ListedImage[] {
  const list = join(images, "digests.txt");
  if (!existsSync(list)) {
    throw new Error(`there is no ${list}: build the release first, with npm run release`);
  }
  return readFileSync(list, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, digest, name] = /^(sha256:\S+)  \S+\/(\S+)$/.exec(line) ?? [];
      return digest === undefined || name === undefined
        ? []
        : [{ name, digest, layout: layoutOf(images, digest) }];
    });
}

/** The layout whose index names an image with this digest. */
function layoutOf(images: string, digest: string): string {
  const layout = globSync("*/index.json", { cwd: images }).find((file) =>
    readFileSync(join(images, file), "utf8").includes(`"${digest}"`),
  );
  if (layout === undefined) {
    throw new Error(`no image in ${images} has the digest ${digest}`);
  }
  return join(images, dirname(layout));
}
