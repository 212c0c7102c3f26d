import type { IncomingMessage } from "node:http";
import type { Environment } from "@weir/base";
import { Ec2Metadata } from "@weir/cloud/aws";
import { answer, FakeClock, type HttpServer, RecordedLog, serve } from "@weir/testing";
import { Ecr } from "../../src/registry/credentials/aws/ecr.ts";
import { openTransport } from "./registry-transport.ts";

/** The services of Amazon that are asked, as far as they are. */
export class Amazon implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly log = new RecordedLog();
  readonly registries: (readonly string[])[] = [];
  readonly authorizations: string[] = [];
  /** What the security token service was asked for, with the key that the request is signed with, "" for none. */
  readonly lent: Readonly<Record<string, string>>[] = [];
  isBroken = false;
  /** The metadata service is of version 1, which knows no sessions. */
  isOld = false;
  readonly #transport = openTransport();
  #server: HttpServer | undefined;

  static async start(): Promise<Amazon> {
    const amazon = new Amazon();
    amazon.#server = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        if (request.headers["x-amz-target"] !== undefined) {
          amazon.#note(request.headers.authorization ?? "", body);
        }
        if (amazon.isBroken) {
          answer(response, { status: 500, body: {} });
        } else if (amazon.isOld && request.method === "PUT") {
          answer(response, { status: 403, body: {} });
        } else if (!amazon.isOld && isMetadata(request) && request.headers[sessionHeader] !== "session") {
          answer(response, { status: 401, body: {} });
        } else if (request.headers["x-amz-target"] !== undefined) {
          answer(response, { status: 200, body: amazon.#tokens() });
        } else if (request.url === "/sts") {
          response.end(amazon.#lend(request.headers.authorization ?? "", body));
        } else {
          response.end(metadata[request.url ?? ""] ?? "");
        }
      });
    });
    return amazon;
  }

  ecr(env: Environment, exclude: readonly string[] = []): Ecr {
    const url = this.#server?.url ?? "";
    return new Ecr({
      regions: [],
      scope: { include: [], exclude },
      env,
      metadata: new Ec2Metadata(env["AWS_EC2_METADATA_DISABLED"] === "true" ? undefined : url, {
        transport: this.#transport,
        clock: this.clock,
      }),
      stsUrl: () => `${url}/sts`,
      sessionName: "fluxd",
      ecrUrl: () => `${url}/`,
      transport: this.#transport,
      localTransport: this.#transport,
      clock: this.clock,
      logger: this.log,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.#server?.[Symbol.asyncDispose]();
  }

  #note(authorization: string, body: string): void {
    this.authorizations.push(authorization);
    this.registries.push((JSON.parse(body) as { registryIds: string[] }).registryIds);
  }

  #tokens(): object {
    const token = (account: string): string =>
      Buffer.from(`AWS:token-${this.registries.length}-${account}`).toString("base64");
    return {
      authorizationData: (this.registries.at(-1) ?? []).map((account) => ({
        authorizationToken: token(account),
        expiresAt: this.clock.now() / 1000 + 12 * 3_600,
        proxyEndpoint: `https://${account}.dkr.ecr.eu-west-1.amazonaws.com`,
      })),
    };
  }

  /** The keys that are lent are named for the role. */
  #lend(authorization: string, body: string): string {
    const form = Object.fromEntries(new URLSearchParams(body));
    this.lent.push({ ...form, key: /Credential=(\w+)\/.*\/sts\//.exec(authorization)?.[1] ?? "" });
    const role = form["RoleArn"]?.split("/").at(-1) ?? "";
    const action = form["Action"] ?? "";
    return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <${action}Result>
    <AssumedRoleUser><Arn>${form["RoleArn"] ?? ""}</Arn></AssumedRoleUser>
    <Credentials>
      <AccessKeyId>${role}</AccessKeyId>
      <SecretAccessKey>s3cret</SecretAccessKey>
      <SessionToken>t</SessionToken>
    </Credentials>
  </${action}Result>
</${action}Response>`;
  }
}

const sessionHeader = "x-aws-ec2-metadata-token";

function isMetadata({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/latest/meta-data/");
}

const metadata: Readonly<Record<string, string>> = {
  "/latest/api/token": "session",
  "/latest/meta-data/placement/region": "eu-west-1",
  "/latest/meta-data/iam/security-credentials/": "role",
  "/latest/meta-data/iam/security-credentials/role":
    '{"AccessKeyId":"MACHINE","SecretAccessKey":"s3cret","Token":"t"}',
};
