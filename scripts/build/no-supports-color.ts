import type { Plugin } from "esbuild";

/**
 * Removes supports-color, which the package debug loads where it's installed: only packages for development need it, so
 * bundles would differ by what else is installed.
 */
export const noSupportsColor: Plugin = {
  name: "no-supports-color",
  setup(build) {
    build.onResolve({ filter: /^supports-color$/ }, () => ({
      path: "supports-color",
      namespace: "no-supports-color",
    }));
    build.onLoad({ filter: /.*/, namespace: "no-supports-color" }, () => ({
      contents: "module.exports = {};",
    }));
  },
};
