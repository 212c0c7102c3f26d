import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { packArchive } from "../archive.ts";
import type { ReleaseStep } from "../context.ts";
import { buildSite } from "./build-site.ts";

/** Makes `docs/weir-docs-VERSION.tar.gz`: the documentation as a site of static files. */
export const docsStep: ReleaseStep = async ({ root, version, sourceDate, out, work, say, signal }) => {
  const name = `weir-docs-${version}`;
  const folder = join(work, "docs");
  const site = join(folder, name);
  const generator = join(folder, "generator");
  await Promise.all([generator, join(out, "docs")].map((each) => mkdir(each, { recursive: true })));
  say("building the documentation site");
  await buildSite({ root, version, work: generator, out: site, signal });
  const archive = join(out, "docs", `${name}.tar.gz`);
  await packArchive({ folder: site, archive, sourceDate }, signal);
  return [archive];
};
