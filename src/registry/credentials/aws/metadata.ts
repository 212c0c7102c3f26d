import type { HttpTransport } from "../../http/transport.ts";
import { parseJsonObject, textIn } from "../../wire/parse-json.ts";
import { askCloud } from "../cloud-request.ts";
import type { AwsKeys } from "./signature.ts";

/**
 * The metadata service of a machine in EC2, version 2.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export class Ec2Metadata {
  readonly #url: string;
  readonly #transport: HttpTransport;

  constructor(url: string, transport: HttpTransport) {
    this.#url = url;
    this.#transport = transport;
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
    const session = await askCloud(
      {
        method: "PUT",
        url: new URL("/latest/api/token", this.#url),
        headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" },
      },
      this.#transport,
      signal,
    );
    const url = new URL(`/latest/meta-data/${path}`, this.#url);
    const headers = { "x-aws-ec2-metadata-token": session };
    return askCloud({ method: "GET", url, headers }, this.#transport, signal);
  }
}
