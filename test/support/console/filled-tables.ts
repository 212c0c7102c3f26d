import type { Connection } from "../../../src/console/store/schema.ts";

const at = new Date("2026-03-04T05:06:07.089Z");

/** Adds a row, or several that belong together, to every table; all tables have to be there and empty. */
export async function fillTables(connection: Connection): Promise<void> {
  await fillInstances(connection);
  await fillAccess(connection);
  await fillJobs(connection);
  await fillNotifications(connection);
  await connection.insertInto("bus_payloads").values({ body: "{}", created_at: at }).execute();
}

async function fillInstances(connection: Connection): Promise<void> {
  await connection
    .insertInto("consoles")
    .values({ id: "c1", address: "", version: "0.1.0", started_at: at, heartbeat_at: at })
    .execute();
  await connection
    .insertInto("instances")
    .values({ id: "i1", name: "Prod 'éu'", description: "", token_hash: "hash", created_at: at })
    .execute();
  await connection.insertInto("instance_state").values({ instance_id: "i1", last_sync_at: at }).execute();
  await connection
    .insertInto("workloads")
    .values({
      instance_id: "i1",
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
      locked_reason: "",
      read_only: "",
      policies: JSON.stringify({ automated: "true", "tag.greeter": "semver:~1.0 🙂" }),
      policy_names: ["automated", "tag.greeter"],
      sync_error: "",
      antecedent: "",
      containers: JSON.stringify([
        { name: "greeter", image: "helloworld:1", newest: "helloworld:2", newer: 1 },
      ]),
      images: ["helloworld:1", 'odd"{},\\'],
      new_images: 1,
      changed_at: at,
      digest: "d",
      words: "helloworld greeter",
    })
    .execute();
  await connection
    .insertInto("events")
    .values({
      instance_id: "i1",
      type: "sync",
      severity: "info",
      at,
      received_at: at,
      namespaces: ["default"],
      workload_ids: ["default:deployment/helloworld"],
      revision: "abc",
      message: "Sync: abc",
      metadata: JSON.stringify({ commits: [{ revision: "abc", message: "line\nbreak" }] }),
      fingerprint: "f1",
      words: "sync abc",
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
      created_at: at,
    })
    .execute();
  await connection
    .insertInto("identities")
    .values({
      issuer: "https://id.example.com",
      subject: "1",
      user_id: "u1",
      email: "",
      created_at: at,
      last_login_at: at,
    })
    .execute();
  await connection
    .insertInto("passwords")
    .values({ user_id: "u1", hash: "scrypt", changed_at: at })
    .execute();
  await connection
    .insertInto("sessions")
    .values({
      id: "s1",
      user_id: "u1",
      token_hash: "session",
      csrf_secret: "csrf",
      method: "password",
      address: "127.0.0.1",
      user_agent: "",
      created_at: at,
      last_used_at: at,
      expires_at: at,
    })
    .execute();
  await connection
    .insertInto("oidc_logins")
    .values({
      state_hash: "state",
      browser_hash: "browser",
      nonce: "n",
      code_verifier: "v",
      return_to: "/",
      created_at: at,
      expires_at: at,
    })
    .execute();
  await connection
    .insertInto("invitations")
    .values({
      id: "v1",
      token_hash: "invitation",
      purpose: "new-user",
      user_id: null,
      login: "",
      roles: JSON.stringify([{ role: "viewer", instanceId: "i1", namespace: null }]),
      created_by: "u1",
      created_at: at,
      expires_at: at,
    })
    .execute();
  await connection
    .insertInto("roles")
    .values({
      id: "r1",
      user_id: "u1",
      group_name: null,
      instance_id: "i1",
      namespace: "default",
      role: "operator",
      created_at: at,
    })
    .execute();
  await connection
    .insertInto("api_tokens")
    .values({
      id: "t1",
      user_id: "u1",
      name: "ci",
      token_hash: "token",
      scopes: ["read"],
      instance_id: null,
      namespace: null,
      created_at: at,
      expires_at: null,
    })
    .execute();
  await connection
    .insertInto("approval_rules")
    .values({ id: "a1", instance_id: "i1", namespace: null, created_by: "u1", created_at: at })
    .execute();
  await connection
    .insertInto("rate_limits")
    .values({ key: "login:ada", used: 1.5, updated_at: at })
    .execute();
  await connection
    .insertInto("settings")
    .values({ key: "retention", value: JSON.stringify({ days: 90 }), updated_by: "u1", updated_at: at })
    .execute();
}

async function fillJobs(connection: Connection): Promise<void> {
  await connection
    .insertInto("jobs")
    .values({
      id: "j1",
      instance_id: "i1",
      idempotency_key: "k1",
      kind: "release",
      state: "succeeded",
      spec: JSON.stringify({ type: "image" }),
      workload_ids: ["default:deployment/helloworld"],
      namespaces: ["default"],
      summary: "Release helloworld:2",
      plan: JSON.stringify({ steps: [] }),
      plan_digest: "p",
      requested_by: "u1",
      requested_by_name: "Ada",
      requested_at: at,
      decided_by_name: "",
      decision_comment: "",
      daemon_job_id: "d1",
      ended_at: at,
      revision: "abc",
      result: JSON.stringify("done"),
      error: "",
    })
    .execute();
  await connection
    .insertInto("audit")
    .values({
      at,
      actor_kind: "user",
      actor_id: "u1",
      actor_name: "Ada",
      action: "workload.release",
      outcome: "done",
      instance_id: "i1",
      namespace: "default",
      subject: "default:deployment/helloworld",
      detail: JSON.stringify(null),
      address: "127.0.0.1",
      words: "release helloworld ada",
    })
    .execute();
}

async function fillNotifications(connection: Connection): Promise<void> {
  await connection
    .insertInto("notification_channels")
    .values({
      id: "n1",
      name: "ops",
      kind: "slack",
      settings: JSON.stringify({ channel: "#ops" }),
      secret: "encrypted",
      enabled: true,
      created_by: "u1",
      created_at: at,
      updated_at: at,
      last_error: "",
    })
    .execute();
  await connection
    .insertInto("notification_rules")
    .values({
      id: "l1",
      name: "failures",
      enabled: true,
      channel_id: "n1",
      instances: ["i1"],
      namespaces: [],
      event_types: ["sync"],
      severities: ["error"],
      template: null,
      group_by: "instance",
      group_seconds: 30,
      created_by: "u1",
      created_at: at,
      updated_at: at,
    })
    .execute();
  await connection
    .insertInto("notification_outbox")
    .values({
      id: "o1",
      channel_id: "n1",
      rule_id: "l1",
      instance_id: "i1",
      group_key: "i1",
      dedupe_key: "l1/f1",
      event_ids: [1, 2 ** 40],
      payload: JSON.stringify({}),
      state: "pending",
      attempts: 0,
      due_at: at,
      created_at: at,
      error: "",
    })
    .execute();
}
