/** A Kubernetes API server within the process, and the controllers that bring to life what is written to it. */
export { selfSigned } from "./http/certificate.ts";
export type { ApiData, ApiText, DataFiles, TypeData, TypeText } from "./schema/api-data-format.ts";
export { type EmbeddedCluster, startEmbeddedCluster } from "./server.ts";
