/** What browsers send, as recorded; a page can add to the headers, but neither take away nor forge these. */

const chrome = {
  connection: "keep-alive",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
  accept: "*/*",
  "accept-encoding": "gzip, deflate",
  "accept-language": "en-US,en;q=0.9",
};

/** To a name under http:, which browsers do not trust enough to say where a request comes from. */
export const chromeToName = chrome;

/** To this machine, or under https:. */
export const chromeTrusting = {
  ...chrome,
  "sec-ch-ua-platform": '"Linux"',
  "sec-ch-ua": '"Not:A-Brand";v="8", "Chromium";v="139"',
  "sec-ch-ua-mobile": "?0",
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
  "accept-encoding": "gzip, deflate, br, zstd",
};

/** To a name under http:, from a page that hides what it can: Firefox lets it change the User-Agent. */
export const firefoxHiding = {
  "user-agent": "curl/8.5.0",
  accept: "*/*",
  "accept-language": "",
  "accept-encoding": "gzip, deflate",
  connection: "keep-alive",
  priority: "u=4",
};

/** Of a person who typed an address under https:. */
export const chromeTyped = {
  ...chromeTrusting,
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "upgrade-insecure-requests": "1",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
};

type Requests = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What programs send that show what they are. */
export const knownPrograms: Requests = {
  "fluxctl of Flux v1": {
    "user-agent": "Go-http-client/1.1",
    accept: "application/json",
    "accept-encoding": "gzip",
  },
  fluxctl: { "user-agent": "fluxctl/1.0.0", accept: "application/json" },
  "a probe": { "user-agent": "kube-probe/1.31", accept: "*/*", connection: "close" },
  Prometheus: {
    "user-agent": "Prometheus/2.53.0",
    accept: "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
    "accept-encoding": "gzip",
    "x-prometheus-scrape-timeout-seconds": "10",
  },
};

/** What other programs send. */
export const otherPrograms: Requests = {
  curl: { "user-agent": "curl/8.5.0", accept: "*/*" },
  PowerShell: {
    "user-agent": "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.1682",
  },
  "a monitoring service": {
    "user-agent": "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  },
  "fetch of Node": {
    connection: "keep-alive",
    accept: "*/*",
    "accept-language": "*",
    "sec-fetch-mode": "cors",
    "user-agent": "node",
    "accept-encoding": "gzip, deflate",
  },
};
