/** One good request of each source, after the docs of the service, and what follows from it. */
import type { HookAction, HookEndpoint } from "../../src/webhooks/hook.ts";
import { endpointOf, googleToken, type HookHeaders, hmac, sampleKey, snsSignature } from "./webhooks.ts";

/** A good request. */
export interface WebhookSample {
  /** The source, and where it has several kinds of request, which. */
  readonly title: string;
  readonly endpoint: HookEndpoint;
  readonly body: string;
  /** Those of a request with this or another body, signed where the service signs. */
  readonly headers: (body: string) => HookHeaders;
  /** The header that proves whose request it is; undefined where none does. */
  readonly proof?: string;
  readonly actions: readonly HookAction[];
}

/** What is said of an image. */
export function image(domain: string, path: string, ...tags: readonly string[]): HookAction {
  return { kind: "image", name: { domain, image: path }, tags };
}

const masterPushed: HookAction = {
  kind: "git",
  url: "git@git.example.com:team/config.git",
  branch: "master",
};

const githubPush = json({
  ref: "refs/heads/master",
  before: "6113728f27ae82c7b1a177c8d03f9e96e0adf246",
  after: "da1560886d4f094c3e6c9ef40349f7d38b5d27d7",
  created: false,
  deleted: false,
  forced: false,
  commits: [],
  repository: {
    id: 186853002,
    name: "config",
    full_name: "team/config",
    ssh_url: "git@git.example.com:team/config.git",
    clone_url: "https://git.example.com/team/config.git",
  },
  pusher: { name: "somebody" },
});

const githubPackage = json({
  action: "published",
  registry_package: {
    id: 2416775,
    name: "web/frontend",
    namespace: "Team",
    ecosystem: "CONTAINER",
    package_type: "CONTAINER",
    package_version: {
      id: 38123,
      version: "sha256:a607f9535723f072b1db02ddb4f963eb5ec917140bdb2b5127c233d7bbd27149",
      container_metadata: {
        tag: {
          name: "1.2.0",
          digest: "sha256:a607f9535723f072b1db02ddb4f963eb5ec917140bdb2b5127c233d7bbd27149",
        },
      },
      package_url: "ghcr.io/team/web/frontend:1.2.0",
    },
  },
});

const giteaPackage = json({
  action: "created",
  package: {
    id: 7,
    owner: { id: 1, login: "Team" },
    type: "container",
    name: "web",
    version: "1.2.0",
    html_url: "https://git.example.com:3000/Team/-/packages/container/web/1.2.0",
  },
  sender: { login: "somebody" },
});

const gitlabPush = json({
  object_kind: "push",
  ref: "refs/heads/master",
  checkout_sha: "da1560886d4f094c3e6c9ef40349f7d38b5d27d7",
  project: {
    id: 15,
    name: "config",
    git_ssh_url: "git@git.example.com:team/config.git",
    git_http_url: "https://git.example.com/team/config.git",
  },
  commits: [],
  total_commits_count: 4,
});

const bitbucketCloudPush = json({
  push: {
    changes: [
      { old: { type: "branch", name: "gone" }, new: null, closed: true },
      { old: null, new: { type: "branch", name: "master" }, created: true },
    ],
  },
  repository: { type: "repository", full_name: "team/config", name: "config" },
});

const bitbucketServerPush = json({
  eventKey: "repo:refs_changed",
  date: "2020-01-09T18:22:47-0800",
  repository: {
    slug: "config",
    links: {
      clone: [
        { href: "https://git.example.com/scm/team/config.git", name: "http" },
        { href: "ssh://git@git.example.com/team/config.git", name: "ssh" },
      ],
    },
  },
  changes: [
    { ref: { id: "refs/tags/1.0", displayId: "1.0", type: "TAG" }, type: "ADD" },
    { ref: { id: "refs/heads/master", displayId: "master", type: "BRANCH" }, type: "UPDATE" },
  ],
});

const dockerHubPush = json({
  callback_url: "https://registry.hub.docker.com/u/team/web/hook/2141b5bi5i5b02bec211i4eeih0242eg11000a/",
  push_data: { pushed_at: 1417566161, pusher: "somebody", tag: "1.2.0" },
  repository: {
    comment_count: 0,
    description: "",
    is_private: true,
    name: "web",
    namespace: "team",
    repo_name: "team/web",
    repo_url: "https://registry.hub.docker.com/u/team/web/",
    status: "Active",
  },
});

const quayPush = json({
  name: "web",
  repository: "team/web",
  namespace: "team",
  docker_url: "quay.io/team/web",
  homepage: "https://quay.io/repository/team/web",
  updated_tags: ["1.2.0", "latest"],
});

const harborPush = json({
  type: "PUSH_ARTIFACT",
  occur_at: 1586922308,
  operator: "admin",
  event_data: {
    resources: [
      {
        digest: "sha256:8a9e9863dbb6e10edb5adfe917c00da84e1700fa76e7ed02476aa6e6fb8ee0d8",
        tag: "1.2.0",
        resource_url: "hub.example.com/team/web:1.2.0",
      },
    ],
    repository: { name: "web", namespace: "team", repo_full_name: "team/web", repo_type: "private" },
  },
});

const nexusPush = json({
  timestamp: "2020-04-05T21:49:44.219+0000",
  nodeId: "8C4F3E91-CD46AFE0-61B8403D-94526884-19AC4E06",
  initiator: "admin/127.0.0.1",
  repositoryName: "images",
  action: "CREATED",
  component: {
    id: "c770169c0b2e3ed8357368b43d4da3d8",
    format: "docker",
    name: "team/web",
    version: "1.2.0",
  },
});

const googlePush = json({
  message: {
    data: Buffer.from(
      json({
        action: "INSERT",
        digest: "us-east1-docker.pkg.dev/my-project/images/web@sha256:6ec128e26cd5",
        tag: "us-east1-docker.pkg.dev/my-project/images/web:1.2.0",
      }),
    ).toString("base64"),
    messageId: "981636256311680",
    publishTime: "2026-01-30T04:18:04.805Z",
  },
  subscription: "projects/my-project/subscriptions/weir",
});

const distributionEvent = {
  id: "320678d8-ca14-430f-8bb6-4ca139cd83f7",
  timestamp: "2016-03-09T14:44:26.402973972-08:00",
  action: "push",
  target: {
    mediaType: "application/vnd.docker.distribution.manifest.v2+json",
    size: 708,
    digest: "sha256:fea8895f450959fa676bcc1df0611ea93823a735a01205fd8622846041d0c7cf",
    length: 708,
    repository: "team/web",
    url: "http://registry.example.com:5000/v2/team/web/manifests/sha256:fea8895f",
    tag: "1.2.0",
  },
  request: {
    id: "6df24a34-0959-4923-81ca-14f09767db19",
    addr: "192.168.64.11:42961",
    host: "registry.example.com:5000",
    method: "PUT",
    useragent: "curl/7.38.0",
  },
  actor: {},
  source: { addr: "xtal.local:5000", instanceID: "a53db899-3b4b-4a62-a067-8dd013beaca4" },
};

const layerEvent = {
  ...distributionEvent,
  id: "1",
  target: { mediaType: "application/octet-stream", size: 10, digest: "sha256:1", repository: "team/web" },
};

const ecrEvent = json({
  version: "0",
  id: "13cde686-328b-6117-af20-0e5566167482",
  "detail-type": "ECR Image Action",
  source: "aws.ecr",
  account: "123456789012",
  time: "2019-11-16T01:54:34Z",
  region: "us-west-2",
  resources: [],
  detail: {
    result: "SUCCESS",
    "repository-name": "team/web",
    "image-digest": "sha256:7f5b2640fe6fb4f46592dfd3410c4a79dac4f89e4782432e0378abcd1234",
    "action-type": "PUSH",
    "image-tag": "1.2.0",
  },
});

/** The topic of the samples. */
export const topicArn = "arn:aws:sns:us-west-2:123456789012:pushes";

/** A message of SNS, signed; other fields where they are given. */
export function snsMessage(fields: Readonly<Record<string, string>> = {}, hash = "RSA-SHA256"): string {
  const message: Readonly<Record<string, string>> = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: topicArn,
    Message: ecrEvent,
    Timestamp: "2026-01-30T04:18:04.000Z",
    SignatureVersion: "2",
    SigningCertURL:
      "https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    ...fields,
  };
  const signed = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
    .filter((field) => message[field] !== undefined)
    .map((field) => `${field}\n${message[field] ?? ""}\n`)
    .join("");
  return json({ Signature: snsSignature(signed, hash), ...message });
}

const snsHeaders = { "X-Amz-Sns-Message-Type": "Notification" };
const key = sampleKey.toString();
const token = await googleToken();
const ecrImage = image("123456789012.dkr.ecr.us-west-2.amazonaws.com", "team/web", "1.2.0");

export const webhookSamples: readonly WebhookSample[] = [
  {
    title: "GitHub, a push",
    endpoint: endpointOf("GitHub"),
    body: githubPush,
    headers: (body) => ({
      "X-GitHub-Event": "push",
      "X-Hub-Signature-256": `sha256=${hmac("sha256", body)}`,
    }),
    proof: "X-Hub-Signature-256",
    actions: [masterPushed],
  },
  {
    title: "GitHub, an image",
    endpoint: endpointOf("GitHub"),
    body: githubPackage,
    headers: (body) => ({
      "X-GitHub-Event": "registry_package",
      "X-Hub-Signature-256": `sha256=${hmac("sha256", body)}`,
    }),
    proof: "X-Hub-Signature-256",
    actions: [image("ghcr.io", "team/web/frontend", "1.2.0")],
  },
  {
    title: "Gitea, a push",
    endpoint: endpointOf("Gitea"),
    body: githubPush,
    headers: (body) => ({ "X-Gitea-Event": "push", "X-Gitea-Signature": hmac("sha256", body) }),
    proof: "X-Gitea-Signature",
    actions: [masterPushed],
  },
  {
    title: "Gitea, an image",
    endpoint: endpointOf("Gitea"),
    body: giteaPackage,
    headers: (body) => ({ "X-Forgejo-Event": "package", "X-Forgejo-Signature": hmac("sha256", body) }),
    proof: "X-Forgejo-Signature",
    actions: [image("git.example.com:3000", "team/web", "1.2.0")],
  },
  {
    title: "GitLab",
    endpoint: endpointOf("GitLab"),
    body: gitlabPush,
    headers: () => ({ "X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": key }),
    proof: "X-Gitlab-Token",
    actions: [masterPushed],
  },
  {
    title: "BitbucketCloud",
    endpoint: endpointOf("BitbucketCloud", { signed: true }),
    body: bitbucketCloudPush,
    headers: (body) => ({
      "X-Event-Key": "repo:push",
      "X-Hub-Signature": `sha256=${hmac("sha256", body)}`,
    }),
    proof: "X-Hub-Signature",
    actions: [{ kind: "git", url: "git@bitbucket.org:team/config.git", branch: "master" }],
  },
  {
    title: "BitbucketServer",
    endpoint: endpointOf("BitbucketServer"),
    body: bitbucketServerPush,
    headers: (body) => ({
      "X-Event-Key": "repo:refs_changed",
      "X-Hub-Signature": `sha256=${hmac("sha256", body)}`,
    }),
    proof: "X-Hub-Signature",
    actions: [{ kind: "git", url: "ssh://git@git.example.com/team/config.git", branch: "master" }],
  },
  {
    title: "DockerHub",
    endpoint: endpointOf("DockerHub"),
    body: dockerHubPush,
    headers: () => ({}),
    actions: [image("", "team/web", "1.2.0")],
  },
  {
    title: "Quay",
    endpoint: endpointOf("Quay"),
    body: quayPush,
    headers: () => ({}),
    actions: [image("quay.io", "team/web", "1.2.0", "latest")],
  },
  {
    title: "Harbor",
    endpoint: endpointOf("Harbor"),
    body: harborPush,
    headers: () => ({ Authorization: key }),
    proof: "Authorization",
    actions: [image("hub.example.com", "team/web", "1.2.0")],
  },
  {
    title: "Nexus",
    endpoint: endpointOf("Nexus", { registryHost: "images.example.com" }),
    body: nexusPush,
    headers: (body) => ({
      "X-Nexus-Webhook-Id": "rm:repository:component",
      "X-Nexus-Webhook-Signature": hmac("sha1", body),
    }),
    proof: "X-Nexus-Webhook-Signature",
    actions: [image("images.example.com", "team/web", "1.2.0")],
  },
  {
    title: "GoogleContainerRegistry",
    endpoint: endpointOf("GoogleContainerRegistry", {
      google: {
        audience: "https://hooks.example.com",
        email: "pusher@my-project.iam.gserviceaccount.com",
      },
    }),
    body: googlePush,
    headers: () => ({ Authorization: `Bearer ${token}` }),
    proof: "Authorization",
    actions: [image("us-east1-docker.pkg.dev", "my-project/images/web", "1.2.0")],
  },
  {
    title: "Distribution",
    endpoint: endpointOf("Distribution"),
    body: json({ events: [layerEvent, distributionEvent] }),
    headers: () => ({ Authorization: `Bearer ${key}` }),
    proof: "Authorization",
    actions: [image("registry.example.com:5000", "team/web", "1.2.0")],
  },
  {
    title: "AzureContainerRegistry",
    endpoint: endpointOf("AzureContainerRegistry"),
    body: json({ ...distributionEvent, request: { host: "team.azurecr.io", method: "PUT" } }),
    headers: () => ({ Authorization: `Bearer ${key}` }),
    proof: "Authorization",
    actions: [image("team.azurecr.io", "team/web", "1.2.0")],
  },
  {
    title: "AmazonECR, of EventBridge",
    endpoint: endpointOf("AmazonECR"),
    body: ecrEvent,
    headers: () => ({ "X-Api-Key": key }),
    proof: "X-Api-Key",
    actions: [ecrImage],
  },
  {
    title: "AmazonECR, of SNS",
    endpoint: endpointOf("AmazonECR", { topicArn }),
    body: snsMessage(),
    headers: () => snsHeaders,
    actions: [ecrImage],
  },
  ...genericSamples(),
];

function genericSamples(): readonly WebhookSample[] {
  const endpoint = endpointOf("Generic");
  const cases: readonly (readonly [title: string, payload: object, action: HookAction])[] = [
    [
      "an image",
      { image: "registry.example.com/team/web:1.2.0" },
      image("registry.example.com", "team/web", "1.2.0"),
    ],
    ["a push", { url: masterPushed.kind === "git" ? masterPushed.url : "", branch: "master" }, masterPushed],
  ];
  return cases.map(([title, payload, action]) => {
    const body = json(payload);
    return {
      title: `Generic, ${title}`,
      endpoint,
      body,
      headers: (signed) => ({ "X-Signature": `sha256=${hmac("sha256", signed)}` }),
      proof: "X-Signature",
      actions: [action],
    };
  });
}

function json(value: object): string {
  return JSON.stringify(value);
}
