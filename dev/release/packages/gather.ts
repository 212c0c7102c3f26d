import { dirname, join, relative } from "node:path/posix";
import { specifiersOf, withSpecifiers } from "./specifiers.ts";

/** Compiled code, by paths without `.js` and `.d.ts`, which are those of the sources. */
export interface CompiledCode {
  /** The content of a file, e.g. of "packages/base/src/index.d.ts"; throws if it doesn't exist. */
  readonly read: (path: string) => string;
  /** The source of an entry point of a package of ours, e.g. of "@weir/base/node"; undefined for other packages. */
  readonly sourceOf: (door: string) => string | undefined;
}

/** The files of a package, and what they import from elsewhere. */
export interface Gathered {
  /** Contents by paths in the package. */
  readonly files: ReadonlyMap<string, string>;
  /** The packages that the code imports. */
  readonly imports: ReadonlySet<string>;
  /** The packages that the types name. */
  readonly typeImports: ReadonlySet<string>;
}

/** A type of compiled file, and what its imports lead to. */
const extensions = [".js", ".d.ts"] as const;

/**
 * Everything that the sources (e.g. "packages/engine/src/index.ts") import, directly or indirectly, laid out for one
 * package: packages of ours become folders in `lib`, and imports of them become relative.
 */
export function gather(sources: readonly string[], code: CompiledCode): Gathered {
  const files = new Map<string, string>();
  const imported = { ".js": new Set<string>(), ".d.ts": new Set<string>() };
  for (const extension of extensions) {
    const waiting = sources.map(withoutExtension);
    const seen = new Set(waiting);
    for (const stem of waiting) {
      const text = code.read(`${stem}${extension}`);
      for (const { name } of specifiersOf(text)) {
        const target = targetOf(name, stem, code);
        if (target === undefined) {
          imported[extension].add(packageOf(name));
        } else if (!seen.has(target)) {
          seen.add(target);
          waiting.push(target);
        }
      }
      files.set(`${placeOf(stem)}${extension}`, relinked(text, stem, code));
    }
  }
  return { files, imports: withoutNode(imported[".js"]), typeImports: withoutNode(imported[".d.ts"]) };
}

function relinked(text: string, stem: string, code: CompiledCode): string {
  return withSpecifiers(text, (name) => {
    const target = targetOf(name, stem, code);
    if (target === undefined) {
      return name;
    }
    const path = relative(dirname(placeOf(stem)), placeOf(target));
    return `${path.startsWith(".") ? "" : "./"}${path}.js`;
  });
}

/** The source that an import leads to, without its extension; undefined for a package of others, or Node.js. */
function targetOf(name: string, from: string, { sourceOf }: CompiledCode): string | undefined {
  const source = name.startsWith(".") ? join(dirname(from), name) : sourceOf(name);
  return source === undefined ? undefined : withoutExtension(source);
}

/** Where a source is in the package, e.g. "packages/base/src/node/index" at "lib/base/node/index". */
export function placeOf(stem: string): string {
  return stem.replace(/^packages\/([^/]+)\/src\/|^src\//, (_, name: string | undefined) =>
    name === undefined ? "lib/" : `lib/${name}/`,
  );
}

/** The path without `.ts`, `.js`, or `.d.ts`. */
export function withoutExtension(path: string): string {
  return path.replace(/(\.d)?\.[jt]s$/, "");
}

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function withoutNode(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !name.startsWith("node:")));
}
