import { posix } from "node:path";
import { readMarkdown, replaceLinks } from "./markdown.ts";

/** A Markdown file of the repository that's a page of the site. */
export interface SourcePage {
  /** Its path in the repository, e.g. "docs/fluxd.md". */
  readonly source: string;
  /** Its path on the site, e.g. "fluxd.md". */
  readonly page: string;
  readonly text: string;
}

/** Reads a file of the repository; undefined if it isn't a file. */
export type ReadSource = (path: string) => string | undefined;

/** The page that lists the others. */
export const indexSource = "docs/README.md";

/** The page that lists the others, and all Markdown files that can be reached from it over links. */
export function collectPages(read: ReadSource): readonly SourcePage[] {
  const pages = new Map<string, SourcePage>();
  const queue = [indexSource];
  for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
    const text = pages.has(source) ? undefined : read(source);
    if (text !== undefined) {
      pages.set(source, { source, page: pageOf(source), text });
      queue.push(...markdownTargets(source, text));
    }
  }
  return [...pages.values()].toSorted((a, b) => (a.page < b.page ? -1 : 1));
}

/** Where a file of the repository is on the site: READMEs are the pages of their folders; docs of the hub are among the others. */
export function pageOf(source: string): string {
  if (source === indexSource) {
    return "index.md";
  }
  const folder = posix.dirname(source);
  const isFolderPage = posix.basename(source) === "README.md" && folder !== ".";
  return (isFolderPage ? `${folder}.md` : source).replace(/^(hub\/)?docs\//, "").toLowerCase();
}

/** The text of a page with links as they have to be on the site. `repository` is the URL of the repository, if known. */
export function withSiteLinks(
  { source, page, text }: SourcePage,
  pages: readonly SourcePage[],
  repository: string | undefined,
): string {
  const bySource = new Map(pages.map((each) => [each.source, each.page]));
  return replaceLinks(text, (target) => {
    const [path = "", anchor] = target.split("#", 2);
    const file = resolveTarget(source, target);
    if (file === undefined) {
      return target;
    }
    const there = bySource.get(file) ?? bySource.get(posix.join(file, "README.md"));
    if (isPicture(file)) {
      return relativeLink(page, file.replace(/^docs\//, ""));
    }
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    if (there !== undefined) {
      return path === "" ? suffix : `${relativeLink(page, there)}${suffix}`;
    }
    return repository === undefined ? undefined : `${repository}/blob/HEAD/${file}${suffix}`;
  });
}

/** Pictures are in the folder of that name on the site, too. */
export const picturesFolder = "docs/images";

function isPicture(file: string): boolean {
  return file.startsWith(`${picturesFolder}/`);
}

/** The path in the repository that a link leads to; undefined for a link to somewhere else. */
export function resolveTarget(source: string, target: string): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) {
    return undefined;
  }
  const [path = ""] = target.split("#", 1);
  return path === ""
    ? source
    : posix.normalize(posix.join(posix.dirname(source), decodeURI(path))).replace(/\/$/, "");
}

function relativeLink(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

function markdownTargets(source: string, text: string): readonly string[] {
  return readMarkdown(text).targets.flatMap((target) => {
    const file = resolveTarget(source, target);
    return file === undefined ? [] : file.endsWith(".md") ? [file] : [posix.join(file, "README.md")];
  });
}
