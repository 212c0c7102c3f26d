import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exec } from "@weir/base/node";
import { installGenerator, website } from "./generator.ts";
import { readNavigation } from "./navigation.ts";
import { collectPages, indexSource, withSiteLinks } from "./pages.ts";

const root = join(website, "..");

/** What goes into the site besides the pages. */
export interface SiteOptions {
  readonly version: string;
  /** An empty folder to build in. */
  readonly work: string;
  /** The folder of the site. */
  readonly out: string;
  readonly signal: AbortSignal;
}

/** Builds the documentation as a site of static files. Rejects with what VitePress said, such as about dead links. */
export async function buildSite({ version, work, out, signal }: SiteOptions): Promise<void> {
  const modules = join(await installGenerator(signal), "node_modules");
  cpSync(join(website, ".vitepress"), join(work, ".vitepress"), { recursive: true });
  symlinkSync(modules, join(work, "node_modules"));
  writePages(join(work, "pages"), repositoryUrl());
  const publicFolder = join(work, "pages", "public");
  mkdirSync(publicFolder);
  cpSync(join(modules, "mermaid", "dist", "mermaid.min.js"), join(publicFolder, "mermaid.min.js"));
  const chapters = readNavigation(readSource(indexSource) ?? "");
  writeInto(join(work, ".vitepress", "site.json"), JSON.stringify({ version, chapters }));
  const vitepress = join(modules, "vitepress", "bin", "vitepress.js");
  await exec(process.execPath, [vitepress, "build", work, "--outDir", out], signal);
}

function writePages(folder: string, repository: string | undefined): void {
  const pages = collectPages(readSource);
  for (const page of pages) {
    const text = withSiteLinks(page, pages, repository);
    writeInto(join(folder, page.page), page.source === indexSource ? withHead(text) : text);
  }
}

/** The list of pages, with the site's own head instead of its title. */
function withHead(text: string): string {
  const head = readFileSync(join(website, "start-page.md"), "utf8");
  return `${head}\n${text.replace(/^# .*\n/, "")}`;
}

/** The address of the repository for people, if package.json names it. */
function repositoryUrl(): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly repository?: { readonly url: string };
  };
  return repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

function readSource(path: string): string | undefined {
  const file = join(root, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(file, "utf8")
    : undefined;
}

function writeInto(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
