/**
 * An API server in the process, for trying Weir out, for developing and for tests: real HTTPS on the loopback, good
 * enough that kubectl works against it. Requests come in through http/, are understood in api/, carried out in
 * verbs/ by the rules of kinds/, and kept in storage/; controllers/ bring what was written to life.
 */
import { randomBytes } from "node:crypto";
import { type Clock, type Logger, silentLogger, systemClock } from "@weir/base";
import { type ApiParts, answer } from "./api/api.ts";
import { type ApiContext, viewOf } from "./api/api-context.ts";
import { bootstrap } from "./bootstrap/bootstrap.ts";
import { runControllers } from "./controllers/all-controllers.ts";
import { serveDefinitions } from "./custom-resources/serve-definitions.ts";
import { selfSigned } from "./http/certificate.ts";
import { listen } from "./http/listener.ts";
import { builtinDefaulters, kindOf } from "./kinds/all-kinds.ts";
import { printKubeconfig } from "./kubeconfig.ts";
import { OpenApiDocuments } from "./openapi/documents.ts";
import { decodeProtobuf } from "./protobuf/decode-object.ts";
import { BuiltinCodecs } from "./resources/builtin-codec.ts";
import { builtinResources } from "./resources/builtin-resources.ts";
import { ResourceRegistry } from "./resources/resource-registry.ts";
import { type ApiType, type ApiTypes, loadApiTypes } from "./schema/api-types.ts";
import { openFileJournal } from "./storage/file-journal.ts";
import { type Journal, ObjectStore } from "./storage/object-store.ts";

/** What an embedded cluster may be told. */
export interface EmbeddedClusterOptions {
  /** Where the cluster is kept over restarts; in memory only where it is absent. */
  readonly dir?: string;
  /** Any free port where it is absent. */
  readonly port?: number;
  /** A random one where it is absent. */
  readonly token?: string;
  /** False leaves out all that brings objects to life: an API server alone, which then holds still for a test. */
  readonly controllerManager?: boolean;
  /** How long workloads take to become ready. */
  readonly readyAfterMs?: number;
  /** How many changes are remembered for watches that resume and for lists in pages. */
  readonly historyLimit?: number;
  /** How often a quiet watch that asks for bookmarks gets one. */
  readonly bookmarkEveryMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Stops the cluster when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A cluster that runs. */
export interface EmbeddedCluster extends AsyncDisposable {
  /** https://127.0.0.1:port */
  readonly url: string;
  readonly token: string;
  /** The certificate that the server shows, as PEM. */
  readonly certificate: string;
  /** A kubeconfig for it. It holds the token: write it with mode 0600. */
  readonly kubeconfig: string;
  /** Ends all connections and closes the files; stopping twice does nothing. */
  stop(): Promise<void>;
}

const defaultHistory = 10_000;
const defaultBookmarkMs = 60_000;
const defaultReadyMs = 300;

/** Starts a cluster. Rejects where the port is taken, the folder cannot be used, or the signal is aborted. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  options.signal?.throwIfAborted();
  const journal = options.dir === undefined ? undefined : await openFileJournal(options.dir);
  try {
    return await startOver(journal, options);
  } catch (error) {
    // The folder is free again for who tries once more.
    journal?.close();
    throw error;
  }
}

async function startOver(
  journal: Journal | undefined,
  options: EmbeddedClusterOptions,
): Promise<EmbeddedCluster> {
  const { clock = systemClock, logger = silentLogger } = options;
  const store = new ObjectStore({ historyLimit: options.historyLimit ?? defaultHistory, journal });
  const types = loadApiTypes();
  const parts = partsOf(types, store, clock, logger, options.bookmarkEveryMs ?? defaultBookmarkMs);
  bootstrap(parts.context);
  const certificate = selfSigned(clock.now());
  const token = options.token ?? randomBytes(24).toString("base64url");
  const listener = await listen({
    port: options.port ?? 0,
    token,
    certificate,
    logger,
    handle: (request) => answer(parts, { ...request, readProtobuf: (body) => decodeProtobuf(types, body) }),
  });
  const url = `https://127.0.0.1:${listener.port}`;
  const running = new AbortController();
  const { controllerManager = true, readyAfterMs = defaultReadyMs } = options;
  const plan = { controllerManager, readyAfterMs };
  const controllers = runControllers(parts.context, plan, logger, running.signal);
  const close = async (): Promise<void> => {
    running.abort();
    await Promise.all([controllers, listener.close()]).finally(() => store.close());
  };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= close());
  options.signal?.addEventListener("abort", () => void stop(), { once: true });
  return {
    url,
    token,
    certificate: certificate.certificate,
    kubeconfig: printKubeconfig({ url, token, certificate: certificate.certificate }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
function partsOf(
  types: ApiTypes,
  store: ObjectStore,
  clock: Clock,
  logger: Logger,
  bookmarkEveryMs: number,
): ApiParts {
  const codecs = new BuiltinCodecs(types, builtinDefaulters);
  const registry = new ResourceRegistry(builtinResources(types, codecs, kindOf));
  serveDefinitions(store, registry, { metadata: metadataType(types), mergeSchemas: codecs.mergeSchemas });
  const scaleCodec = codecs.ofKind("autoscaling", "v1", "Scale");
  if (scaleCodec === undefined) {
    throw new Error("the data file has no Scale");
  }
  const context: ApiContext = { store, registry, clock, cluster: viewOf(store), scaleCodec };
  return {
    context,
    openApi: new OpenApiDocuments(registry, types, kubernetesVersion(types)),
    version: types.data.version,
    bookmarkEveryMs,
    logger,
  };
}

function metadataType(types: ApiTypes): ApiType {
  const found = types.type("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  if (found === undefined) {
    throw new Error("the data file has no ObjectMeta");
  }
  return found;
}

function kubernetesVersion({ data }: ApiTypes): string {
  const version = data.version["gitVersion"];
  return typeof version === "string" ? version : "";
}
