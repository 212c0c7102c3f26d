import { Renewed, secureUrl } from "@weir/cloud";
import {
  type AwsIdentityOptions,
  type AwsKeys,
  assumeRole,
  awsKeys,
  awsServiceUrl,
  Ec2Metadata,
  ec2MetadataUrl,
  signedHeaders,
} from "@weir/cloud/aws";
import { textIn } from "@weir/http";
import type { KmsKey } from "../master-key.ts";
import { askToDecrypt, findCredentials } from "./ask.ts";
import { type KmsArn, parseKmsArn } from "./aws-arn.ts";
import type { KeyServiceContext } from "./context.ts";
import { decryptedIn, encryptedBase64 } from "./data-key.ts";

const service = "AWS KMS";
const remedy =
  "give the pod or machine a role, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and check that they are valid";
/**
 * How long keys for signing are used before they are looked for again. Temporary ones are always valid for longer, and
 * mounted ones can change.
 */
const keysLifeMs = 600_000;
/** The longest name that AWS accepts for a session. */
const maxSessionName = 64;

/** Keys for signing, for as long as they are used. */
interface KeptKeys {
  readonly keys: AwsKeys;
  readonly expires: number;
}

/** Decrypts data keys with AWS KMS. */
export class AwsKms {
  readonly #context: KeyServiceContext;
  readonly #keys: Renewed<KeptKeys>;
  readonly #metadata: Ec2Metadata;

  constructor(context: KeyServiceContext) {
    const { env, clock, localTransport } = context;
    this.#context = context;
    this.#keys = new Renewed(clock);
    this.#metadata = new Ec2Metadata(ec2MetadataUrl(env), { transport: localTransport, clock });
  }

  /**
   * Decrypts with the credentials that AWS's SDKs would find, or with the role of the key. Rejects with KeyServiceError.
   * https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
   */
  async decrypt(key: KmsKey, signal: AbortSignal): Promise<Uint8Array> {
    const arn = parseKmsArn(key.arn);
    const encrypted = encryptedBase64(key.encryptedDataKey);
    const name = JSON.stringify([arn.region, key.awsProfile, key.role]);
    const { keys } = await findCredentials(
      { service, remedy, get: () => this.#keys.get(name, () => this.#findKeys(key, arn, signal), signal) },
      this.#context,
      signal,
    );
    const { env, clock, transport } = this.#context;
    const body = JSON.stringify(bodyOf(key, arn, encrypted));
    const answer = await askToDecrypt(
      {
        service,
        transport,
        secrets: [keys.secretAccessKey, keys.sessionToken],
        remedyFor,
        onRefusedCredentials: () => this.#keys.forget(name),
        request: () => {
          const url = endpointOf("kms", arn.region, env);
          const request = { url, headers: plainHeaders, body, region: arn.region, service: "kms" };
          return { method: "POST", url, body, headers: signedHeaders(request, keys, clock.now()) };
        },
      },
      this.#context,
      signal,
    );
    return decryptedIn(textIn(answer, "Plaintext"), service);
  }

  async #findKeys({ role, awsProfile }: KmsKey, { region }: KmsArn, signal: AbortSignal): Promise<KeptKeys> {
    const { env, clock, transport, localTransport, hostName } = this.#context;
    const options: AwsIdentityOptions = {
      env,
      clock,
      transport,
      localTransport,
      metadata: this.#metadata,
      profile: awsProfile || undefined,
      useConfigFile: true,
      sessionName: sessionNameOf(hostName),
      stsUrl: (each) => endpointOf("sts", each, env).href,
    };
    const own = await awsKeys(region, options, signal);
    const keys =
      role === undefined || role === ""
        ? own
        : await assumeRole(
            { arn: role, sessionName: "", externalId: "", duration: 0 },
            own,
            { ...options, region },
            signal,
          );
    return { keys, expires: clock.now() + keysLifeMs };
  }
}

const plainHeaders = {
  "content-type": "application/x-amz-json-1.1",
  "x-amz-target": "TrentService.Decrypt",
};

/** An alias can have been given to another key since, so AWS has to find the key in the ciphertext. */
function bodyOf({ arn, context }: KmsKey, { isAlias }: KmsArn, encrypted: string): object {
  return {
    CiphertextBlob: encrypted,
    ...(isAlias ? {} : { KeyId: arn }),
    ...(Object.keys(context).length === 0 ? {} : { EncryptionContext: context }),
  };
}

/**
 * A service's URL: what the environment sets, or that of the region.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function endpointOf(name: "kms" | "sts", region: string, env: KeyServiceContext["env"]): URL {
  const own = `AWS_ENDPOINT_URL_${name.toUpperCase()}`;
  const setting = env[own] ? own : "AWS_ENDPOINT_URL";
  const configured = env["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] === "true" ? undefined : env[setting];
  return configured ? secureUrl(configured, setting) : new URL(awsServiceUrl(name, region));
}

/** As with sops, AWS's audit log shows where a session comes from. */
function sessionNameOf(hostName: string): string {
  return `sops@${hostName.replaceAll(/[^A-Za-z0-9=,.@-]/g, "")}`.slice(0, maxSessionName);
}

function remedyFor(_: number, answer: string): string {
  if (answer.includes("AccessDenied")) {
    return "allow the role of this process the action kms:Decrypt on the key";
  }
  if (answer.includes("InvalidCiphertext") || answer.includes("IncorrectKey")) {
    return "the data key was encrypted with another key or another encryption context; run sops updatekeys";
  }
  return /Disabled|KMSInvalidState/.test(answer) ? "enable the key in AWS KMS" : "";
}
