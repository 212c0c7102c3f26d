/**
 * The layers as rules: an import points to a lower layer, or to the same layer where layers.json allows it. The picture in
 * docs/architecture.md is generated from layers.json too. `npm run layers` checks the rules; type imports count.
 */
const layers = require("./layers.json");

const ours = "^(packages|src|cmd|hub|dev|test|scripts|examples)/";

/** The product code of a folder; a package keeps its tests and their support next to its code. */
function codeOf(folder) {
  return folder.startsWith("packages/") ? `${folder}/src/` : `${folder}/`;
}

/** A folder may import only what layers.json allows, plus Node.js modules and installed packages. */
const layerRules = layers.map(({ folder, imports, purpose }) => ({
  name: folder.replaceAll("/", "-"),
  comment: purpose,
  severity: "error",
  from: { path: `^${codeOf(folder)}` },
  to: { path: ours, pathNot: [folder, ...imports].map((each) => `^${codeOf(each)}`) },
}));

/** A package is imported only through its `exports`. */
const exportRules = layers
  .filter(({ folder }) => folder.startsWith("packages/"))
  .map(({ folder }) => {
    const { exports } = require(`./${folder}/package.json`);
    const entryPoints = Object.values(exports).map(
      (file) => `^${folder}/${file.replace("./", "").replaceAll(".", "\\.")}$`,
    );
    return {
      name: `${folder.replaceAll("/", "-")}-by-its-exports`,
      comment: "Import a package only through its exports.",
      severity: "error",
      from: { pathNot: `^${folder}/` },
      to: { path: `^${folder}/`, pathNot: [...entryPoints, `^${folder}/package\\.json$`] },
    };
  });

module.exports = {
  forbidden: [
    ...layerRules,
    ...exportRules,
    {
      name: "takeover-on-demand",
      comment: "They load the engine, and only the commands that need it should wait for that.",
      severity: "error",
      from: { path: "^cmd/fluxctl/" },
      to: {
        path: "^src/switching/(takeover|comparison)/",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "export-on-demand",
      comment:
        "It brings YAML and regular expressions with it, for which no other command of fluxctl should wait.",
      severity: "error",
      from: { path: "^cmd/fluxctl/", pathNot: "^cmd/fluxctl/export/" },
      to: {
        path: "^(src/switching/(flux2|running-install)|cmd/fluxctl/export)/",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-circular",
      comment:
        "A cycle of imports, types included, hides which part depends on which. The exception: a YAML value can be a mapping of YAML values.",
      severity: "error",
      from: { pathNot: "^packages/yaml/src/ruamel-yaml/(mapping-value|value)\\.ts$" },
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "An import that resolves to nothing.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "kube-words-not-client",
      comment: "The pure part of @weir/kube doesn't know how objects are fetched.",
      severity: "error",
      from: { path: "^packages/kube/src/(?!client/|rest/)" },
      to: { path: "^packages/(kube/src/(client|rest)|base/src/node)/" },
    },
    {
      name: "kube-rest-over-its-port",
      comment: "The REST code doesn't know which transport carries its requests.",
      severity: "error",
      from: { path: "^packages/kube/src/rest/" },
      to: { path: "^packages/(kube/src/client|base/src/node)/" },
    },
    {
      name: "yaml-side-by-side",
      comment: "The two YAML readers don't import each other.",
      severity: "error",
      from: { path: "^packages/yaml/src/(go|ruamel)-yaml/" },
      to: { path: "^packages/yaml/src/(go|ruamel)-yaml/", pathNot: "^packages/yaml/src/$1-yaml/" },
    },
    {
      name: "product-is-not-test",
      comment: "Product code never imports tests, benchmarks, or build scripts.",
      severity: "error",
      from: { path: "^(src|cmd|hub/(cmd|src|page)|packages/[^/]+/src)/" },
      to: { path: "^(dev|test|scripts|hub/test|packages/[^/]+/test)/" },
    },
    {
      name: "pure-folders-do-no-io",
      comment:
        "Code that decides is separate from code that acts: these folders never reach Node.js I/O, directly or indirectly.",
      severity: "error",
      from: {
        path: [
          "^packages/base/src/(?!node/)",
          "^packages/kube/src/(?!client/|rest/)",
          "^packages/engine/src/(diff|health)/",
          "^packages/engine/src/lua/(?!read-scripts\\.ts$|index\\.ts$)",
          "^packages/engine/src/plan/(?!(comparer|index|planner)\\.ts$)",
          "^packages/engine/src/run/(?!(hook-run|live-health|performer|run|session)\\.ts$)",
          "^packages/yaml/src/",
          "^packages/flux/src/(errors|image|resource|cluster|update|event|api)/",
          "^packages/flux/src/websocket/(?!channel\\.ts$|index\\.ts$)",
          "^src/(fluxd-flags|switching/flux2)/",
          "^src/manifests/edit/",
          "^src/webhooks/sources/",
          "^src/webhooks/(config|hook|judge|payload|proof|sns-message|sources)\\.ts$",
          "^hub/src/notify/formats/",
          "^hub/src/notify/(channel|content|cut|event|group|retry|rule|sample|template|view)\\.ts$",
          "^src/api/upstream/(endpoints|call|rpc)\\.ts$",
          "^packages/upstream-server/src/(asker|lists|protocol|polyfills|received-event|remote-daemon|rpc-client)\\.ts$",
        ],
      },
      to: {
        path: "^(node:)?(fs|fs/promises|net|http|http2|https|child_process|dgram|tls|worker_threads)$",
        reachable: true,
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|node_modules)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
    },
  },
};
