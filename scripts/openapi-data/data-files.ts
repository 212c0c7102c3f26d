/**
 * Generates packages/embedded-cluster/src/schema/{api-data,api-text}.json.br, the data about Kubernetes'
 * built-in kinds with which the embedded cluster serves and decodes them, from a running API server without
 * custom resources and the Go declarations of the same version.
 */
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { JsonObject } from "@weir/base";
import type { DataFiles } from "@weir/embedded-cluster";
import type { ServerAccess } from "../generate/api-server.ts";
import type { GeneratedFile } from "../generate/generated-file.ts";
import { makeApiData, makeApiText } from "./api-data.ts";
import { goModules } from "./go-modules.ts";
import { type GoPackage, openApiPackage, readGoPackage } from "./go-types.ts";
import { fetchServerDocuments, type ServerDocuments } from "./server-documents.ts";

const modules = [
  "k8s.io/apiextensions-apiserver",
  "k8s.io/apimachinery",
  "k8s.io/api",
  "k8s.io/kube-aggregator",
];

/** Both files. The go command downloads missing declarations. */
export async function kubernetesDataFiles(access: ServerAccess): Promise<readonly GeneratedFile[]> {
  const documents = await fetchServerDocuments(access);
  const packages = readPackages(documents, await goModules(modules));
  const data = makeApiData({ ...documents, version: versionOnAnyMachine(documents.version) }, packages);
  const text = makeApiText(documents, data);
  return [dataFile("api-data", data), dataFile("api-text", text)];
}

/** /version also describes the machine that built the server: replaced by fixed values. */
function versionOnAnyMachine(version: JsonObject): JsonObject {
  return { ...version, goVersion: "go1.26.8", platform: "linux/amd64" };
}

/** The packages that schemas come from, read from the folders of their modules. */
function readPackages(
  documents: ServerDocuments,
  folders: ReadonlyMap<string, string>,
): ReadonlyMap<string, GoPackage> {
  const packages = new Map<string, GoPackage>();
  const names = [...documents.schemas.keys()].map((name) => name.slice(0, name.lastIndexOf(".")));
  for (const name of new Set([...names, "io.k8s.apimachinery.pkg.types"])) {
    const goPath = name.replace("io.k8s.", "k8s.io.").replaceAll(".", "/").replace("k8s/io/", "k8s.io/");
    const module = modules.find((candidate) => goPath.startsWith(`${candidate}/`));
    if (module !== undefined) {
      const source = join(folders.get(module) ?? "", goPath.slice(module.length + 1));
      packages.set(openApiPackage(goPath), readGoPackage(source, goPath));
    }
  }
  return packages;
}

/** JSON compressed with brotli; different versions of the library can compress it differently. */
function dataFile(name: keyof DataFiles, value: object): GeneratedFile {
  const json = Buffer.from(JSON.stringify(value));
  const content = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  return { path: join("packages/embedded-cluster/src/schema", `${name}.json.br`), content, meaning: unpack };
}

function unpack(content: Buffer): unknown {
  return JSON.parse(brotliDecompressSync(content).toString());
}
