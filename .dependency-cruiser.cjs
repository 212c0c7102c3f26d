/**
 * The layers as rules: an import points to a lower layer, or sideways where layers.json says so. That file is the one
 * source, also of the table in docs/architecture.md. `npm run layers` checks the rules; type imports count too.
 */
const layers = require("./layers.json");

const ours = "^(packages|src|cmd|test|bench|scripts)/";

/** Where a folder's product code is: a package keeps its tests and their support beside it. */
function codeOf(folder) {
  return folder.startsWith("packages/") ? `${folder}/src/` : `${folder}/`;
}

/** Everything in a folder may import only what layers.json allows, and packages and Node itself. */
const layerRules = layers.map(({ folder, imports, says }) => ({
  name: folder.replaceAll("/", "-"),
  comment: says,
  severity: "error",
  from: { path: `^${codeOf(folder)}` },
  to: { path: ours, pathNot: [folder, ...imports].map((each) => `^${codeOf(each)}`) },
}));

/** Another package is used by a door of its `exports` alone, whoever uses it. */
const doorRules = layers
  .filter(({ folder }) => folder.startsWith("packages/"))
  .map(({ folder }) => {
    const { exports } = require(`./${folder}/package.json`);
    const doors = Object.values(exports).map(
      (door) => `^${folder}/${door.replace("./", "").replaceAll(".", "\\.")}$`,
    );
    return {
      name: `${folder.replaceAll("/", "-")}-by-its-doors`,
      comment: "Whoever uses a package uses its public face.",
      severity: "error",
      from: { pathNot: `^${folder}/` },
      to: { path: `^${folder}/`, pathNot: [...doors, `^${folder}/package\\.json$`] },
    };
  });

module.exports = {
  forbidden: [
    ...layerRules,
    ...doorRules,
    {
      name: "no-circular",
      comment:
        "A circle of imports, types included, hides which part rests on which. A YAML value may be a mapping of values: that circle is in the matter.",
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
      comment: "The pure part of @weir/kube does not know how objects are fetched.",
      severity: "error",
      from: { path: "^packages/kube/src/(?!client/|rest/)" },
      to: { path: "^packages/(kube/src/(client|rest)|base/src/node)/" },
    },
    {
      name: "kube-rest-over-its-port",
      comment: "What is asked of an API server does not know who carries the requests.",
      severity: "error",
      from: { path: "^packages/kube/src/rest/" },
      to: { path: "^packages/(kube/src/client|base/src/node)/" },
    },
    {
      name: "yaml-side-by-side",
      comment: "Neither reader of YAML reaches into the other.",
      severity: "error",
      from: { path: "^packages/yaml/src/(go|ruamel)-yaml/" },
      to: { path: "^packages/yaml/src/(go|ruamel)-yaml/", pathNot: "^packages/yaml/src/$1-yaml/" },
    },
    {
      name: "product-is-not-test",
      comment: "The product never imports what it is tested, measured or built with.",
      severity: "error",
      from: { path: "^(src|cmd|packages/(?!testing/)[^/]+/src)/" },
      to: { path: "^(test|bench|scripts|packages/testing|packages/[^/]+/test)/" },
    },
    {
      name: "pure-folders-do-no-io",
      comment:
        "What decides is kept apart from what acts: these folders reach no node I/O, also not through others.",
      severity: "error",
      from: {
        path: [
          "^packages/base/src/(?!node/)",
          "^packages/kube/src/(?!client/|rest/)",
          "^packages/engine/src/(diff|health)/",
          "^packages/engine/src/sync/(?!run\\.ts$)",
          "^packages/yaml/src/",
          "^src/(errors|image|resource|cluster|update|event)/",
          "^src/manifests/edit/",
          "^src/api/types/",
          "^src/webhooks/sources/",
          "^src/webhooks/(config|hook|judge|payload|proof|sns-message|sources)\\.ts$",
          "^src/api/upstream/(json-splitter|raw-members|messages|envelope|methods|endpoints|call|rpc)\\.ts$",
          "^src/api/upstream-server/(asker|lists|protocol|polyfills|received-event|remote-daemon|rpc-client)\\.ts$",
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
