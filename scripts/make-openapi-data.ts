/**
 * Regenerates src/embedded-cluster/schema/{api-data,api-text}.json.br, the facts about Kubernetes' built-in kinds
 * that the embedded cluster serves and decodes by, from a running API server and the Go declarations of the
 * same version:
 *
 *     node scripts/make-openapi-data.ts https://127.0.0.1:6443 TOKEN ca.crt "$(go env GOMODCACHE)/k8s.io"
 *
 * Any API server without custom resources will do; test/support/control-plane.ts starts one.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { makeDataFiles } from "./openapi-data/make-data.ts";

const target = join(import.meta.dirname, "../src/embedded-cluster/schema");

const [url, token, caFile, goModules] = process.argv.slice(2);
if (url === undefined || token === undefined || caFile === undefined || goModules === undefined) {
  throw new Error(
    "usage: make-openapi-data.ts <server URL> <token> <CA file> <folder of the k8s.io Go modules>",
  );
}
const files = await makeDataFiles({ url, token, ca: readFileSync(caFile, "utf8") }, goModules);
for (const [name, value] of Object.entries(files)) {
  const json = Buffer.from(JSON.stringify(value));
  const packed = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  writeFileSync(join(target, `${name}.json.br`), packed);
  console.log(`${name}: ${json.length} bytes of JSON in ${packed.length}`);
}
