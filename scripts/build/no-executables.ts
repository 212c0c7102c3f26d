import type { Plugin } from "esbuild";

/**
 * Removes the module with which commander starts commands that are separate programs. fluxctl has none, and
 * loading node:child_process would take about 3 % of its start time.
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
