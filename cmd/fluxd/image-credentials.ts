import type { Clock } from "../../src/base/clock.ts";
import { messageOf } from "../../src/base/errors.ts";
import type { Logger } from "../../src/base/logger.ts";
import { Ecr } from "../../src/registry/credentials/aws/ecr.ts";
import { ecrApiUrl } from "../../src/registry/credentials/aws/ecr-api.ts";
import { stsUrl } from "../../src/registry/credentials/aws/identity.ts";
import { Ec2Metadata } from "../../src/registry/credentials/aws/metadata.ts";
import { azureConfigPath, azureCredentials } from "../../src/registry/credentials/azure.ts";
import { dockerConfigFile, readDockerConfig } from "../../src/registry/credentials/docker-config-file.ts";
import { gcpCredentials } from "../../src/registry/credentials/gcp.ts";
import { withKeychain } from "../../src/registry/credentials/keychain.ts";
import { isScanned, withinScope } from "../../src/registry/credentials/scan-scope.ts";
import type { HostCredentialSource } from "../../src/registry/credentials/source.ts";
import { createTransport } from "../../src/registry/http/undici-transport.ts";
import type { ImageSource } from "../../src/registry/image-source.ts";
import type { Environment } from "./environment.ts";
import type { RegistrySettings } from "./registry-settings.ts";
import { StartupError } from "./startup-checks.ts";

/** What finding images and credentials works with. */
export interface CredentialParts {
  readonly env: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly parts: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

const gcpMetadataUrl = "http://metadata.google.internal";
const ec2MetadataUrl = "http://169.254.169.254";

/**
 * Of the images of the cluster those that are to be scanned, with credentials from all that has some, in Flux
 * v1's order. Rejects with StartupError where AWS is required and cannot be asked.
 */
export async function imagesToScan(
  images: ImageSource,
  settings: RegistrySettings,
  { env, clock, logger, parts, signal }: CredentialParts,
): Promise<ImageSource> {
  // These are services of the machine's cloud; no name from a manifest leads here.
  const transport = createTransport({ connections: 2, allowLinkLocal: true });
  parts.defer(() => transport.close());
  const ecr = new Ecr({
    regions: settings.ecr.regions,
    scope: settings.ecr,
    env,
    metadata: new Ec2Metadata(env["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? ec2MetadataUrl, transport),
    stsUrl,
    ecrUrl: ecrApiUrl,
    transport,
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
    gcpCredentials({ metadataUrl: gcpMetadataUrl, transport, clock }),
    azureCredentials(azureConfigPath),
  ];
  return withKeychain(wanted, sources, logger.with({ component: "registry" }));
}

/** As Flux v1, a file that cannot be read at the start is not looked at again. */
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
