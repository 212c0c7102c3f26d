/**
 * Measures editing a file of 300 KB: one image in one of 800 Deployments, after warm-up, in both styles; for
 * reference, js-yaml and yaml, which only read the same file. `node dev/bench/edit.ts`
 */
import { load } from "js-yaml";
import { parseDocument } from "yaml";
import { setImage } from "../../src/manifests/edit/set-image.ts";
import { note, printTable, row } from "./support/table.ts";

const runs = 100;
const warmUp = 30;
const count = 800;

const text = makeFile(count);
const target = { namespace: "default", kind: "deployment", name: `app-${count - 1}` };

const flux = measure(() => setImage(text, target, { container: "main", image: "example/new:1.0.0" }));
const minimal = measure(() =>
  setImage(text, target, { container: "main", image: "example/new:1.0.0", style: "minimal" }),
);
const jsYaml = measure(() => JSON.stringify(load(text)).slice(0, 1));
const yaml = measure(() => String(parseDocument(text).errors.length));

console.log(
  printTable(`One image in a file of ${Math.round(text.length / 1000)} KB, the fastest of ${runs} edits`, [
    row("as Flux writes it", { measured: flux, limit: 30, unit: "ms" }),
    note("with nothing else changed", minimal, "ms"),
    note("js-yaml reads the file", jsYaml, "ms"),
    note("yaml reads the file, with its comments", yaml, "ms"),
  ]),
);

/** The fastest run after the warm-up, in milliseconds, which excludes other load on the machine. */
function measure(edit: () => string): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < warmUp + runs; run += 1) {
    const start = performance.now();
    edit();
    fastest = run < warmUp ? fastest : Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

function makeFile(deployments: number): string {
  const items = Array.from({ length: deployments }, (_, index) => makeDeployment(index));
  return `apiVersion: v1\nkind: List\nitems:\n${items.join("\n")}`;
}

function makeDeployment(index: number): string {
  return `- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: app-${index}   # number ${index}
    labels: {app: app-${index}, tier: "backend"}
  spec:
    replicas: ${(index % 5) + 1}
    # the pod of number ${index}
    template:
      spec:
        containers:
        - name: main
          image: 'example/service:0.${index}.0'
          args: ["--name=app-${index}", --port=2542]
`;
}
