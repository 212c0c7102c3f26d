import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exec } from "@weir/base/node";
import { installGenerator } from "./generator.ts";
import { siteLicenses } from "./licenses.ts";
import { readNavigation } from "./navigation.ts";
import { collectPages, indexSource, picturesFolder, type ReadSource, withSiteLinks } from "./pages.ts";

/** What goes into the site besides the pages. */
export interface SiteOptions {
  /** The folder of the repository. */
  readonly root: string;
  readonly version: string;
  /** An empty folder to build in. */
  readonly work: string;
  /** The folder of the site. */
  readonly out: string;
  readonly signal: AbortSignal;
}

/** Builds the documentation as a site of static files. Rejects with what VitePress said, such as about dead links. */
export async function buildSite({ root, version, work, out, signal }: SiteOptions): Promise<void> {
  const website = join(root, "website");
  const generator = await installGenerator(website, signal);
  const modules = join(generator, "node_modules");
  cpSync(join(website, ".vitepress"), join(work, ".vitepress"), { recursive: true });
  symlinkSync(modules, join(work, "node_modules"));
  writePages(root, join(work, "pages"));
  const publicFolder = join(work, "pages", "public");
  mkdirSync(publicFolder);
  cpSync(join(modules, "mermaid", "dist", "mermaid.min.js"), join(publicFolder, "mermaid.min.js"));
  writeFileSync(join(publicFolder, "licenses.txt"), siteLicenses(generator));
  const chapters = readNavigation(sourcesOf(root)(indexSource) ?? "");
  writeInto(join(work, ".vitepress", "site.json"), JSON.stringify({ version, chapters }));
  const vitepress = join(modules, "vitepress", "bin", "vitepress.js");
  await exec(process.execPath, [vitepress, "build", work, "--outDir", out], signal);
}

function writePages(root: string, folder: string): void {
  const pages = collectPages(sourcesOf(root));
  const head = readFileSync(join(root, "website", "start-page.md"), "utf8");
  const repository = repositoryUrl(root);
  for (const page of pages) {
    const text = withSiteLinks(page, pages, repository);
    writeInto(join(folder, page.page), page.source === indexSource ? withHead(head, text) : text);
  }
  cpSync(join(root, picturesFolder), join(folder, "images"), { recursive: true });
}

/** The list of pages, with the site's own head instead of its title. */
function withHead(head: string, text: string): string {
  return `${head}\n${text.replace(/^# .*\n/, "")}`;
}

/** The address of the repository for people, if package.json names it. */
function repositoryUrl(root: string): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly repository?: { readonly url: string };
  };
  return repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

function sourcesOf(root: string): ReadSource {
  return (path) => {
    const file = join(root, path);
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
      ? readFileSync(file, "utf8")
      : undefined;
  };
}

function writeInto(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
