import type { Environment } from "@weir/base";
import { parseJsonObject, textIn, WireError } from "@weir/http";
import { askCloud, type CloudAccess, CloudError } from "../request.ts";
import type { AwsKeys } from "./signature.ts";

/** The address on Amazon's machines. */
const usualUrl = "http://169.254.169.254";

/** The URL of the metadata service, same as in AWS's libraries; undefined if the service is turned off. */
export function ec2MetadataUrl(env: Environment): string | undefined {
  return env["AWS_EC2_METADATA_DISABLED"]?.toLowerCase() === "true"
    ? undefined
    : (env["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? usualUrl);
}

/** How a version 1 service responds to a request for a session. */
const noVersion2: readonly number[] = [403, 404, 405];

/**
 * The metadata service of an EC2 machine: version 2, or version 1 if version 2 doesn't respond. In pods, version 2
 * often doesn't, because its responses must not travel further than the machine. Same as AWS's Go SDK.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export class Ec2Metadata {
  readonly #url: string | undefined;
  readonly #access: CloudAccess;
  #hasSessions = true;

  /** `url` is undefined if AWS_EC2_METADATA_DISABLED is set; the service is then never queried. */
  constructor(url: string | undefined, access: CloudAccess) {
    this.#url = url;
    this.#access = access;
  }

  /** The region of the machine. */
  async region(signal: AbortSignal): Promise<string> {
    return (await this.#get("placement/region", signal)).trim();
  }

  /** The keys of the machine's role. */
  async keys(signal: AbortSignal): Promise<AwsKeys> {
    const role = (await this.#get("iam/security-credentials/", signal)).split("\n")[0] ?? "";
    const text = await this.#get(`iam/security-credentials/${encodeURIComponent(role.trim())}`, signal);
    const answer = parseJsonObject(text, "the response of the EC2 metadata service");
    return {
      accessKeyId: textIn(answer, "AccessKeyId"),
      secretAccessKey: textIn(answer, "SecretAccessKey"),
      sessionToken: textIn(answer, "Token"),
    };
  }

  async #get(path: string, signal: AbortSignal): Promise<string> {
    if (this.#url === undefined) {
      throw new WireError(
        "found no other AWS credentials or region, and AWS_EC2_METADATA_DISABLED turns off the EC2 metadata service",
      );
    }
    const url = new URL(`/latest/meta-data/${path}`, this.#url);
    const headers = this.#hasSessions ? await this.#session(this.#url, signal) : {};
    try {
      return await askCloud({ method: "GET", url, headers }, this.#access, signal);
    } catch (error) {
      // The service requires sessions after all.
      this.#hasSessions ||= error instanceof CloudError && error.status === 401;
      throw error;
    }
  }

  /**
   * The headers of a session; none if the service has no version 2. Rejects if the service responds with another error.
   */
  async #session(base: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const url = new URL("/latest/api/token", base);
    const headers = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
    try {
      const token = await askCloud({ method: "PUT", url, headers }, this.#access, signal);
      return { "x-aws-ec2-metadata-token": token };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CloudError && !noVersion2.includes(error.status)) {
        throw error;
      }
      this.#hasSessions = false;
      return {};
    }
  }
}
