import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { auditFiles } from "../control-plane-arguments.ts";
import { KubeEyes } from "../kube.ts";
import { until } from "../until.ts";

/**
 * Logs every write, without its body, which can be a Secret. Reviews are left out: they're posted, but they only ask
 * a question.
 */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [
    { level: "None", resources: [{ group: "authorization.k8s.io" }, { group: "authentication.k8s.io" }] },
    { level: "Metadata", verbs: ["create", "update", "patch", "delete", "deletecollection"] },
    { level: "None" },
  ],
} as const;

/** A request to change something, whether or not the API server allowed it. */
export interface AuditedWrite {
  readonly verb: string;
  /** For example, `system:serviceaccount:apps:deployer`. */
  readonly user: string;
  readonly userAgent: string;
  /** The path with its query. */
  readonly uri: string;
  /** The HTTP status of the response. */
  readonly code: number;
}

/** A pod cluster's API server, and the folder with its log. */
interface Server {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

/** The writes that a pod cluster's API server was asked for, from a given moment on. */
export class AuditLog {
  readonly #server: Server;
  readonly #start: string;

  private constructor(server: Server, start: string) {
    this.#server = server;
    this.#start = start;
  }

  /** The log from now on. */
  static async since(server: Server): Promise<AuditLog> {
    const start = `start-${randomUUID()}`;
    await markLog(server, start);
    return new AuditLog(server, start);
  }

  /** The writes until now, in the order in which they were completed. */
  async writes(): Promise<readonly AuditedWrite[]> {
    const end = `end-${randomUUID()}`;
    const lines = await markLog(this.#server, end);
    const first = lines.findIndex((line) => line.includes(this.#start)) + 1;
    const last = lines.findIndex((line) => line.includes(end));
    return lines
      .slice(first, last)
      .map((line) => readWrite(JSON.parse(line) as AuditEvent))
      .filter(({ uri }) => !uri.endsWith(markSuffix));
  }
}

const markSuffix = "&dryRun=All&mark=audit-log";

/** Puts a mark into the log by a request that changes nothing; resolves to the lines of the log up to the mark. */
async function markLog({ url, token, folder }: Server, mark: string): Promise<readonly string[]> {
  await using kube = new KubeEyes(url, token);
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: mark } };
  await kube.post(`/api/v1/namespaces/default/configmaps?fieldManager=${mark}${markSuffix}`, body);
  return await until("the mark in the audit log", async () => {
    const lines = (await readFile(join(folder, auditFiles.log), "utf8")).split("\n").slice(0, -1);
    return lines.some((line) => line.includes(mark)) && lines;
  });
}

/** The parts of audit.k8s.io/v1 Event that are used here. */
interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly responseStatus?: { readonly code?: number };
}

function readWrite({ verb, user, userAgent = "", requestURI, responseStatus }: AuditEvent): AuditedWrite {
  return { verb, user: user.username, userAgent, uri: requestURI, code: responseStatus?.code ?? 0 };
}
