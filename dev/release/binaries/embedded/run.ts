/** What an executable runs first: its program, from the assets. */
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { getAsset, getRawAsset } from "node:sea";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Loader } from "./loader.ts";

/** Set by the build: "fluxctl" or "fluxd". */
declare const PROGRAM: string;
/** Set by the build: the bundles of which the executable has the code. */
declare const COMPILED: readonly string[];

// A place that no file can have, because the executable itself is where its folder would be.
const folder = join(process.execPath, "lib");

// Bundles that are ES modules are found by name, too.
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "" } = context;
    const isOurs = parentURL.startsWith("file:") && dirname(fileURLToPath(parentURL)) === folder;
    return isOurs && specifier.startsWith("./")
      ? { url: pathToFileURL(join(folder, specifier)).href, format: "module", shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    const file = url.startsWith("file:") ? fileURLToPath(url) : "";
    return dirname(file) === folder
      ? { source: getAsset(file.slice(folder.length + 1), "utf8"), format: "module", shortCircuit: true }
      : next(url, context);
  },
});

new Loader(folder, (name) => ({
  text: getAsset(name, "utf8"),
  ...(COMPILED.includes(name) ? { code: new Uint8Array(getRawAsset(`${name}.code`)) } : {}),
})).load(`${PROGRAM}.cjs`);
