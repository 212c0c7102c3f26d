import type { Environment } from "@weir/base";
import { FakeClock, type HttpServer } from "@weir/testing";
import { type CloudKeyService, openCloudKeyService } from "../../src/key-services/index.ts";
import type { KmsKey } from "../../src/master-key.ts";
import { type KnownKeys, signatureFault } from "./aws-signature-check.ts";
import { Routes } from "./routed-transport.ts";
import { SealedBox } from "./sealed-box.ts";
import { type Reply, serveReplies, type WebRequest } from "./web-request.ts";

const region = "eu-west-1";
/** The key that the service has. */
export const keyArn = `arn:aws:kms:${region}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

/** KMS, the security token service, and the metadata services of AWS, all of which check what they are asked. */
export class Aws implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly routes: Routes;
  /** Replies of KMS before it works. */
  readonly faults: Reply[];
  /** The keys that requests can be signed with. */
  readonly keys = new Map<string, KnownKeys>([["AKIAOWN", { secret: "own-s3cret" }]]);
  /** Who asked KMS to decrypt, by access key. */
  readonly decryptedFor: string[] = [];
  /** The parameters of each request for temporary keys. */
  readonly assumed: Readonly<Record<string, string>>[] = [];
  readonly #box = new SealedBox();
  readonly #servers: readonly HttpServer[];
  readonly #services = new AsyncDisposableStack();

  constructor(servers: readonly HttpServer[], faults: Reply[]) {
    const [kms, sts, metadata] = servers.map(({ url }) => url);
    this.#servers = servers;
    this.faults = faults;
    this.routes = new Routes({
      [`https://kms.${region}.amazonaws.com`]: kms ?? "",
      [`https://sts.${region}.amazonaws.com`]: sts ?? "",
      "https://kms.cn-north-1.amazonaws.com.cn": kms ?? "",
      "http://169.254.169.254": metadata ?? "",
      "http://169.254.170.23": metadata ?? "",
    });
  }

  static async start(): Promise<Aws> {
    const faults: Reply[] = [];
    const aws: { it?: Aws } = {};
    const servers = [
      await serveReplies((request) => aws.it?.kms(request) ?? "silence", faults),
      await serveReplies((request) => aws.it?.sts(request) ?? "silence"),
      await serveReplies((request) => aws.it?.metadata(request) ?? "silence"),
    ];
    aws.it = new Aws(servers, faults);
    return aws.it;
  }

  get kmsUrl(): string {
    return this.#servers[0]?.url ?? "";
  }

  service(env: Environment): CloudKeyService {
    const { clock } = this;
    const { createTransport } = this.routes;
    return this.#services.use(
      openCloudKeyService({ env, clock, createTransport, hostName: "pod_1.x", random: () => 0 }),
    );
  }

  /** A record for a data key that this service encrypted. */
  record(dataKey: Uint8Array, { context = {}, ...rest }: Partial<KmsKey> = {}): KmsKey {
    return {
      type: "kms",
      arn: keyArn,
      role: undefined,
      awsProfile: undefined,
      context,
      encryptedDataKey: this.#box.seal(dataKey, contextText(context)).toString("base64"),
      ...rest,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#services.disposeAsync();
    await Promise.all(this.#servers.map((each) => each[Symbol.asyncDispose]()));
  }

  kms(request: WebRequest): Reply {
    const fault = signatureFault(request, "kms", this.keys);
    if (fault !== undefined) {
      return refuse(fault, "The request isn't signed as it should be.");
    }
    if (request.headers["x-amz-target"] !== "TrentService.Decrypt") {
      return refuse("UnknownOperationException", "");
    }
    const asked = JSON.parse(request.body) as {
      CiphertextBlob: string;
      KeyId?: string;
      EncryptionContext?: Record<string, string>;
    };
    if (asked.KeyId !== undefined && asked.KeyId !== keyArn) {
      return refuse("IncorrectKeyException", "The key ID isn't that of the ciphertext.");
    }
    const blob = Buffer.from(asked.CiphertextBlob, "base64");
    const plain = this.#box.open(blob, contextText(asked.EncryptionContext ?? {}));
    if (plain === undefined) {
      return refuse("InvalidCiphertextException");
    }
    this.decryptedFor.push(/Credential=(\w+)/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    return { status: 200, body: { KeyId: keyArn, Plaintext: plain.toString("base64") } };
  }

  sts(request: WebRequest): Reply {
    const form = Object.fromEntries(new URLSearchParams(request.body));
    const action = form["Action"] ?? "";
    const isWeb = action === "AssumeRoleWithWebIdentity";
    const fault = isWeb ? undefined : signatureFault(request, "sts", this.keys);
    if (fault !== undefined || (isWeb && form["WebIdentityToken"] !== "pod-t0ken")) {
      const code = fault ?? "InvalidIdentityToken";
      return { status: 403, text: `<ErrorResponse><Error><Code>${code}</Code></Error></ErrorResponse>` };
    }
    this.assumed.push({
      ...form,
      by: /Credential=(\w+)/.exec(request.headers.authorization ?? "")?.[1] ?? "",
    });
    const id = `ASIA${String(form["RoleArn"]).split("/").at(-1) ?? ""}`;
    this.keys.set(id, { secret: `s3cret-of-${id}`, token: `t0ken-of-${id}` });
    const credentials = {
      AccessKeyId: id,
      SecretAccessKey: `s3cret-of-${id}`,
      SessionToken: `t0ken-of-${id}`,
    };
    return {
      status: 200,
      body: { [`${action}Response`]: { [`${action}Result`]: { Credentials: credentials } } },
    };
  }

  metadata({ method, url, headers }: WebRequest): Reply {
    const lent = (id: string): object => {
      this.keys.set(id, { secret: `s3cret-of-${id}`, token: `t0ken-of-${id}` });
      return { AccessKeyId: id, SecretAccessKey: `s3cret-of-${id}`, Token: `t0ken-of-${id}` };
    };
    if (url.pathname === "/v1/credentials" && headers.authorization === "pod-t0ken") {
      return { status: 200, body: lent("ASIAPOD") };
    }
    if (url.pathname === "/latest/api/token" && method === "PUT") {
      return { status: 200, text: "a-session" };
    }
    if (headers["x-aws-ec2-metadata-token"] !== "a-session") {
      return { status: 401, text: "" };
    }
    return url.pathname.endsWith("/security-credentials/")
      ? { status: 200, text: "machine-role" }
      : { status: 200, body: lent("ASIAMACHINE") };
  }
}

function contextText(context: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(context).sort());
}

function refuse(type: string, message?: string): Reply {
  return { status: 400, body: { __type: type, ...(message === undefined ? {} : { message }) } };
}
