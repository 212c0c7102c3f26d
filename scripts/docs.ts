/** `npm run docs`: builds the documentation as a site, into website/dist. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSite } from "../dev/release/docs/build-site.ts";
import packageJson from "../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..");
const out = join(root, "website", "dist");

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "weir-docs-"));
  try {
    rmSync(out, { recursive: true, force: true });
    await buildSite({ root, version: packageJson.version, work, out, signal: new AbortController().signal });
    console.log(`built ${out}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
