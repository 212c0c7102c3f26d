import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { configMapPath, describeOnEmbeddedCluster, freePort, lacks, until } from "@weir/testing";
import { Fluxd } from "../../support/fluxd.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { TestRepository } from "../../support/repository.ts";
import { TestTerminal } from "../../support/terminal.ts";

/** Everybody who tests has these. */
interface World {
  readonly repository: TestRepository;
  readonly fluxd: Fluxd;
  readonly registry: RegistryServer;
  /** A registry that is gone, and one without TLS that fluxd may not use. */
  readonly dead: string;
  readonly plain: string;
}

function annotated(manifest: string, annotations: Readonly<Record<string, string>>): string {
  const lines = Object.entries(annotations).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
  return manifest.replace("metadata:\n", `metadata:\n  annotations:\n${lines.join("")}`);
}

/** A server that speaks HTTP only. */
async function startPlainServer(stack: AsyncDisposableStack): Promise<string> {
  const server: Server = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refused = { "bad-a.yaml": configMap("Bad_a"), "bad-b.yaml": configMap("Bad_b") };

describeOnEmbeddedCluster(
  "at a terminal, fluxctl says why",
  { skip: lacks("tmux") || lacks("docker-registry") },
  (cluster) => {
    const stack = new AsyncDisposableStack();
    let world: World;
    before(async () => {
      const registry = stack.use(await RegistryServer.start());
      const [dead, plain] = [`127.0.0.1:${await freePort()}`, await startPlainServer(stack)];
      for (const tag of ["1", "2"]) {
        await pushImage(registry, { repository: "truth/app", tag, created: `2020-01-0${tag}T00:00:00Z` });
      }
      const image = `${registry.host}/truth/app`;
      const repository = stack.use(
        await TestRepository.create({
          "settings.yaml": configMap("settings"),
          "newest.yaml": deployment("newest", `${image}:2`),
          "filtered.yaml": annotated(deployment("filtered", `${image}:1`), {
            "fluxcd.io/tag.main": "glob:1*",
          }),
          "locked.yaml": annotated(deployment("locked", `${image}:1`), {
            "fluxcd.io/locked": "true",
            "fluxcd.io/locked_user": "Jo <jo@example.test>",
            "fluxcd.io/locked_msg": "freeze",
          }),
          "dead.yaml": deployment("dead", `${dead}/truth/dead:1`),
          "plain.yaml": deployment("plain", `${plain}/truth/plain:1`),
        }),
      );
      const fluxd = stack.use(
        await Fluxd.start({
          gitUrl: repository.url,
          kubeconfigPath: cluster.kubeconfigPath,
          flags: [
            "--sync-on-drift",
            "--registry-disable-scanning=false",
            `--registry-insecure-host=${registry.host}`,
            "--memcached-hostname=",
          ],
        }),
      );
      world = { repository, fluxd, registry, dead, plain };
      await until("the first sync", async () => (await repository.synced()) !== "");
      await fluxd.notifyImage(registry.host, "truth/app");
      await fluxd.notifyImage(dead, "truth/dead");
      await fluxd.notifyImage(plain, "truth/plain");
      await until("the scans", async () => {
        const images = [image, `${dead}/truth/dead`, `${plain}/truth/plain`].join(",");
        const answer = await fetch(`${fluxd.apiUrl}/v12/image-scans?images=${images}`);
        const scans = (await answer.json()) as readonly { readonly state: string }[];
        return scans.map(({ state }) => state).join(" ") === "scanned failed failed";
      });
    });
    after(() => stack.disposeAsync());

    /** A person at a wide terminal. */
    function sit(env: Readonly<Record<string, string>> = {}): Promise<TestTerminal> {
      const { apiUrl } = world.fluxd;
      return TestTerminal.start({ columns: 220, rows: 100, env: { FLUX_URL: apiUrl, ...env } });
    }

    /** What a command shows, and how it ends. */
    async function shown(terminal: TestTerminal, command: string): Promise<readonly [string, number]> {
      await terminal.enter(`fluxctl ${command}`);
      const screen = await terminal.finished();
      return [screen, await terminal.status()];
    }

    it("sync and tree name each object that was refused", async () => {
      await using terminal = await sit();
      await world.repository.push(refused, "two that cannot be");

      const [sync, status] = await shown(terminal, "sync");
      const [watch, watchStatus] = await shown(terminal, "sync --watch");
      const [piped] = await shown(terminal, "sync 2>&1 | cat");
      const [tree] = await shown(terminal, "tree -a --unhealthy");

      for (const screen of [sync, watch]) {
        assert.match(screen, /^default:configmap\/Bad_a \(bad-a\.yaml\): .*metadata\.name/m);
        assert.match(screen, /^default:configmap\/Bad_b \(bad-b\.yaml\): .*metadata\.name/m);
        assert.match(screen, /^Error: 2 resources could not be applied$/m);
        assert.match(screen, /^Fix this in git, and push\./m);
        assert.doesNotMatch(screen, /Done\.|All workloads ready/);
      }
      assert.deepEqual([status, watchStatus], [1, 1]);
      assert.match(piped, /\nDone\.\n$/);
      assert.match(tree, /^default:configmap\/Bad_a +OutOfSync +Missing +.*metadata\.name/m);
    });

    it("release names what was refused beside it", async () => {
      const { repository, registry } = world;
      await using terminal = await sit();
      await repository.push({ "other.yaml": deployment("other", `${registry.host}/truth/app:1`) }, "another");
      await shown(terminal, "sync");

      const [screen, status] = await shown(
        terminal,
        `release -n default --workload=deployment/other -i ${registry.host}/truth/app:2`,
      );

      assert.match(
        screen,
        /^Commit applied: +[0-9a-f]{7}\nWarning: 2 resources could not be applied\ndefault:configmap\/Bad_a \(/m,
      );
      assert.equal(status, 0);
      await repository.pull();
    });

    it("sync fails at once with what is wrong in a file, and diff doesn't send people to another project", async () => {
      await using terminal = await sit();
      await world.repository.push({ "broken.yaml": "kind: [\n" }, "break it");

      // It would wait that long for the file to be mended.
      const [sync, status] = await shown(terminal, "sync --timeout=1h");
      const [piped] = await shown(terminal, "sync --timeout=1s 2>&1 | cat");
      const [diff] = await shown(terminal, "diff");

      assert.match(sync, /^Error: the sync failed: loading resources from repo: .*broken\.yaml/m);
      assert.match(sync, /^Fix this in git, and push\./m);
      assert.equal(status, 1);
      assert.match(piped, /\nError: timeout\nRun 'fluxctl sync --help' for usage\.\n$/);
      assert.match(diff, /broken\.yaml/);
      assert.doesNotMatch(diff, /fluxcd/);

      await world.repository.push({ "broken.yaml": null, "bad-a.yaml": null, "bad-b.yaml": null }, "mend it");
      const [mended, mendedStatus] = await shown(terminal, "sync --timeout=1m");
      assert.match(mended, /\nDone\.\n$/);
      assert.equal(mendedStatus, 0);
    });

    it("release has the reason for each workload that stays as it is", async () => {
      await using terminal = await sit();
      const { registry, dead } = world;
      const image = `${registry.host}/truth/app:2`;
      const release = async (args: string): Promise<string> =>
        (await shown(terminal, `release ${args}`)).join(" ");

      const locked = await release(`--workload=deployment/locked -i ${image}`);
      const filtered = await release(`--workload=deployment/filtered -i ${image}`);
      const unknown = await release(`--workload=deployment/newst -i ${image}`);
      const newest = await release("--workload=deployment/newest --update-all-images");
      const gone = await release(`--workload=deployment/dead -i ${dead}/truth/dead:2`);
      const goneToo = await release("--workload=deployment/dead --update-all-images");
      const piped = await release(`--workload=deployment/locked -i ${image} 2>&1 | cat`);

      const same = "Error: no changes made in repo\nRun 'fluxctl release --help' for usage.\n";
      assert.ok(piped.includes(`${same} `), piped);
      assert.ok(
        locked.includes(
          `${same}\ndefault:deployment/locked is locked by Jo <jo@example.test>: freeze\nTo unlock it: fluxctl unlock -w default:deployment/locked, or release it with --force\n 1`,
        ),
        locked,
      );
      assert.match(
        filtered,
        /^The tag filter of default:deployment\/filtered doesn't let 127\.0\.0\.1:\d+\/truth\/app:2 through \(tag filters: main=glob:1\*\)\.\nTo release it anyway, use --force/m,
      );
      assert.match(
        unknown,
        /^The cluster doesn't have a workload default:deployment\/newst\.\nDid you mean default:deployment\/newest\?$/m,
      );
      assert.match(newest, /^default:deployment\/newest runs the newest image already\.$/m);
      assert.match(
        gone,
        /does not exist: invalid image ID\n[^]*^Cannot scan 127\.0\.0\.1:\d+\/truth\/dead: .*ECONNREFUSED/m,
      );
      assert.match(goneToo, /^Cannot scan 127\.0\.0\.1:\d+\/truth\/dead: .*ECONNREFUSED/m);
    });

    it("release of everything says that a namespace doesn't confine it, and what -w is", async () => {
      await using terminal = await sit();

      const [all] = await shown(terminal, "release -n dev --all --update-all-images --dry-run");
      const [piped] = await shown(terminal, "release -n dev --all --update-all-images --dry-run 2>&1 | cat");
      const [named] = await shown(terminal, "release -w default:deployment/newest --update-all-images");

      assert.match(all, /^Warning: --all covers the workloads of all namespaces, not only of dev;/);
      assert.match(all, /^image\(s\) up to date: .*default:deployment\/newest/m);
      assert.match(piped, /^Submitting dry-run release \.\.\.\nWORKLOAD +STATUS +UPDATES *\n/);
      assert.doesNotMatch(piped, /Warning|up to date/);
      assert.match(
        named,
        /\nWith release, -w is short for --watch\. To name a workload: --workload=default:deployment\/newest\n$/,
      );
    });

    it("lock and automate say that there is no such workload, or nothing to change", async () => {
      await using terminal = await sit();

      const [unknown, status] = await shown(terminal, "automate -w deployment/newst");
      // The first time, the file is written anew.
      await shown(terminal, "unlock -w deployment/newest");
      const [again] = await shown(terminal, "unlock -w deployment/newest");
      const [piped] = await shown(terminal, "automate -w deployment/newst 2>&1 | cat");

      assert.match(
        unknown,
        /^Warning: nothing was changed\.\nThe cluster doesn't have a workload default:deployment\/newst\.\nDid you mean default:deployment\/newest\?$/m,
      );
      assert.equal(status, 0);
      assert.match(
        again,
        /^Warning: nothing was changed\.\ndefault:deployment\/newest has these policies in git already\.$/m,
      );
      assert.match(piped, /^WORKLOAD +STATUS +UPDATES *\n$/);
    });

    it("events tell of drift, and of what a commit does for whom, in rows that align", async () => {
      const { kube } = cluster;
      await using terminal = await sit({ TZ: "Asia/Kolkata" });
      await terminal.enter("fluxctl events --watch");
      await terminal.shows("TIME");

      await kube.delete(configMapPath("settings"));
      await terminal.shows(/drift +Put back as in git: default:configmap\/settings$/m);
      await using other = await sit();
      await shown(other, "lock -w deployment/newest -m 'over the holidays' --user='Jo <jo@example.test>'");
      const screen = await terminal.shows(/, by Jo/);

      const rows = screen.split("\n");
      assert.match(
        screen,
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0530 +commit +Commit: [0-9a-f]{7}, default:deployment\/newest: locked, by Jo <jo@example\.test>, with message "over the holidays"$/m,
      );
      const columns = new Set(
        rows.flatMap((row) => /^(?:TIME +|\d{4}.{21} +)(?:TYPE|[a-z]+) +(?=\S)/.exec(row)?.[0].length ?? []),
      );
      assert.equal(columns.size, 1, screen);
      await terminal.press("C-c");
      await terminal.finished();
      await world.repository.pull();
    });

    it("list-images has the errors of the registries", async () => {
      await using terminal = await sit();
      const { dead, plain } = world;

      const [screen] = await shown(terminal, "list-images -w deployment/dead");
      const [withoutTls] = await shown(terminal, "list-images -w deployment/plain");
      const [piped] = await shown(terminal, "list-images -w deployment/dead 2>&1 | cat");

      assert.match(screen, /^default:deployment\/dead +main + .*ECONNREFUSED/m);
      assert.ok(screen.includes(`\nCannot scan ${dead}/truth/dead: `), screen);
      assert.match(screen, /\nfluxd tries again by itself\./);
      assert.ok(
        withoutTls.includes(
          `the registry speaks HTTP, not HTTPS; to allow that, start fluxd with --registry-insecure-host=${plain}`,
        ),
        withoutTls,
      );
      assert.doesNotMatch(withoutTls, /SSL/);
      assert.match(piped, / image data not available\n +'-> \(untagged\) +\?\n$/);
    });

    it("says that a server speaks HTTP, and where the API is", async () => {
      await using terminal = await sit();
      const { baseUrl, apiUrl } = world.fluxd;

      const [tls] = await shown(terminal, `list-workloads -u ${apiUrl.replace("http:", "https:")}`);
      const [path] = await shown(terminal, `list-workloads -u ${baseUrl}`);
      const [piped] = await shown(
        terminal,
        `list-workloads -u ${apiUrl.replace("http:", "https:")} 2>&1 | cat`,
      );

      assert.ok(
        tls.includes(`\nThe server speaks HTTP, not HTTPS. Use --url=${apiUrl} (or FLUX_URL).\n`),
        tls,
      );
      assert.match(piped, /: http: server gave HTTP response to HTTPS client\n/);
      assert.ok(path.includes(`\nDid you mean ${apiUrl}?\n`), path);
    });

    it("save has all namespaces, and help no complaint about a topic", async () => {
      await using terminal = await sit();

      await terminal.enter("cd");
      await terminal.finished();
      const [saved, status] = await shown(terminal, "save --out .");
      const [piped] = await shown(terminal, "save 2>&1 | head -3");
      const [help, helpStatus] = await shown(terminal, "help nope");

      assert.match(saved, /^Saving Deployment 'newest' to default\/newest-dep\.yaml$/m);
      assert.match(saved, /^Saving Namespace 'kube-system' to kube-system-ns\.yaml$/m);
      assert.equal(status, 0);
      assert.match(piped, /^== Error ==\n\nError: resource name may not be empty\n$/);
      assert.match(help, /^Unknown help topic \[`nope`\]$/m);
      assert.equal(helpStatus, 0);
    });
  },
);
