/**
 * Loads the bundles of dist/lib as `require` would, from wherever they are, and keeps what V8 has compiled of them. In
 * an executable, they are assets; while its code is recorded, they are files.
 */
import { join } from "node:path";
import { debuglog } from "node:util";
import { constants, Script } from "node:vm";

/** A bundle, and its code from an earlier run, if there is one. */
export interface Source {
  readonly text: string;
  readonly code?: Uint8Array;
}

type Require = (id: string) => unknown;
type Wrapped = (
  exports: unknown,
  require: Require,
  module: Loaded,
  __filename: string,
  __dirname: string,
) => void;

/** What a bundle sees as `module`. */
interface Loaded {
  exports: unknown;
}

/** The `require` of the bundles. */
export class Loader {
  readonly #folder: string;
  readonly #read: (name: string) => Source;
  readonly #loaded = new Map<string, Loaded>();
  readonly #scripts = new Map<string, Script>();

  /** The folder is what the bundles, and stack traces, see as the place that they are in. */
  constructor(folder: string, read: (name: string) => Source) {
    this.#folder = folder;
    this.#read = read;
  }

  /** Runs the bundle, the first time, and returns its exports. */
  load(name: string): unknown {
    const known = this.#loaded.get(name);
    if (known !== undefined) {
      return known.exports;
    }
    const module: Loaded = { exports: {} };
    this.#loaded.set(name, module);
    const run = this.#compile(name).runInThisContext() as Wrapped;
    const require: Require = (id) => (id.startsWith("./") ? this.load(id.slice(2)) : builtin(id));
    run.call(module.exports, module.exports, require, module, join(this.#folder, name), this.#folder);
    return module.exports;
  }

  /** The code of a bundle: if it has run, with all functions that were called. */
  codeOf(name: string): Uint8Array {
    return (this.#scripts.get(name) ?? this.#compile(name)).createCachedData();
  }

  #compile(name: string): Script {
    const { text, code } = this.#read(name);
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
      filename: join(this.#folder, name),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(code === undefined ? {} : { cachedData: code }),
    });
    if (code !== undefined) {
      debuglog("weir")("%s: code %s", name, script.cachedDataRejected === true ? "rejected" : "used");
    }
    this.#scripts.set(name, script);
    return script;
  }
}

/** Throws like `require` does, because packages try those that they can do without. */
function builtin(id: string): unknown {
  const found: unknown = process.getBuiltinModule(id);
  if (found === undefined) {
    throw Object.assign(new Error(`Cannot find module '${id}'`), { code: "MODULE_NOT_FOUND" });
  }
  return found;
}
