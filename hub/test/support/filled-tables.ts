import type { Connection } from "../../src/store/schema.ts";

const at = new Date("2026-03-04T05:06:07.089Z");

/** Adds a row, or several that belong together, to every table; all tables have to be there and empty. */
export async function fillTables(connection: Connection): Promise<void> {
  await fillInstances(connection);
  await fillAccess(connection);
  await fillJobs(connection);
  await fillNotifications(connection);
  await connection.insertInto("busPayloads").values({ body: "{}", createdAt: at }).execute();
}

async function fillInstances(connection: Connection): Promise<void> {
  await connection
    .insertInto("consoles")
    .values({ id: "c1", address: "", version: "0.1.0", startedAt: at, heartbeatAt: at })
    .execute();
  await connection
    .insertInto("instances")
    .values({ id: "i1", name: "Prod 'éu'", description: "", tokenHash: "hash", createdAt: at })
    .execute();
  await connection.insertInto("instanceState").values({ instanceId: "i1", lastSyncAt: at }).execute();
  await connection
    .insertInto("workloads")
    .values({
      instanceId: "i1",
      id: "default:deployment/helloworld",
      namespace: "default",
      kind: "deployment",
      name: "helloworld",
      status: "ready",
      health: "healthy",
      rollout: JSON.stringify({ desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: [] }),
      ready: 1,
      desired: 1,
      automated: true,
      locked: false,
      ignored: false,
      lockedReason: "",
      readOnly: "",
      policies: JSON.stringify({ automated: "true", "tag.greeter": "semver:~1.0 🙂" }),
      policyNames: ["automated", "tag.greeter"],
      syncError: "",
      antecedent: "",
      containers: JSON.stringify([
        { name: "greeter", image: "helloworld:1", newest: "helloworld:2", newer: 1 },
      ]),
      images: ["helloworld:1", 'odd"{},\\'],
      newImages: 1,
      changedAt: at,
      digest: "d",
      words: ["helloworld", "greeter"],
    })
    .execute();
  await connection
    .insertInto("events")
    .values({
      instanceId: "i1",
      type: "sync",
      severity: "info",
      at,
      receivedAt: at,
      namespaces: ["default"],
      workloadIds: ["default:deployment/helloworld"],
      revision: "abc",
      message: "Sync: abc",
      metadata: JSON.stringify({ commits: [{ revision: "abc", message: "line\nbreak" }] }),
      fingerprint: "f1",
      words: ["sync", "abc"],
    })
    .execute();
}

async function fillAccess(connection: Connection): Promise<void> {
  await connection
    .insertInto("users")
    .values({
      id: "u1",
      login: "ada",
      name: "Ada",
      email: "ada@example.com",
      groups: ["ops", ""],
      createdAt: at,
    })
    .execute();
  await connection
    .insertInto("identities")
    .values({
      issuer: "https://id.example.com",
      subject: "1",
      userId: "u1",
      email: "",
      createdAt: at,
      lastLoginAt: at,
    })
    .execute();
  await connection.insertInto("passwords").values({ userId: "u1", hash: "scrypt", changedAt: at }).execute();
  await connection
    .insertInto("sessions")
    .values({
      id: "s1",
      userId: "u1",
      tokenHash: "session",
      method: "password",
      address: "127.0.0.1",
      userAgent: "",
      createdAt: at,
      lastUsedAt: at,
      expiresAt: at,
    })
    .execute();
  await connection
    .insertInto("oidcLogins")
    .values({
      stateHash: "state",
      browserHash: "browser",
      returnTo: "/",
      createdAt: at,
      expiresAt: at,
    })
    .execute();
  await connection
    .insertInto("invitations")
    .values({
      id: "v1",
      tokenHash: "invitation",
      purpose: "new-user",
      userId: null,
      login: "",
      roles: JSON.stringify([{ role: "viewer", instanceId: "i1", namespace: null }]),
      createdBy: "u1",
      createdAt: at,
      expiresAt: at,
    })
    .execute();
  await connection
    .insertInto("roles")
    .values({
      id: "r1",
      userId: "u1",
      groupName: null,
      instanceId: "i1",
      namespace: "default",
      role: "operator",
      createdAt: at,
    })
    .execute();
  await connection
    .insertInto("apiTokens")
    .values({
      id: "t1",
      userId: "u1",
      name: "ci",
      tokenHash: "token",
      scopes: ["read"],
      instanceId: null,
      namespace: null,
      createdAt: at,
      expiresAt: null,
    })
    .execute();
  await connection
    .insertInto("approvalRules")
    .values({ id: "a1", instanceId: "i1", namespace: null, createdBy: "u1", createdAt: at })
    .execute();
  await connection.insertInto("rateLimits").values({ key: "login:ada", used: 1.5, updatedAt: at }).execute();
  await connection
    .insertInto("settings")
    .values({ key: "retention", value: JSON.stringify({ days: 90 }), updatedBy: "u1", updatedAt: at })
    .execute();
}

async function fillJobs(connection: Connection): Promise<void> {
  await connection
    .insertInto("jobs")
    .values({
      id: "j1",
      instanceId: "i1",
      idempotencyKey: "k1",
      kind: "release",
      state: "succeeded",
      request: JSON.stringify({ kind: "release" }),
      spec: JSON.stringify({ type: "image" }),
      workloadIds: ["default:deployment/helloworld"],
      namespaces: ["default"],
      summary: "Release helloworld:2",
      plan: JSON.stringify({ steps: [] }),
      planDigest: "p",
      requestedBy: "u1",
      requestedByName: "Ada",
      requestedAt: at,
      decidedByName: "",
      decisionComment: "",
      daemonJobId: "d1",
      endedAt: at,
      revision: "abc",
      result: JSON.stringify("done"),
      error: "",
    })
    .execute();
  await connection
    .insertInto("audit")
    .values({
      at,
      actorKind: "user",
      actorId: "u1",
      actorName: "Ada",
      action: "workload.release",
      outcome: "done",
      instanceId: "i1",
      namespace: "default",
      subject: "default:deployment/helloworld",
      detail: JSON.stringify(null),
      address: "127.0.0.1",
      words: ["release", "helloworld", "ada"],
    })
    .execute();
}

async function fillNotifications(connection: Connection): Promise<void> {
  await connection
    .insertInto("notificationChannels")
    .values({
      id: "n1",
      name: "ops",
      kind: "slack-app",
      settings: JSON.stringify({ channel: "#ops" }),
      secret: "encrypted",
      enabled: true,
      createdBy: "u1",
      createdAt: at,
      updatedAt: at,
      failures: 0,
      lastError: "",
    })
    .execute();
  await connection
    .insertInto("notificationRules")
    .values({
      id: "l1",
      name: "failures",
      enabled: true,
      channelId: "n1",
      instances: ["prod-*"],
      namespaces: [],
      eventTypes: ["sync"],
      severities: ["error"],
      title: "",
      body: "",
      groupBy: ["instance"],
      groupSeconds: 30,
      createdBy: "u1",
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  await connection
    .insertInto("notificationOutbox")
    .values({
      id: "o1",
      channelId: "n1",
      ruleId: "l1",
      groupKey: "i1",
      eventIds: [1, 2 ** 40],
      state: "pending",
      attempts: 0,
      dueAt: at,
      createdAt: at,
      result: "",
    })
    .execute();
}
