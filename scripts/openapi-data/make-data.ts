/** Makes the data files of the embedded cluster from a running API server and the Go declarations of its version. */
import { join } from "node:path";
import { invariant } from "../../src/base/errors.ts";
import type { DataFiles } from "../../src/embedded-cluster/schema/api-data-format.ts";
import { makeApiData, makeApiText } from "./api-data.ts";
import { type GoPackage, openApiPackage, readGoPackage } from "./go-types.ts";
import { fetchServerDocuments, type ServerAccess, type ServerDocuments } from "./server-documents.ts";

/** The Go modules whose declarations are read. */
export const goModules = [
  "k8s.io/apiextensions-apiserver",
  "k8s.io/apimachinery",
  "k8s.io/api",
  "k8s.io/kube-aggregator",
];

/** What the files are to hold. `folder` is where Go keeps the modules of "k8s.io". */
export async function makeDataFiles(access: ServerAccess, folder: string): Promise<DataFiles> {
  const documents = await fetchServerDocuments(access);
  const data = makeApiData(documents, readPackages(documents, folder));
  return { "api-data": data, "api-text": makeApiText(documents, data) };
}

/** The packages that schemas come from; version "v1.34.2" of Kubernetes is "v0.34.2" of its libraries. */
function readPackages({ schemas, version }: ServerDocuments, folder: string): ReadonlyMap<string, GoPackage> {
  const { gitVersion } = version;
  invariant(typeof gitVersion === "string", "/version has no gitVersion");
  const packages = new Map<string, GoPackage>();
  const names = [...schemas.keys()].map((name) => name.slice(0, name.lastIndexOf(".")));
  for (const name of new Set([...names, "io.k8s.apimachinery.pkg.types"])) {
    const goPath = name.replace("io.k8s.", "k8s.io.").replaceAll(".", "/").replace("k8s/io/", "k8s.io/");
    const module = goModules.find((candidate) => goPath.startsWith(`${candidate}/`));
    if (module !== undefined) {
      const root = `${module.slice("k8s.io/".length)}@${gitVersion.replace(/^v1\./, "v0.")}`;
      const source = join(folder, root, goPath.slice(module.length + 1));
      packages.set(openApiPackage(goPath), readGoPackage(source, goPath));
    }
  }
  return packages;
}
