/**
 * The layers of docs/architecture.md as rules: an import points to a lower layer, or sideways where a rule says so.
 * `npm run layers` checks them; type imports count too.
 */

/** Everything in `folder` may import only what matches one of `allowed` (or packages and node itself). */
function only(name, comment, from, allowed) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: `^${from}/` },
    to: {
      path: "^(src|cmd|test|bench|scripts)/",
      pathNot: [`^${from}/`, ...allowed.map((path) => `^${path}`)],
    },
  };
}

const base = "src/base/";
const words = (...folders) => folders.map((folder) => `src/${folder}/`);

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      comment:
        "A circle of imports, types included, hides which part rests on which. A YAML value may be a mapping of values: that circle is in the matter.",
      severity: "error",
      from: { pathNot: "^src/manifests/edit/yaml/(mapping-value|value)\\.ts$" },
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "An import that resolves to nothing.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    only("base-knows-nothing", "base is the ground: nothing of ours below it.", "src/base", []),
    only("kube-objects-pure", "Kubernetes' words rest on base alone.", "src/kube", [base]),
    {
      name: "kube-objects-not-client",
      comment: "The pure part of kube does not know how objects are fetched.",
      severity: "error",
      from: { path: "^src/kube/", pathNot: "^src/kube/client/" },
      to: { path: "^(src/kube/client/|src/base/node/)" },
    },
    only("errors", "What Flux's API says of an error rests on base.", "src/errors", [base]),
    only("image", "Image names rest on base.", "src/image", [base, ...words("errors")]),
    only("resource", "Resources may speak of images.", "src/resource", [base, ...words("errors", "image")]),
    only("cluster", "The cluster port speaks of resources and images.", "src/cluster", [
      base,
      ...words("errors", "image", "resource"),
    ]),
    only("update", "Updates speak of what a cluster holds.", "src/update", [
      base,
      ...words("errors", "image", "resource", "cluster"),
    ]),
    only("event", "Events speak of updates.", "src/event", [
      base,
      ...words("errors", "image", "resource", "cluster", "update"),
    ]),
    only("engine-stands-alone", "The engine knows Kubernetes and nothing of Flux.", "src/engine", [
      base,
      "src/kube/",
    ]),
    only(
      "embedded-cluster-stands-alone",
      "The embedded cluster knows Kubernetes only.",
      "src/embedded-cluster",
      [base, "src/kube/"],
    ),
    only("manifests", "Manifests know files and resources, no cluster and no git.", "src/manifests", [
      base,
      "src/kube/",
      ...words("errors", "image", "resource", "update"),
    ]),
    only("git", "git knows no images and no manifests.", "src/git", [
      base,
      ...words("errors", "resource", "update", "event"),
    ]),
    only("registry", "Registries know images; no git, no manifests, no cluster.", "src/registry", [
      base,
      ...words("errors", "image"),
    ]),
    only(
      "engine-adapter",
      "The only folder that knows both Flux's rules and the engine.",
      "src/engine-adapter",
      [base, "src/kube/", "src/engine/index.ts", ...words("cluster", "resource", "image", "manifests")],
    ),
    {
      name: "engine-by-its-door",
      comment: "Whoever uses the engine uses its public face.",
      severity: "error",
      from: { path: "^(src|cmd)/", pathNot: "^src/engine/" },
      to: { path: "^src/engine/", pathNot: "^src/engine/index.ts$" },
    },
    only("daemon", "The daemon sees the cluster through its port, never through the engine.", "src/daemon", [
      base,
      ...words(
        "errors",
        "git",
        "registry",
        "manifests",
        "cluster",
        "resource",
        "image",
        "update",
        "event",
        "api/types",
      ),
    ]),
    only("api", "The API takes an ApiServer, never the daemon.", "src/api", [
      base,
      ...words("errors", "image", "resource", "cluster", "update", "event"),
    ]),
    only("webhooks", "Webhooks tell an ApiServer of changes; they listen as the API does.", "src/webhooks", [
      base,
      ...words("image", "api/types", "api/server"),
    ]),
    {
      name: "api-types-pure",
      comment: "Wire types know neither server nor client.",
      severity: "error",
      from: { path: "^src/api/types/" },
      to: { path: "^src/(api/(server|client|upstream|upstream-server)/|base/node/)" },
    },
    {
      name: "fluxctl-is-light",
      comment: "fluxctl must start fast: no daemon, no engine, no manifests.",
      severity: "error",
      from: { path: "^cmd/fluxctl/" },
      to: {
        path: "^src/(engine|engine-adapter|daemon|git|embedded-cluster|api/server|api/upstream|api/upstream-server)/",
      },
    },
    {
      name: "upstream-server-is-a-library",
      comment:
        "What a console accepts daemons with rests on the daemon's side of the wire, never the other way.",
      severity: "error",
      from: { path: "^(src|cmd)/", pathNot: "^src/api/upstream-server/" },
      to: { path: "^src/api/upstream-server/" },
    },
    {
      name: "commands-on-top",
      comment: "Nothing in src reaches up to cmd, test or bench.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(cmd|test|bench|scripts)/" },
    },
    {
      name: "pure-folders-do-no-io",
      comment:
        "What decides is kept apart from what acts: these folders reach no node I/O, also not through others.",
      severity: "error",
      from: {
        path: [
          "^src/base/(?!node/)",
          "^src/kube/(?!client/)",
          "^src/(errors|image|resource|cluster|update|event)/",
          "^src/engine/(diff|health)/",
          "^src/engine/sync/(?!run\\.ts$)",
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
    {
      name: "tests-are-not-product",
      comment: "The product never imports its tests.",
      severity: "error",
      from: { path: "^(src|cmd)/" },
      to: { path: "^(test|bench)/" },
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
