/**
 * Runs `fluxctl --help`, or another program, from a folder of bundles, and writes the code of each of these bundles to
 * another folder: node record.cjs BUNDLES CODE PROGRAM NAME...
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Loader } from "./loader.ts";

/** What V8 keeps contains the names of scripts: here, ones that don't depend on where the bundles are. */
const place = "/weir";

const [node = "", , bundles = "", code = "", program = "", ...names] = process.argv;
const loader = new Loader(place, (name) => ({ text: readFileSync(join(bundles, name), "utf8") }));
process.argv = [node, program, "--help"];
process.once("exit", () => {
  names.forEach((name) => {
    writeFileSync(join(code, `${name}.code`), loader.codeOf(name));
  });
});
loader.load(`${program}.cjs`);
