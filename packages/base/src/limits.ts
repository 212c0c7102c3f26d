/**
 * Every cap on what comes in from outside, with the reason for its size. Whoever sends more is hostile or broken, and
 * is refused by name; nothing that a real installation sends comes near a cap. Sizes are in bytes unless the name
 * says otherwise.
 */

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const gigabyte = 1024 * megabyte;

/**
 * What a repository's files may hold. An API server takes objects of at most 3 MiB of JSON, and what is applied as
 * kubectl does it has at most 256 KiB; so these caps leave room for comments, indentation, and lists of thousands of
 * objects. A single object that is too large for the server, and below these caps, is the server's to refuse: then
 * the others are applied.
 */
export const manifestLimits = {
  /** One file. It may hold any number of documents; of these, only one at a time is taken apart. */
  file: 32 * megabyte,
  /** A file that is edited: it is read with its comments and written as a whole, at one go. */
  editedFile: 5 * megabyte,
  /** Values in a file that is edited: each takes its share of memory. */
  editedValues: 400_000,
  /** A file that configures generators: a few commands. */
  configFile: megabyte,
  /** Characters of one YAML document as it stands: a list of some thousands of objects. */
  documentCharacters: 8 * megabyte,
  /** Characters of one string in it: no object with a longer one can reach a cluster. */
  scalarCharacters: 4 * megabyte,
  /** Keys, values and collections in the text of one document. Each takes some hundred bytes of memory. */
  nodes: 150_000,
  /** Characters of one YAML document that is written: aliases can make a huge one of a small text. */
  writtenCharacters: 32 * megabyte,
  /** All files of a repository together, as read or as written again, whichever is more. Each byte takes some ten of memory. */
  sum: 64 * megabyte,
  /** Faults of one document that are told; all of them would make a message larger than the document. */
  toldFaults: 100,
} as const;

/** What generators may print. */
export const generatorLimits = {
  /** Standard output: as much as a manifest file may hold. */
  output: 32 * megabyte,
  /** How much of the output is searched for Secrets when a command fails; beyond it the output is withheld. */
  searchedForSecrets: 4 * megabyte,
} as const;

/** What a git repository and its server may send, and what may be made of it on the disk. */
export const gitLimits = {
  /** What a command lists: files, changes, refs. A list of 250,000 files has 30 MB. */
  listing: 32 * megabyte,
  /** Commits, or notes on commits: two millions of them, where Linux has 1.3. */
  history: 256 * megabyte,
  /** One note: the result of a release of thousands of workloads takes a few megabytes. */
  note: 32 * megabyte,
  /** What any other command prints on standard output: a hash, or nothing. */
  answer: megabyte,
  /** All that git and the server behind it say on standard error: a line for each ref is a few megabytes. */
  messages: 64 * megabyte,
  /** Files and folders of a commit that is checked out: Linux has 90,000. */
  files: 250_000,
  /** Their content together: Linux has 1.4 GiB. */
  content: 2 * gigabyte,
  /** One path. Linux takes 4,095 bytes, and what is before it is the folder of the checkout. */
  path: 3_500,
  /** What one fetch or clone may bring: several times the history of Linux would be more. */
  fetched: 8 * gigabyte,
} as const;

/** The same with other numbers, for tests. */
export type GitLimits = Readonly<Record<keyof typeof gitLimits, number>>;

/**
 * What an API server may answer, and what gives us its credentials. etcd keeps objects of at most 1.5 MiB, which are
 * some three times as long as JSON.
 */
export const kubernetesLimits = {
  /** What each answer and each line of a watch may have without asking; more is read of few at the same time. */
  usualAnswer: 256 * kilobyte,
  /** So many are longer than usual at the same time, lest a hostile server fills the memory by all of them together. */
  largeAnswers: 3,
  /** One answer. A page of a list that is longer is asked for again in smaller pages. */
  answer: 8 * megabyte,
  /** The version of the server, which has some five hundred. */
  version: 64 * kilobyte,
  /** A list that has to come as one: its pages were forgotten before it ended. */
  wholeList: 256 * megabyte,
  /** An OpenAPI document: before Kubernetes 1.24 there is one for all kinds, custom ones included. */
  openApi: 64 * megabyte,
  /** A line of a watch: one object. */
  watchLine: 8 * megabyte,
  /** A refusal: it may quote the whole object, of which nothing beyond this is read. */
  refusal: 8 * megabyte,
  /** Objects in one list: Kubernetes is made for 150,000 pods. */
  listedObjects: 1_000_000,
  /** What a credential plugin prints: a token or a certificate. */
  execOutput: megabyte,
  /** An answer of an OpenID Connect issuer: what it can do, or new tokens. */
  issuerAnswer: megabyte,
  /** A file with a token, a certificate or a key. */
  credentialFile: 4 * megabyte,
  /** A kubeconfig, which may hold hundreds of clusters with their certificates. */
  kubeConfig: 32 * megabyte,
  /** One message of a forwarded port: servers send at most 32 KiB. */
  portMessage: 4 * megabyte,
} as const;

/** What registries and the clouds that give credentials for them may answer. */
export const registryLimits = {
  /** A manifest: registries themselves accept at most 4 MiB. */
  manifest: 4 * megabyte,
  /** An image's configuration. */
  config: 4 * megabyte,
  /** One page of tags. */
  tagPage: 8 * megabyte,
  tagPages: 2_000,
  tags: 100_000,
  /** The answer to a ping, a token request or a cloud's metadata service. */
  smallAnswer: megabyte,
} as const;

/** What memcached may answer: whoever reaches its port can put anything into it. */
export const memcachedLimits = {
  /** One value: the record of a repository with as many tags as `registryLimits` allows has some 40 MB. */
  value: 64 * megabyte,
  /** A line beside the values: keys have at most 250 bytes. */
  line: 2 * kilobyte,
  /** Objects and lists in one record: two for each tag, and many empty ones make much of a short text. */
  containers: 210_000,
  /** Characters of the record of one tag; real ones have less than a thousand. */
  entry: 64 * kilobyte,
} as const;

/** What callers of the HTTP API may send. */
export const apiLimits = {
  /** One body: a release of 10,000 containers takes about 3 MiB. */
  body: 4 * megabyte,
  /** A body that holds a notice, or a yes or no: what names one repository or image. */
  smallBody: 64 * kilobyte,
  /** All bodies that are being read at the same time, but for the first `freeBody` bytes of each. */
  bodies: 8 * megabyte,
  /** What people send is smaller: who sends no more is not sent away because others send much. */
  freeBody: 16 * kilobyte,
  /** Values and keys in a body, which cost far more time and memory than its bytes: 10,000 containers have 90,000. */
  bodyValues: 150_000,
  /** Objects and lists in one another: what is asked for has five. */
  bodyDepth: 64,
  /** Jobs that wait, however small: each takes a clone and a push, so that the last waits for an hour or so. */
  waitingJobs: 1_000,
  /** What they hold in memory: about four releases of 10,000 containers, or thousands of usual ones. */
  waitingJobsWeight: 24 * megabyte,
  /** What is remembered of jobs that have ended; with 500 workloads in git that is more than the last hundred. */
  endedJobsWeight: 8 * megabyte,
  /** What is remembered of events, which repeat what was asked for. */
  eventsWeight: 8 * megabyte,
  /** All headers of a request, as Go's server takes them: a query may name thousands of workloads. */
  headers: megabyte,
  /** Far more than people and dashboards have open at once, far fewer than file descriptors. */
  connections: 2_000,
} as const;

/** What a daemon may answer its command line. */
export const daemonLimits = {
  /** Ten thousand images with all that is known of them are about 4 MiB; parsed, a text takes several times its size. */
  success: 128 * megabyte,
  /** An error is a few lines, or the page of a proxy. */
  refusal: megabyte,
} as const;

/** What an upstream (`--connect`) may send, and what a console takes from a daemon. */
export const upstreamLimits = {
  /** One call of the upstream's. */
  message: 8 * megabyte,
  /** Frames of one message, each of which costs memory however small it is: daemons send 4 KiB in each. */
  fragments: 16 * kilobyte,
  /** Objects and lists in one another, as Go's decoder takes them. */
  depth: 10_000,
  /** Calls that are answered at the same time. */
  calls: 100,
  /** What it says to an event: nothing, or an error. */
  eventAnswer: megabyte,
  /** One answer of a daemon: images and exports of large clusters are long. */
  answer: 256 * megabyte,
} as const;

/** What senders of webhooks may send. */
export const webhookLimits = {
  /** About images. */
  imageBody: megabyte,
  /** Where nothing but the URL is secret. Docker Hub's longest holds a description of 25,000 characters. */
  unprovenBody: 128 * kilobyte,
  /** About pushes: GitHub names up to 2,048 commits and their files. */
  pushBody: 4 * megabyte,
  /** Bitbucket Cloud's pushes: five refs and five commits of each at the most. */
  bitbucketCloudBody: 512 * kilobyte,
  headers: 16 * kilobyte,
  /** Senders are quick. Where all are taken, one that keeps us waiting is given up for the next. */
  connections: 64,
} as const;
