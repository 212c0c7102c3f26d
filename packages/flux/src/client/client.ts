/**
 * The HTTP client of the API, as fluxctl uses it: takes values, sends requests, and returns decoded
 * responses. Every method rejects with the FluxError that the server sent, or with RequestError if there was
 * no usable response.
 */

import { type Decode, type JsonValue, listAt, textAt } from "@weir/base";
import type {
  GitConfigReport,
  JobStatusReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "../api/api-server.ts";
import { decodeJobStatus } from "../api/job.ts";
import { inspectionRoutes, routes } from "../api/routes.ts";
import { decodeGitConfig, decodeWorkloads } from "../api/v6.ts";
import { decodeImageList } from "../api/v6-images.ts";
import type { UpdateSpec } from "../update/spec.ts";
import { encodeUpdateSpec } from "../update/wire.ts";
import { type ApiClientOptions, HttpTransport } from "./http-transport.ts";
import { InspectionClient } from "./inspection-client.ts";
import { getFrom, postTo } from "./transport.ts";

/** A client for one API: Flux's routes, and Weir's. */
export class ApiClient extends InspectionClient {
  readonly #transport: HttpTransport;

  constructor(options: ApiClientOptions) {
    const transport = new HttpTransport(options);
    super(transport);
    this.#transport = transport;
  }

  /** Closes the connections. */
  close(): void {
    this.#transport.close();
  }

  /** Lists the workloads of a namespace, or of all namespaces if it's "". */
  listWorkloads(
    { namespace, workloads }: ListWorkloadsOptions,
    signal: AbortSignal,
  ): Promise<readonly WorkloadStatusReport[]> {
    return workloads.length === 0
      ? this.#transport.ask(getFrom(routes.listServices, { namespace }), decodeWorkloads, signal)
      : this.#transport.ask(
          getFrom(routes.listServicesWithOptions, { namespace, services: workloads.join(",") }),
          decodeWorkloads,
          signal,
        );
  }

  /** Lists the available images of workloads. */
  listImages(
    { workload, namespace, fields }: ListImagesOptions,
    signal: AbortSignal,
  ): Promise<readonly WorkloadImagesReport[]> {
    const query = { containerFields: fields.join(","), namespace, service: workload };
    return this.#transport.ask(getFrom(routes.listImagesWithOptions, query), decodeImageList, signal);
  }

  /** Requests an update; resolves to the ID of the job. */
  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string> {
    return this.#transport.ask(postTo(routes.updateManifests, encodeUpdateSpec(spec)), textAt, signal);
  }

  /** The status of a job. */
  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport> {
    return this.#transport.ask(getFrom(routes.jobStatus, { id }), decodeJobStatus, signal);
  }

  /** The commits up to `ref` that haven't been applied yet. */
  syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]> {
    const decode: Decode<readonly string[]> = (value, path) =>
      value === null ? [] : listAt(value, path, textAt);
    return this.#transport.ask(getFrom(routes.syncStatus, { ref }), decode, signal);
  }

  /** The objects in the cluster, as YAML documents. */
  exportAll(signal: AbortSignal): Promise<string> {
    return this.#transport.ask(getFrom(routes.export), decodeExport, signal);
  }

  /** The git repository and its SSH key; generates a new key if `regenerate` is true. */
  gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport> {
    return this.#transport.ask(postTo(routes.gitRepoConfig, regenerate), decodeGitConfig, signal);
  }

  /** Like exportAll, but without --k8s-allow-namespace all namespaces. */
  exportEverything(signal: AbortSignal): Promise<string> {
    return this.#transport.ask(getFrom(inspectionRoutes.exportEverything), decodeExport, signal);
  }

  /** The version of the daemon. */
  version(signal: AbortSignal): Promise<string> {
    return this.#transport.ask(getFrom(routes.version), textAt, signal);
  }
}

function decodeExport(value: JsonValue, path: string): string {
  return Buffer.from(textAt(value, path), "base64").toString("utf8");
}
