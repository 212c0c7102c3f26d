import type { Plugin } from "esbuild";

/**
 * Leaves out what commander starts commands with that are programs of their own. fluxctl has none, and loading
 * node:child_process would take a thirtieth of its start.
 */
export const noExecutables: Plugin = {
  name: "no-executables",
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
        ? { path: "child_process", namespace: "no-executables" }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "no-executables" }, () => ({ contents: "export default {};" }));
  },
};
