import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LogFields } from "@weir/base";
import { type ParseOutcome, parseFluxdArgs } from "../../../../cmd/fluxd/config.ts";
import type { FluxdConfig } from "../../../../cmd/fluxd/settings.ts";

const env = { HOME: "/home/me" };

function parse(...args: string[]): ParseOutcome {
  return parseFluxdArgs(args, env);
}

/** The configuration, with scanning off so that the log holds nothing that goes without saying. */
function run(...args: string[]): { config: FluxdConfig; log: readonly LogFields[]; stderr: string } {
  const outcome = parse("--registry-disable-scanning", "--git-url=https://git.test/repo", ...args);
  assert.equal(outcome.kind, "run");
  return outcome;
}

function refusal(...args: string[]): readonly LogFields[] {
  const outcome = parse("--git-url=https://git.test/repo", ...args);
  assert.equal(outcome.kind, "refused");
  return outcome.log;
}

describe("parseFluxdArgs", () => {
  it("gives Flux v1's defaults without flags", () => {
    const outcome = parseFluxdArgs([], env);

    assert.deepEqual(outcome.kind === "run" && outcome.config, {
      logFormat: "logfmt",
      listen: ":3030",
      listenMetrics: "",
      listenHosts: [],
      listenTokenFile: "",
      git: {
        url: "",
        isHttp: false,
        branch: "master",
        paths: [],
        readonly: false,
        user: "Weave Flux",
        email: "support@weave.works",
        setAuthor: false,
        syncTag: "flux-sync",
        notesRef: "flux",
        skipMessage: "",
        pollInterval: 300_000,
        timeout: 20_000,
        pushRetries: 0,
      },
      gpgKeyImport: [],
      signatures: { verify: "none", signingKey: "", sshAllowedSigners: "" },
      sync: {
        interval: 300_000,
        timeout: 60_000,
        garbageCollection: false,
        garbageCollectionDry: false,
        state: "git",
        onDrift: false,
        quarantine: false,
        pruneLimit: "100%",
        takeOver: false,
        preflight: false,
      },
      cluster: {
        kubeConfig: "/home/me/.kube/config",
        allowNamespaces: [],
        defaultNamespace: "",
        excludeResources: ["*metrics.k8s.io/*", "webhook.certmanager.k8s.io/*", "v1/Event"],
      },
      ssh: {
        secretName: "flux-git-deploy",
        secretVolumeMountPath: "/etc/fluxd/ssh",
        secretDataKey: "identity",
        keygenDir: "/etc/fluxd/ssh",
      },
      registry: {
        disabled: false,
        rps: 50,
        burst: 10,
        trace: false,
        insecureHosts: [],
        exclude: ["k8s.gcr.io/*"],
        include: [],
        useLabels: ["index.docker.io/weaveworks/*", "index.docker.io/fluxcd/*"],
        ecr: { regions: [], include: [], exclude: ["602401143452", "918309763551"], required: false },
        dockerConfig: "",
        memcached: { hostname: "memcached", port: 11211, timeout: 1_000, service: "memcached" },
        cacheFile: "",
      },
      decryption: { sops: false, gitSecret: false },
      automationInterval: 300_000,
      writeBackStyle: "flux",
      manifestGeneration: false,
      manifestGenerationCache: false,
    });
  });

  it("ends with the version before it judges any flag", () => {
    assert.deepEqual(parse("--version", "--sync-state=nonsense"), { kind: "version", stderr: "" });
  });

  it("ends with the usage where help is asked for, deprecated flags left out", () => {
    const outcome = parse("-h");

    assert.equal(outcome.kind === "usage" && outcome.exitCode, 0);
    assert.match(
      outcome.stderr,
      /^DESCRIPTION\n {2}fluxd is the agent of flux\.\n\nFLAGS\n {6}--automation-interval/,
    );
    assert.doesNotMatch(outcome.stderr, /k8s-in-cluster/);
  });

  it("ends with 2, the error and the usage where a flag cannot be read", () => {
    const outcome = parse("--git-poll-interval=soon");

    assert.equal(outcome.kind === "usage" && outcome.exitCode, 2);
    assert.match(
      outcome.stderr,
      /^Error: invalid argument "soon" for "--git-poll-interval" flag: time: invalid duration "soon"\n\nDESCRIPTION\n/,
    );
  });

  it("warns of deprecated flags in plain text", () => {
    assert.equal(
      run("--k8s-in-cluster=false").stderr,
      "Flag --k8s-in-cluster has been deprecated, No longer used\n",
    );
  });

  it("ignores arguments that are no flags", () => {
    assert.equal(run("one", "--", "--no-such-flag").config.listen, ":3030");
  });

  it("finds the kubeconfig without HOME", () => {
    const outcome = parseFluxdArgs([], { USERPROFILE: "/users/me/" });
    const homeless = parseFluxdArgs([], {});

    assert.equal(outcome.kind === "run" && outcome.config.cluster.kubeConfig, "/users/me/.kube/config");
    assert.equal(homeless.kind === "run" && homeless.config.cluster.kubeConfig, "");
  });

  for (const [format, meant] of [
    ["json", "json"],
    ["fmt", "logfmt"],
    ["xml", "logfmt"],
  ] as const) {
    it(`logs in ${meant} for --log-format=${format}`, () => {
      assert.equal(run(`--log-format=${format}`).config.logFormat, meant);
    });
  }
});

describe("the flags of git", () => {
  it("make the secret hold the state where git may not be written", () => {
    const { config, log } = run("--git-readonly");

    assert.equal(config.sync.state, "secret");
    assert.deepEqual(log, [
      { warning: "--git-readonly prevents use of --sync-state=git. Forcing to --sync-state=secret" },
    ]);
  });

  it("are told to be of no use where git may not be written, in their order", () => {
    const { log } = run(
      "--git-readonly",
      "--sync-state=secret",
      "--git-ci-skip",
      "--git-email=a@b",
      "--git-user=me",
    );

    assert.deepEqual(log, [
      {
        warning:
          "Configuring any of {git-user, git-email, git-ci-skip} has no effect when --git-readonly is set",
      },
    ]);
  });

  it("take a label for the sync tag and the notes, even an empty one", () => {
    const { config, log } = run("--git-label=prod", "--git-notes-ref=mine");

    assert.deepEqual([config.git.syncTag, config.git.notesRef], ["prod", "prod"]);
    assert.deepEqual(log, [{ overridden: "git-notes-ref", value: "prod" }]);
    assert.equal(run("--git-label=").config.git.syncTag, "");
  });

  it("skip builds with a text of their own, or the usual one", () => {
    assert.equal(run("--git-ci-skip").config.git.skipMessage, "\n\n[ci skip]");
    assert.equal(run("--git-ci-skip", "--git-ci-skip-message=no").config.git.skipMessage, "no");
  });

  it("refuse a path that begins with a slash", () => {
    assert.deepEqual(refusal("--git-path=a,/b"), [
      { err: "subdirectory given as --git-path should not have leading forward slash" },
    ]);
  });

  it("say where new SSH keys are made, unless none is needed", () => {
    const outcome = parse(
      "--registry-disable-scanning",
      "--git-url=git@git.test:repo",
      "--k8s-secret-volume-mount-path=/k",
    );

    assert.deepEqual(outcome.kind === "run" && [outcome.config.ssh.keygenDir, outcome.log], [
      "/k",
      [
        {
          info: "SSH keygen dir (--ssh-keygen-dir) not provided, so using the deploy key volume (--k8s-secret-volume-mount-path=/k); this may cause problems if the deploy key volume is mounted read-only",
        },
      ],
    ]);
    assert.deepEqual([run().config.ssh.keygenDir, run().config.git.isHttp, run().log], ["", true, []]);
    assert.equal(run("--ssh-keygen-dir=/tmp/keys").config.ssh.keygenDir, "/tmp/keys");
  });

  it("take what ssh-keygen is told only where it is given", () => {
    const { ssh } = run(
      "--ssh-keygen-bits=0x1000",
      "--ssh-keygen-type=ed25519",
      "--ssh-keygen-format=",
    ).config;

    assert.deepEqual([ssh.keygenBits, ssh.keygenType, ssh.keygenFormat], [4096n, "ed25519", undefined]);
  });
});

describe("the flags of the cluster", () => {
  it("allow the namespaces of both flags, each once", () => {
    const { config } = run(
      "--k8s-namespace-whitelist=a,b",
      "--k8s-allow-namespace=b",
      "--k8s-allow-namespace=c",
    );

    assert.deepEqual(config.cluster.allowNamespaces, ["a", "b", "c"]);
  });

  it("embed a cluster in memory or in a folder", () => {
    assert.deepEqual(run("--embedded-cluster").config.cluster.embedded, {});
    assert.deepEqual(run("--embedded-cluster=/data").config.cluster.embedded, { folder: "/data" });
    assert.equal(run().config.cluster.embedded, undefined);
  });

  it("turn on what is Weir's own", () => {
    const { git, sync } = run("--sync-on-drift", "--sync-quarantine", "--git-push-retries=3").config;

    assert.deepEqual([sync.onDrift, sync.quarantine, git.pushRetries], [true, true, 3]);
  });
});

describe("the flags that guard syncs", () => {
  it("limit, take over, and check first where they say so", () => {
    const { sync } = run("--sync-prune-limit=25%", "--sync-take-over", "--sync-preflight").config;

    assert.deepEqual([sync.pruneLimit, sync.takeOver, sync.preflight], ["25%", true, true]);
    assert.equal(run("--sync-prune-limit=0").config.sync.pruneLimit, 0);
  });

  it("warn of a limit without garbage collection", () => {
    const warning = "--sync-prune-limit has no effect without --sync-garbage-collection";

    assert.deepEqual(run("--sync-prune-limit=5").log, [{ warning }]);
    assert.deepEqual(run("--sync-prune-limit=5", "--sync-garbage-collection").log, []);
  });
});

describe("the upstream", () => {
  it("is none where no address is given, whatever else is", () => {
    assert.equal(run("--token=secret\n", "--rpc-timeout=0s").config.upstream, undefined);
  });

  it("has its address, its token, and a time limit of 10 s for calls", () => {
    const { config, log } = run("--connect=wss://cloud.test/x", "--token=secret");

    assert.deepEqual(config.upstream, { url: "wss://cloud.test/x", token: "secret", rpcTimeout: 10_000 });
    assert.deepEqual(log, []);
  });
});

describe("webhooks", () => {
  const flags = ["--listen-webhooks=:8080", "--webhooks-config=/etc/fluxrecv/fluxrecv.yaml"];

  it("are not received where nothing is said of them", () => {
    assert.equal(run().config.webhooks, undefined);
  });

  it("have an address and a file that says which are expected", () => {
    const outcome = parse("--git-url=https://git.test/repo", ...flags);

    assert.deepEqual(outcome.kind === "run" && [outcome.config.webhooks, outcome.log], [
      { listen: ":8080", config: "/etc/fluxrecv/fluxrecv.yaml" },
      [],
    ]);
  });

  it("about images are told to be of no use where images are not scanned", () => {
    assert.deepEqual(run(...flags).log, [
      { warning: "webhooks about images have no effect because of --registry-disable-scanning" },
    ]);
  });
});

describe("what fluxd does not start with", () => {
  for (const [args, fields] of [
    [["--git-verify-signatures-mode=some"], { error: "'some' is not a valid git-verify-signatures-mode" }],
    [
      ["--registry-require=ecr,gcr"],
      { err: '--registry-require value "gcr" is not in possible values {ecr}' },
    ],
    [["--registry-burst=0"], { err: "arguments must be non-nil (or > 0 in the case of burst)" }],
    [
      ["--sync-prune-limit=25 %"],
      {
        err: 'invalid --sync-prune-limit: "25 %" is neither a number of objects nor a percentage from 0% to 100%',
      },
    ],
    [["--git-push-retries=-1"], { err: "--git-push-retries must not be negative" }],
    [["--sync-state=nonsense"], { error: "unknown sync state mode", mode: "nonsense" }],
    [["--connect=ftp://x"], { err: "inferring WS/HTTP endpoints: unsupported scheme ftp" }],
    [["--connect=x"], { err: "inferring WS/HTTP endpoints: unsupported scheme " }],
    [["--connect=ws://"], { err: "inferring WS/HTTP endpoints: what follows ws: is not a valid address" }],
    [
      ["--connect=ws://x", "--token=secret\n"],
      { err: "--token contains characters that aren't allowed in an HTTP header, such as a line break" },
    ],
    [["--connect=ws://x", "--rpc-timeout=0s"], { err: "--rpc-timeout must be longer than 0s" }],
    [["--listen-webhooks=:8080"], { err: "--listen-webhooks needs --webhooks-config" }],
    [["--webhooks-config=x"], { err: "--webhooks-config needs --listen-webhooks" }],
    [
      ["--listen-host=flux.example.com", "--listen-host=https://flux.example.com"],
      {
        err: '--listen-host must be a host name without scheme, port, or path, such as flux.example.com, not "https://flux.example.com"',
      },
    ],
    [["--sync-interval=0s"], { err: "--sync-interval must be longer than 0s" }],
    [["--git-timeout=-1s"], { err: "--git-timeout must be longer than 0s" }],
  ] as const) {
    it(`is ${args.join(" ")}`, () => {
      assert.deepEqual(refusal(...args).at(-1), fields);
    });
  }

  it("is no flag of Flux v1 for its own sake", () => {
    const { log } = run(
      "--git-verify-signatures",
      "--git-signing-key=k",
      "--git-gpg-key-import=/keys",
      "--git-secret",
      "--sops",
    );

    assert.deepEqual(log, []);
  });

  it("is judged by its values first, as Flux v1 does", () => {
    assert.deepEqual(refusal("--sops", "--git-verify-signatures-mode=some"), [
      { error: "'some' is not a valid git-verify-signatures-mode" },
    ]);
    assert.deepEqual(
      refusal("--sops", "--git-secret", "--sync-state=nonsense").map((fields) => Object.keys(fields)),
      [["warning"], ["warning"], ["error", "mode"]],
    );
  });

  it("keeps the format of the log that was asked for", () => {
    const outcome = parse("--sync-state=nonsense", "--log-format=json");

    assert.equal(outcome.kind === "refused" && outcome.logFormat, "json");
  });

  it("are not the modes that ask for nothing", () => {
    assert.deepEqual(run("--sops=false").log, []);
  });
});

describe("signatures", () => {
  const noKey = {
    warning:
      "commits must be signed, but neither --git-gpg-key-import nor --git-ssh-allowed-signers is set: only trusted keys of a mounted GnuPG keyring count",
  };

  it("aren't made or required unless that's asked for", () => {
    const off = { verify: "none", signingKey: "", sshAllowedSigners: "" };

    assert.deepEqual(run().config.signatures, off);
    for (const args of [
      ["--git-verify-signatures-mode=none"],
      ["--git-verify-signatures-mode="],
      ["--git-verify-signatures", "--git-verify-signatures-mode=none"],
      ["--git-verify-signatures=false"],
    ]) {
      const { config, log } = run(...args);
      assert.deepEqual([config.signatures, log], [off, []]);
    }
  });

  it("are made and required with keys from the flags", () => {
    const { config, log } = run(
      "--git-verify-signatures",
      "--git-signing-key=ABCD",
      "--git-gpg-key-import=/a,/b",
      "--git-gpg-key-import=/c",
      "--git-ssh-allowed-signers=/s",
    );

    assert.deepEqual(config.signatures, {
      verify: "all",
      signingKey: "ABCD",
      sshAllowedSigners: "/s",
    });
    assert.deepEqual(config.gpgKeyImport, ["/a", "/b", "/c"]);
    assert.deepEqual(log, []);
    assert.equal(run("--git-verify-signatures-mode=first-parent").config.signatures.verify, "first-parent");
  });

  it("can't be good if no key is known", () => {
    assert.deepEqual(run("--git-verify-signatures-mode=all").log, [noKey]);
    assert.deepEqual(run("--git-verify-signatures-mode=all", "--git-gpg-key-import=/a").log, []);
    assert.deepEqual(run("--git-verify-signatures-mode=all", "--git-ssh-allowed-signers=/a").log, []);
  });

  it("of SSH aren't looked at unless signatures are required", () => {
    assert.deepEqual(run("--git-ssh-allowed-signers=/a").log, [
      { warning: "--git-ssh-allowed-signers has no effect without --git-verify-signatures-mode" },
    ]);
  });
});

describe("the style of edited manifests", () => {
  it("is Flux's or the least change, and nothing else", () => {
    assert.equal(run("--write-back-style=minimal").config.writeBackStyle, "minimal");
    assert.deepEqual(refusal("--write-back-style=pretty"), [
      { err: 'invalid value "pretty" for --write-back-style: use flux or minimal' },
    ]);
  });
});

describe("the interval of automation", () => {
  it("has an old name, which holds where the new one is not given", () => {
    assert.equal(run("--registry-poll-interval=1m").config.automationInterval, 60_000);
    assert.equal(
      run("--registry-poll-interval=1m", "--automation-interval=2m").config.automationInterval,
      120_000,
    );
    assert.equal(run().config.automationInterval, 300_000);
  });
});

describe("what fluxd says once", () => {
  it("is that nothing is generated that could be kept", () => {
    const warning = "--manifest-generation-cache has no effect without --manifest-generation";

    assert.deepEqual(run("--manifest-generation-cache").log, [{ warning }]);
    assert.deepEqual(run("--manifest-generation-cache", "--manifest-generation").log, []);
  });

  it("is which programs it does without", () => {
    assert.deepEqual(run("--kubernetes-kubectl=/bin/kubectl").log, [
      {
        info: "ignoring flags for programs that Weir doesn't use",
        flags: "--kubernetes-kubectl",
      },
    ]);
  });
});
