import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, FakeClock, type HttpServer, serve, TempFolder } from "@weir/testing";
import { azureCredentials } from "../../../../src/registry/credentials/azure/azure.ts";
import type { HostCredentialSource } from "../../../../src/registry/credentials/source.ts";
import { openTransport } from "../../../support/registry-transport.ts";

const never = new AbortController().signal;
const hour = 3_600_000;
const host = "mine.azurecr.io";

/** The metadata service of a machine, and registries that take its token in exchange for theirs. */
class Azure implements AsyncDisposable {
  readonly clock = new FakeClock();
  /** "GET /path" of the metadata service, "POST /path body" of registries. */
  readonly asked: string[] = [];
  isRefusing = false;
  readonly #folder = new TempFolder();
  readonly #transport = openTransport();
  #server: HttpServer | undefined;

  static async start(): Promise<Azure> {
    const azure = new Azure();
    azure.#server = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        azure.asked.push(`${request.method ?? ""} ${request.url ?? ""} ${body}`.trim());
        const isRegistry = request.url === "/oauth2/exchange";
        if (azure.isRefusing || (!isRegistry && request.headers["metadata"] !== "true")) {
          answer(response, { status: 400, body: { error: "invalid_request" } });
        } else {
          answer(response, {
            status: 200,
            body: isRegistry ? azure.#registryToken() : { access_token: "machine-t0ken" },
          });
        }
      });
    });
    return azure;
  }

  source(config: object | string): HostCredentialSource {
    const text = typeof config === "string" ? config : JSON.stringify(config);
    const url = this.#server?.url ?? "";
    return azureCredentials({
      configPath: text === "" ? `${this.#folder.path}/none` : this.#folder.write("azure.json", text),
      metadataUrl: url,
      registryUrl: () => url,
      transport: this.#transport,
      localTransport: this.#transport,
      clock: this.clock,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#folder[Symbol.dispose]();
    await this.#transport.close();
    await this.#server?.[Symbol.asyncDispose]();
  }

  /** Good for three hours. */
  #registryToken(): object {
    const exp = (this.clock.now() + 3 * hour) / 1000;
    const payload = Buffer.from(JSON.stringify({ exp })).toString("base64url");
    return { refresh_token: `header.${payload}.${this.asked.length}` };
  }
}

const managed = {
  cloud: "AzurePublicCloud",
  tenantId: "a-tenant",
  aadClientId: "msi",
  aadClientSecret: "msi",
  useManagedIdentityExtension: true,
  userAssignedIdentityID: "an-identity",
};

describe("credentials from Azure", () => {
  it("are the principal of the cluster, where its file is there", async () => {
    await using azure = await Azure.start();
    const source = azure.source({ aadClientId: "id", aadClientSecret: "s3cret" });

    const expected = { username: "id", password: "s3cret", provenance: "azure.json" };
    assert.deepEqual(await source.credentialsFor(host, never), expected);
    assert.equal(await source.credentialsFor("quay.io", never), undefined);
    assert.equal(await azure.source("").credentialsFor(host, never), undefined);
    assert.deepEqual(azure.asked, []);
  });

  it("are a token for the managed identity of the machine, until it is about to end", async () => {
    await using azure = await Azure.start();
    const source = azure.source(managed);

    const first = await source.credentialsFor(host, never);
    await azure.clock.advance(2 * hour);
    const second = await source.credentialsFor(host, never);
    await azure.clock.advance(hour);
    const third = await source.credentialsFor(host, never);

    assert.equal(first?.username, "00000000-0000-0000-0000-000000000000");
    assert.match(first.password, /^header\./);
    assert.deepEqual([second, third?.password === first.password], [first, false]);
    const asked = [
      "GET /metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com%2F&client_id=an-identity",
      "POST /oauth2/exchange grant_type=access_token&service=mine.azurecr.io&tenant=a-tenant&access_token=machine-t0ken",
    ];
    assert.deepEqual(azure.asked, [...asked, ...asked]);
  });

  it("are for the cloud that the cluster is in, and the identity of the machine itself where none is named", async () => {
    await using azure = await Azure.start();
    const source = azure.source({ cloud: "AzureChinaCloud", useManagedIdentityExtension: true });

    await source.credentialsFor("mine.azurecr.cn", never);

    assert.deepEqual(azure.asked, [
      "GET /metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.chinacloudapi.cn%2F",
      "POST /oauth2/exchange grant_type=access_token&service=mine.azurecr.cn&access_token=machine-t0ken",
    ]);
  });

  it("are asked for again where they were refused, and the refusal tells nothing of them", async () => {
    await using azure = await Azure.start();
    const source = azure.source(managed);
    azure.isRefusing = true;

    await assert.rejects(
      source.credentialsFor(host, never),
      /^CloudError: .*\/metadata\/identity\/oauth2\/token responded with status 400$/,
    );
    azure.isRefusing = false;
    assert.ok(await source.credentialsFor(host, never));
  });

  it("are none where the file names nobody, and an error that names the file where it is no JSON", async () => {
    await using azure = await Azure.start();

    assert.equal(await azure.source({ cloud: "AzurePublicCloud" }).credentialsFor(host, never), undefined);
    await assert.rejects(azure.source("no json").credentialsFor(host, never), /azure\.json isn't valid JSON/);
  });
});
