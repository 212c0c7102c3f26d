import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { until } from "@weir/testing";
import { deployment } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { RegistryPod } from "../../support/pods/registry-pod.ts";

const namespace = "flux";
const workload = "default:deployment/web";

describe("images of a registry in a pod", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  let registry: RegistryPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    registry = started.use(await RegistryPod.start(world, "images"));
    await registry.push("app", "1.0", "06-01");
    await registry.push("app", "1.1", "06-02");
    const web = deployment("web", `${registry.host}/app:1.0`);
    // What runs before fluxd does has its images scanned at once.
    await world.kubectl.apply(web);
    git = started.use(await GitServerPod.start(world.kubectl, { namespace, files: { "web.yaml": web } }));
    const flags = [`--registry-insecure-host=${registry.host}`, "--automation-interval=5s"];
    await world.install(git, { namespace, args: flags.map((flag) => `--fluxd-arg=${flag}`) });
    await git.authorize(await fluxctl("identity"));
    await until("the first sync", async () => (await git.repository.synced("flux")) !== "");
  });
  after(() => started.disposeAsync());

  async function fluxctl(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await world.fluxctl(...args, `--k8s-fwd-ns=${namespace}`);
    assert.equal(exit, 0, stderr);
    return stdout;
  }

  /** What memcached holds under a key, as it sends it. */
  function cached(key: string): Promise<string> {
    const script = `exec 3<>/dev/tcp/127.0.0.1/11211; printf 'get %s\\r\\nquit\\r\\n' '${key}' >&3; cat <&3`;
    const exec = ["exec", "-n", namespace, "deployment/memcached", "--", "bash", "-c", script];
    return world.kubectl.must(exec);
  }

  /** The tags of the workload's image that fluxd knows, the newest first. */
  async function knownTags(): Promise<readonly string[]> {
    const listed = await fluxctl("list-images", `--workload=${workload}`);
    return [...listed.matchAll(/^\s+(?:'-> |\| +)?(\d\.\d) +(.*)$/gm)].map(
      ([, tag, created]) => `${tag} ${created}`,
    );
  }

  const scanned = ["1.1 02 Jun 20 08:00 UTC", "1.0 01 Jun 20 08:00 UTC"];

  it("are scanned and listed", async () => {
    const tags = await until("the images to be known", async () => {
      const known = await knownTags();
      return known.length > 1 && known;
    });

    assert.deepEqual(tags, scanned);
  });

  it("are kept in memcached, in the records of Flux v1", async () => {
    const repository = await cached(`registryrepov4|${registry.host}/app`);

    // Before it are four bytes with a time, of which some may look like one character.
    const [, json = "null"] = /^VALUE \S+ \d+ \d+\r\n[^]{0,4}?(\{".*\})\r\nEND/.exec(repository) ?? [];
    const record = JSON.parse(json) as { readonly Tags: readonly string[]; readonly LastError: string };
    assert.deepEqual([record.Tags.toSorted(), record.LastError], [["1.0", "1.1"], ""]);
  });

  it("lead to a commit when the workload is automated", async () => {
    await fluxctl("automate", `--workload=${workload}`);

    await until("the commit", async () => {
      return (await git.repository.upstream("show", "master:web.yaml")).includes(`${registry.host}/app:1.1`);
    });
    await until("the new image", async () => {
      const path = "{.spec.template.spec.containers[0].image}";
      const image = await world.kubectl.must(["get", "deployment/web", "-o", `jsonpath=${path}`]);
      return image === `${registry.host}/app:1.1`;
    });
  });

  it("are known to the next pod while the registry is away", async () => {
    await world.kubectl.must(["scale", "deployment/registry", "-n", "images", "--replicas=0"]);

    await world.kubectl.must(["delete", "pod", "--selector=name=flux", "-n", namespace]);
    await world.kubectl.rolledOut({ namespace, name: "deployment/flux" });

    await until("the workload to be listed", async () => (await knownTags()).length > 0);
    assert.deepEqual(await knownTags(), scanned);
  });
});
