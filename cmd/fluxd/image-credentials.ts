import { type Clock, type Environment, type Logger, messageOf } from "@weir/base";
import { Ec2Metadata, ec2MetadataUrl, stsUrl } from "@weir/cloud/aws";
import type { HttpTransport } from "@weir/http";
import { createTransport, proxiesOf, type TransportOptions } from "@weir/http";
import { Ecr } from "../../src/registry/credentials/aws/ecr.ts";
import { ecrApiUrl } from "../../src/registry/credentials/aws/ecr-api.ts";
import { azureConfigPath, azureCredentials } from "../../src/registry/credentials/azure/azure.ts";
import { dockerConfigFile, readDockerConfig } from "../../src/registry/credentials/docker-config-file.ts";
import { gcpCredentials } from "../../src/registry/credentials/gcp.ts";
import { withKeychain } from "../../src/registry/credentials/keychain.ts";
import { isScanned, withinScope } from "../../src/registry/credentials/scan-scope.ts";
import type { HostCredentialSource } from "../../src/registry/credentials/source.ts";
import type { ImageSource } from "../../src/registry/image-source.ts";
import type { RegistrySettings } from "./registry-settings.ts";
import { StartupError } from "./startup-checks.ts";

const gcpMetadataUrl = "http://metadata.google.internal";
/** The address on Azure's machines. */
const azureMetadataUrl = "http://169.254.169.254";
const connections = 2;

/**
 * The images in the cluster that should be scanned, with credentials from all sources, in Flux v1's order. Rejects with
 * StartupError if AWS is required but not available.
 */
export async function imagesToScan(
  images: ImageSource,
  settings: RegistrySettings,
  { env, clock, logger, cleanup, signal }: CredentialContext,
): Promise<ImageSource> {
  const open = (options: Partial<TransportOptions>): HttpTransport => {
    const transport = createTransport({ connections, ...options });
    cleanup.defer(() => transport.close());
    return transport;
  };
  const transport = open({ proxies: proxiesOf(env) });
  // For the services of the machine's cloud; no host from a manifest is reached through it.
  const localTransport = open({ allowLinkLocal: true });
  const ecr = new Ecr({
    regions: settings.ecr.regions,
    scope: settings.ecr,
    env,
    metadata: new Ec2Metadata(ec2MetadataUrl(env), { transport: localTransport, clock }),
    stsUrl,
    sessionName: "fluxd",
    ecrUrl: ecrApiUrl,
    transport,
    localTransport,
    clock,
    logger: logger.with({ component: "aws" }),
  });
  if (settings.ecr.required) {
    await ecr.checkRegion(signal).catch(refuseWithoutAws);
  }
  const named = withinScope(images, (name) => isScanned(name, settings));
  const wanted = withinScope(named, (name, each) => ecr.isWanted(name, each));
  const sources: readonly HostCredentialSource[] = [
    ecr,
    ...(await dockerConfigSource(settings.dockerConfig, logger)),
    gcpCredentials({ metadataUrl: gcpMetadataUrl, transport: localTransport, clock }),
    azureCredentials({
      configPath: azureConfigPath,
      metadataUrl: azureMetadataUrl,
      registryUrl: (host) => `https://${host}/`,
      transport,
      localTransport,
      clock,
    }),
  ];
  return withKeychain(wanted, sources, logger.with({ component: "registry" }));
}

export interface CredentialContext {
  readonly env: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

/** As in Flux v1, a file that can't be read at the start is never read again. */
async function dockerConfigSource(path: string, logger: Logger): Promise<readonly HostCredentialSource[]> {
  if (path === "") {
    return [];
  }
  try {
    const { problems } = await readDockerConfig(path);
    problems.forEach((problem) => logger.log({ warning: problem }));
    return [dockerConfigFile(path)];
  } catch (error) {
    logger.log({ warning: "--docker-config not used; pre-flight check failed", err: messageOf(error) });
    return [];
  }
}

function refuseWithoutAws(error: unknown): never {
  throw new StartupError({
    error: "AWS API required (due to --registry-require=ecr), but not available",
    err: messageOf(error),
  });
}
