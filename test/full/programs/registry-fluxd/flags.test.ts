import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lacks, TempFolder, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../../../support/fluxd.ts";
import { deployment } from "../../../support/manifests.ts";
import { pushImage } from "../../../support/registry-push.ts";
import { RegistryServer } from "../../../support/registry-server.ts";
import { TestRepository } from "../../../support/repository.ts";

const login = Buffer.from("me:U*U").toString("base64");
/** That password, as bcrypt's own tests have it. */
const hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

describe("the flags of registries", { skip: lacks("docker-registry") }, () => {
  it("say whose images are scanned, as whom, how fast, and whose labels count", async () => {
    using folder = new TempFolder();
    const htpasswd = { realm: "test", path: folder.write("htpasswd", `me:${hash}\n`) };
    await using registry = await RegistryServer.start({ config: { auth: { htpasswd } } });
    const target = { url: registry.url, headers: { authorization: `Basic ${login}` } };
    const labels = { "org.opencontainers.image.created": "2019-01-01T00:00:00Z" };
    const created = "2020-01-01T00:00:00Z";
    for (const repository of ["shop/web", "shop/cart", "hidden/app", "other/app"]) {
      await pushImage(target, { repository, tag: "1", created, labels });
    }
    await using repository = await TestRepository.create({
      "web.yaml": deployment("web", `${registry.host}/shop/web:1`),
      "cart.yaml": deployment("cart", `${registry.host}/shop/cart:1`),
      "hidden.yaml": deployment("hidden", `${registry.host}/hidden/app:1`),
      "other.yaml": deployment("other", `${registry.host}/other/app:1`),
    });
    const config = { auths: { [registry.host]: { auth: login } } };
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: [
        "--embedded-cluster",
        "--registry-disable-scanning=false",
        "--memcached-hostname=",
        `--registry-insecure-host=${registry.host}`,
        `--registry-include-image=${registry.host}/shop/*,${registry.host}/hidden/*`,
        `--registry-exclude-image=${registry.host}/hidden/*`,
        `--registry-use-labels=${registry.host}/shop/web`,
        "--registry-rps=100",
        "--registry-burst=20",
        `--docker-config=${folder.write("config.json", JSON.stringify(config))}`,
      ],
    });
    await until("the first sync", async () => (await repository.synced()) !== "");
    await fluxd.notifyImage(registry.host, "shop/web");
    await fluxd.notifyImage(registry.host, "shop/cart");
    await fluxd.notifyImage(registry.host, "hidden/app");

    const list = async (): Promise<string> => (await fluxctl(fluxd, "list-images")).stdout;
    const scanned = await until("both scans", async () => {
      const text = await list();
      return (text.match(/'-> 1 /g) ?? []).length === 2 ? text : undefined;
    });

    assert.match(scanned, /deployment\/web .*\n.*'-> 1 +01 Jan 19 00:00 UTC/);
    assert.match(scanned, /deployment\/cart .*\n.*'-> 1 +01 Jan 20 00:00 UTC/);
    for (const name of ["hidden", "other"]) {
      assert.match(scanned, new RegExp(`deployment/${name} .*image data not available`));
    }
    await fluxd.logged(`priority=${registry.host}/hidden/app err="no creds available"`);
    assert.ok(!fluxd.log.includes(login) && !fluxd.log.includes("U*U"), fluxd.log);
  });
});
