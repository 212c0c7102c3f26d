/**
 * Regenerates src/embedded-cluster/schema/{api-data,api-text}.json.br, the facts about Kubernetes' built-in kinds
 * that the embedded cluster serves and decodes by, from a running API server and the Go declarations of the
 * same version:
 *
 *     node scripts/make-openapi-data.ts https://127.0.0.1:6443 TOKEN ca.crt "$(go env GOMODCACHE)/k8s.io"
 *
 * Any API server without custom resources will do; test/support/control-plane.ts starts one.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { invariant } from "../src/base/errors.ts";
import type { JsonObject } from "../src/base/json.ts";
import { makeApiData, makeApiText } from "./openapi-data/api-data.ts";
import { type GoPackage, openApiPackage, readGoPackage } from "./openapi-data/go-types.ts";
import { fetchServerDocuments } from "./openapi-data/server-documents.ts";

const modules = [
  "k8s.io/apiextensions-apiserver",
  "k8s.io/apimachinery",
  "k8s.io/api",
  "k8s.io/kube-aggregator",
];
const target = join(import.meta.dirname, "../src/embedded-cluster/schema");

const [url, token, caFile, goModules] = process.argv.slice(2);
if (url === undefined || token === undefined || caFile === undefined || goModules === undefined) {
  throw new Error(
    "usage: make-openapi-data.ts <server URL> <token> <CA file> <folder of the k8s.io Go modules>",
  );
}
const documents = await fetchServerDocuments({ url, token, caFile });
const kubernetesVersion = versionOf(documents.version);
const packages = readPackages(goModules, kubernetesVersion);
const data = makeApiData(documents, packages);
write("api-data", data);
write("api-text", makeApiText(documents, data));

/** The packages that schemas come from; version "v1.34.2" of Kubernetes is "v0.34.2" of its libraries. */
function readPackages(folder: string, version: string): ReadonlyMap<string, GoPackage> {
  const packages = new Map<string, GoPackage>();
  const names = [...documents.schemas.keys()].map((name) => name.slice(0, name.lastIndexOf(".")));
  for (const name of new Set([...names, "io.k8s.apimachinery.pkg.types"])) {
    const goPath = name.replace("io.k8s.", "k8s.io.").replaceAll(".", "/").replace("k8s/io/", "k8s.io/");
    const module = modules.find((candidate) => goPath.startsWith(`${candidate}/`));
    if (module !== undefined) {
      const root = `${module.slice("k8s.io/".length)}@${version.replace(/^v1\./, "v0.")}`;
      const source = join(folder, root, goPath.slice(module.length + 1));
      packages.set(openApiPackage(goPath), readGoPackage(source, goPath));
    }
  }
  return packages;
}

function versionOf(answer: JsonObject): string {
  invariant(typeof answer["gitVersion"] === "string", "/version has no gitVersion");
  return answer["gitVersion"];
}

function write(name: string, value: object): void {
  const json = Buffer.from(JSON.stringify(value));
  const packed = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  writeFileSync(join(target, `${name}.json.br`), packed);
  console.log(`${name}: ${json.length} bytes of JSON in ${packed.length}`);
}
