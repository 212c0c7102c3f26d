import type { Plugin } from "esbuild";

/** What PGlite reads at run time, from the folder of the bundle that contains it. */
export const pgliteFiles: readonly string[] = ["pglite.data", "pglite.wasm", "initdb.wasm"].map(
  (name) => `node_modules/@electric-sql/pglite/dist/${name}`,
);

/** Takes the CommonJS edition of PGlite: the other one looks for its files at the URL of an ES module. */
export const pglite: Plugin = {
  name: "pglite",
  setup(build) {
    build.onResolve({ filter: /^@electric-sql\/pglite$/ }, ({ path, resolveDir, pluginData }) =>
      pluginData === build
        ? undefined
        : build.resolve(path, { kind: "require-call", resolveDir, pluginData: build }),
    );
  },
};
