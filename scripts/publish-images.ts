/**
 * `npm run publish-images -- --version X --key FILE`: pushes the images of a release that was built, and signs them in the
 * registry. See docs/releasing.md.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "@weir/base";
import { publishImages } from "../dev/release/publish/publish-images.ts";
import { signImages } from "../dev/release/supply/cosign.ts";

const root = join(import.meta.dirname, "..");

const usage = `Usage: npm run publish-images -- --version X --key FILE

Pushes the images of the release in dist/release/X to a registry, and signs them there.

  --version X       the version, such as 1.2.3
  --key FILE        the private key of cosign to sign with, whose password is in COSIGN_PASSWORD
  --registry NAME   the registry, and a path in it (default: docker.io/weirdev); log in with skopeo login first
  --without-tls     the registry speaks plain HTTP, as one for a rehearsal
`;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      version: { type: "string" },
      key: { type: "string", default: process.env["COSIGN_KEY"] ?? "" },
      registry: { type: "string", default: "docker.io/weirdev" },
      "without-tls": { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  const { version, key, registry, help } = values;
  if (help === true) {
    console.log(usage);
    return 0;
  }
  if (version === undefined || key === "") {
    const missing = version === undefined ? "--version" : "--key";
    console.error(`Error: ${missing} is missing\n\n${usage}`);
    return 2;
  }
  const stopped = new AbortController();
  process.once("SIGINT", () => stopped.abort()).once("SIGTERM", () => stopped.abort());
  const { signal } = stopped;
  const plain = values["without-tls"];
  const published = await publishImages({
    release: join(root, "dist", "release", version),
    registry,
    tls: !plain,
    sign: (images) => signImages(images, { key, signal }, plain ? ["--allow-http-registry"] : []),
    say: (line) => console.error(line),
    signal,
  });
  published.forEach((image) => console.log(`published and signed ${image}`));
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`Error: ${messageOf(error)}`);
  return 1;
});
