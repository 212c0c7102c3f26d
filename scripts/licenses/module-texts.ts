import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { GoModule } from "@weir/toolchain";

/** Files with terms that whoever passes a program on has to pass on, too. */
const ofTerms = /^(licen[cs]e|unlicense|copying|notice|patents)/i;

/** Files with such a name that aren't terms of code. */
const notOfCode = /\.(go|html|js|json|py|sh|tpl|ya?ml)$|^license(\.docs|_template)$/i;

/** Modules whose terms are only in a comment at the beginning of a source file. */
const inSource: Readonly<Record<string, string>> = { "go.mozilla.org/gopgagent": "gpgagent.go" };

/** A text that whoever passes a program on has to pass on, too. */
interface Terms {
  readonly module: GoModule;
  /** The path of its file in the module. */
  readonly file: string;
  readonly text: string;
}

const line = "-".repeat(80);

/**
 * The licenses and notices of the modules in a program, each text once, below the names of all files that have it.
 * Throws if a module has none.
 */
export function printModuleTexts(program: string, modules: readonly GoModule[]): string {
  const filesByText = new Map<string, string[]>();
  for (const { module, file, text } of modules.flatMap(termsOf)) {
    filesByText.set(text, [...(filesByText.get(text) ?? []), `${headOf(module)}${file}`]);
  }
  const sections = [...filesByText].map(([text, files]) => `${files.join("\n")}\n\n${text}`);
  const intro = `The program ${program} contains code of these modules of Go, under the licenses that follow.`;
  return `${[intro, ...sections].join(`\n\n${line}\n\n`)}\n`;
}

/** True if what `printModuleTexts` returned has the terms of a module in this version. */
export function hasTextOf(texts: string, module: Pick<GoModule, "path" | "version">): boolean {
  return texts.split("\n").some((each) => each.startsWith(headOf(module)));
}

function headOf({ path, version }: Pick<GoModule, "path" | "version">): string {
  return `${path} ${version}: `;
}

/** Parts of a module may have terms of their own; those of parts that aren't in the program don't matter. */
function termsOf(module: GoModule): readonly Terms[] {
  const folders = new Set(module.packages.flatMap((each) => foldersBetween(module.folder, each)));
  const files = [...folders].toSorted().flatMap(filesOfTerms);
  const found = files.map((path) => ({
    module,
    file: relative(module.folder, path),
    text: settle(readFileSync(path, "utf8")),
  }));
  return found.length > 0 ? found : [termsInSource(module)];
}

function foldersBetween(top: string, folder: string): readonly string[] {
  return folder === top ? [top] : [...foldersBetween(top, dirname(folder)), folder];
}

function filesOfTerms(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && ofTerms.test(entry.name) && !notOfCode.test(entry.name))
    .map(({ name }) => join(folder, name))
    .toSorted();
}

function termsInSource(module: GoModule): Terms {
  const file = inSource[module.path];
  const source = file === undefined ? "" : readFileSync(join(module.folder, file), "utf8");
  const [, comment] = /^\/\*\n(.*?)\*\/$/ms.exec(source) ?? [];
  if (file === undefined || comment === undefined) {
    throw new Error(
      `${module.path} ${module.version} has no file with its license: find it, and name its file in scripts/licenses/module-texts.ts`,
    );
  }
  return { module, file, text: settle(comment) };
}

/** Some files differ only in how they end, or how their lines do. */
function settle(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[ \t\f]+$/gm, "")
    .replaceAll(/^\n+|\n+$/g, "");
}
