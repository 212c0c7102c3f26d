/**
 * All limits for input from outside, with the reason for each size. A sender that exceeds one is hostile or broken, and
 * gets an error that names the limit; no real installation comes close. Sizes are in bytes unless the name says
 * otherwise.
 */

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const gigabyte = 1024 * megabyte;

/**
 * Limits for the files of a repository. An API server accepts objects of at most 3 MiB of JSON, or 256 KiB if they're
 * applied the way kubectl does. So these limits leave room for comments, indentation, and lists of thousands of
 * objects. If a single object is within these limits but too large for the server, the server refuses it, and the
 * others are applied.
 */
export const manifestLimits = {
  /** One file. It can contain any number of documents, of which only one is parsed at a time. */
  file: 32 * megabyte,
  /** A file to edit, which is parsed with its comments and written as a whole, in one step. */
  editedFile: 5 * megabyte,
  /** Values in a file to edit, each of which takes memory. */
  editedValues: 400_000,
  /** A file that configures generators, which contains a few commands. */
  configFile: megabyte,
  /** Characters of one YAML document as written: a list of several thousand objects. */
  documentCharacters: 8 * megabyte,
  /** Characters of one string in a document: no object with a longer one can be sent to a cluster. */
  scalarCharacters: 4 * megabyte,
  /** Keys, values, and collections in the text of one document. Each takes several hundred bytes of memory. */
  nodes: 150_000,
  /** Characters of one YAML document when it's printed: aliases can turn a small text into a huge one. */
  writtenCharacters: 32 * megabyte,
  /**
   * All files of a repository together, as read or as printed, whichever is larger. Each byte takes about ten bytes of
   * memory.
   */
  sum: 64 * megabyte,
  /**
   * The number of problems to report for one document; with all of them, the message could be larger than the document.
   */
  toldFaults: 100,
} as const;

/** Limits for the output of generators. */
export const generatorLimits = {
  /** Standard output: the same as for a manifest file. */
  output: 32 * megabyte,
  /** How much output is searched for Secrets when a command fails; longer output isn't shown. */
  searchedForSecrets: 4 * megabyte,
} as const;

/** Limits for what a git repository and its server can send, and for what's created from it on the disk. */
export const gitLimits = {
  /** The output of a command that lists files, changes, or refs. A list of 250,000 files has 30 MB. */
  listing: 32 * megabyte,
  /** Lists of commits, or of notes on commits: enough for two million, while Linux has 1.3 million. */
  history: 256 * megabyte,
  /** One note: the result of a release of thousands of workloads has several megabytes. */
  note: 32 * megabyte,
  /** Standard output of any other command: a hash, or nothing. */
  answer: megabyte,
  /** Everything that git and the server print on standard error: one line per ref adds up to several megabytes. */
  messages: 64 * megabyte,
  /** Files and folders in a commit to check out: Linux has 90,000. */
  files: 250_000,
  /** Their total size: Linux has 1.4 GiB. */
  content: 2 * gigabyte,
  /** One path. Linux allows 4,095 bytes, including the folder of the checkout. */
  path: 3_500,
  /** The data of one fetch or clone: more than several times the history of Linux. */
  fetched: 8 * gigabyte,
} as const;

/** The same limits with other numbers, for tests. */
export type GitLimits = Readonly<Record<keyof typeof gitLimits, number>>;

/** Limits for what git-secret hides in a repository, in bytes except for the number of files. */
export const gitSecretLimits = {
  /** The list of the hidden files. */
  mapping: megabyte,
  files: 10_000,
  /** One encrypted file. */
  encrypted: 32 * megabyte,
  /** All revealed files together: a small encrypted file can contain any number of zeros. */
  revealed: 64 * megabyte,
} as const;

/**
 * Limits for the responses of an API server, and of what provides our credentials. etcd stores objects of at most 1.5
 * MiB, which are about three times as large in JSON.
 */
export const kubernetesLimits = {
  /** The size of any response or line of a watch that's always allowed; only a few larger ones are read at a time. */
  usualAnswer: 256 * kilobyte,
  /** How many larger responses are read at a time, so that a hostile server can't fill the memory with many of them. */
  largeAnswers: 3,
  /** One response. If a page of a list is larger, it's requested again in smaller pages. */
  answer: 8 * megabyte,
  /** The version of the server, which has about five hundred bytes. */
  version: 64 * kilobyte,
  /** A list that must be read in one response, because its pages expired before the last one was read. */
  wholeList: 256 * megabyte,
  /** An OpenAPI document: before Kubernetes 1.24, there's one for all kinds, including custom ones. */
  openApi: 64 * megabyte,
  /** A line of a watch, which contains one object. */
  watchLine: 8 * megabyte,
  /** What's kept of a line of a container's log. */
  logLine: 192 * kilobyte,
  /** An error response: it may quote the whole object, and anything beyond this isn't read. */
  refusal: 8 * megabyte,
  /** Objects in one list: Kubernetes is designed for 150,000 pods. */
  listedObjects: 1_000_000,
  /** The output of a credential plugin: a token or a certificate. */
  execOutput: megabyte,
  /** A response of an OpenID Connect issuer: its capabilities, or new tokens. */
  issuerAnswer: megabyte,
  /** A file with a token, a certificate, or a key. */
  credentialFile: 4 * megabyte,
  /** A kubeconfig, which may contain hundreds of clusters with their certificates. */
  kubeConfig: 32 * megabyte,
  /** One message of a forwarded port: servers send at most 32 KiB. */
  portMessage: 4 * megabyte,
} as const;

/** Limits for the responses of registries. */
export const registryLimits = {
  /** A manifest: registries accept at most 4 MiB. */
  manifest: 4 * megabyte,
  /** An image's configuration. */
  config: 4 * megabyte,
  /** One page of tags. */
  tagPage: 8 * megabyte,
  tagPages: 2_000,
  tags: 100_000,
  /** The response to a ping or a token request. */
  smallAnswer: megabyte,
} as const;

/** Limits for the responses of clouds: credentials, tokens, and decrypted keys have a few kilobytes. */
export const cloudLimits = {
  answer: megabyte,
} as const;

/** Limits for responses of memcached, to which everyone who can reach its port can write. */
export const memcachedLimits = {
  /** One value: the record of a repository with as many tags as `registryLimits` allows has about 40 MB. */
  value: 64 * megabyte,
  /** A line other than a value: keys have at most 250 bytes. */
  line: 2 * kilobyte,
  /** Objects and lists in one record: two for each tag. Many empty ones would take far more memory than their text. */
  containers: 210_000,
  /** Characters in the record of one tag; real ones have fewer than a thousand. */
  entry: 64 * kilobyte,
} as const;

/** Limits for what callers of the HTTP API can send. */
export const apiLimits = {
  /** One body: a release of 10,000 containers takes about 3 MiB. */
  body: 4 * megabyte,
  /** The body of a notice, or of a single Boolean: the name of one repository or image. */
  smallBody: 64 * kilobyte,
  /** All bodies that are being read at the same time, not counting the first `freeBody` bytes of each. */
  bodies: 8 * megabyte,
  /** Requests from people are smaller than this, so they're accepted even while others send a lot. */
  freeBody: 16 * kilobyte,
  /** Values and keys in a body, which take far more time and memory than its bytes: 10,000 containers have 90,000. */
  bodyValues: 150_000,
  /** How deep objects and lists in a body can be nested; real requests have five levels. */
  bodyDepth: 64,
  /** Waiting jobs, however small: each one needs a clone and a push, so the last one waits for about an hour. */
  waitingJobs: 1_000,
  /** The memory of waiting jobs: about four releases of 10,000 containers, or thousands of usual ones. */
  waitingJobsWeight: 24 * megabyte,
  /** The memory for finished jobs; with 500 workloads in git, that's enough for more than the last hundred. */
  endedJobsWeight: 8 * megabyte,
  /** The memory for events, which repeat the requests. */
  eventsWeight: 8 * megabyte,
  /** All headers of a request, same as in Go's server: a query can name thousands of workloads. */
  headers: megabyte,
  /** Far more connections than people and dashboards open at a time, and far fewer than the file descriptors. */
  connections: 2_000,
} as const;

/** Limits for what a daemon can send to its command line. */
export const daemonLimits = {
  /** Ten thousand images with all their metadata have about 4 MiB; a parsed text takes several times its size. */
  success: 128 * megabyte,
  /** An error has a few lines, or is the error page of a proxy. */
  refusal: megabyte,
} as const;

/** Limits for what an upstream (`--connect`) can send, and for what a console accepts from a daemon. */
export const upstreamLimits = {
  /** One call from the upstream. */
  message: 8 * megabyte,
  /** Frames of one message, each of which takes memory even if it's small; daemons send 4 KiB in each. */
  fragments: 16 * kilobyte,
  /** How deep objects and lists can be nested, same as in Go's decoder. */
  depth: 10_000,
  /** Calls that are handled at the same time. */
  calls: 100,
  /** The response to an event: empty, or an error. */
  eventAnswer: megabyte,
  /** One response of a daemon: image lists and exports of large clusters are long. */
  answer: 256 * megabyte,
} as const;

/** Limits for what senders of webhooks can send. */
export const webhookLimits = {
  /** About images. */
  imageBody: megabyte,
  /**
   * From senders whose only secret is the URL. Docker Hub's longest request contains a description of 25,000
   * characters.
   */
  unprovenBody: 128 * kilobyte,
  /** About pushes: GitHub lists up to 2,048 commits and their files. */
  pushBody: 4 * megabyte,
  /** Bitbucket Cloud's pushes: at most five refs, and five commits for each. */
  bitbucketCloudBody: 512 * kilobyte,
  headers: 16 * kilobyte,
  /** Senders are quick. If all connections are in use, one that makes us wait is closed for the next. */
  connections: 64,
} as const;

/**
 * Limits for scripts that judge the health of objects. They run in the process, and nothing else happens meanwhile. The
 * scripts of Argo CD need less than a thousandth of this.
 */
export const luaLimits = {
  /** The source of one script. */
  script: 256 * kilobyte,
  /** Operations in one evaluation; they take a fraction of a second. */
  steps: 1_000_000,
  /** All that one evaluation makes. Tables take several times as much memory as is counted. */
  bytes: 16 * megabyte,
  /** Calls within each other: several times as many frames on the stack of the process. */
  depth: 100,
  /** Characters of the message that a script returns, or fails with. */
  messageCharacters: 16 * kilobyte,
} as const;
