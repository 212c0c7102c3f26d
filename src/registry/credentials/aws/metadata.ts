import { parseJsonObject, textIn, WireError } from "../../wire/parse-json.ts";
import { askCloud, type CloudAccess, CloudError } from "../cloud-request.ts";
import type { AwsKeys } from "./signature.ts";

/** How a service of version 1 answers those who want a session. */
const noVersion2: readonly number[] = [403, 404, 405];

/**
 * The metadata service of a machine in EC2: version 2, or 1 where that does not answer. In a pod that is often so, as
 * its answers are not to travel further than the machine. As the Go SDK that Flux v1 has.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export class Ec2Metadata {
  readonly #url: string | undefined;
  readonly #access: CloudAccess;
  #hasSessions = true;

  /** Without a URL it is not asked: AWS_EC2_METADATA_DISABLED is set. */
  constructor(url: string | undefined, access: CloudAccess) {
    this.#url = url;
    this.#access = access;
  }

  /** The region that the machine is in. */
  async region(signal: AbortSignal): Promise<string> {
    return (await this.#get("placement/region", signal)).trim();
  }

  /** The keys of the role that the machine has. */
  async keys(signal: AbortSignal): Promise<AwsKeys> {
    const role = (await this.#get("iam/security-credentials/", signal)).split("\n")[0] ?? "";
    const text = await this.#get(`iam/security-credentials/${encodeURIComponent(role.trim())}`, signal);
    const answer = parseJsonObject(text, "the answer of the EC2 metadata service");
    return {
      accessKeyId: textIn(answer, "AccessKeyId"),
      secretAccessKey: textIn(answer, "SecretAccessKey"),
      sessionToken: textIn(answer, "Token"),
    };
  }

  async #get(path: string, signal: AbortSignal): Promise<string> {
    if (this.#url === undefined) {
      throw new WireError("AWS_EC2_METADATA_DISABLED keeps the metadata service of EC2 from being asked");
    }
    const url = new URL(`/latest/meta-data/${path}`, this.#url);
    const headers = this.#hasSessions ? await this.#session(this.#url, signal) : {};
    try {
      return await askCloud({ method: "GET", url, headers }, this.#access, signal);
    } catch (error) {
      // It wants sessions after all.
      this.#hasSessions ||= error instanceof CloudError && error.status === 401;
      throw error;
    }
  }

  /** The headers of a session; none where there is no version 2. Rejects where the service is there and refuses. */
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
