import type { Plugin } from "esbuild";

/** Removes the module with which Ink connects to React's developer tools, an optional package that isn't installed. */
export const noDevtools: Plugin = {
  name: "no-devtools",
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, () => ({
      path: "react-devtools-core",
      namespace: "no-devtools",
    }));
    build.onLoad({ filter: /.*/, namespace: "no-devtools" }, () => ({ contents: "export default {};" }));
  },
};
