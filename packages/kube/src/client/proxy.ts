import { request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import { toError } from "@weir/base";
import { hostOf, portOf, ready } from "./socket.ts";

/**
 * Connects to host:port through a proxy: http and https proxies with CONNECT, socks5 proxies with the SOCKS
 * protocol. The URL can contain a user name and password, which never appear in a message.
 */
export async function openTunnel(
  proxyUrl: string,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  if (!URL.canParse(proxyUrl)) {
    throw new Error("proxy-url is not a URL");
  }
  const proxy = new URL(proxyUrl);
  switch (proxy.protocol) {
    case "http:":
    case "https:":
      return connectThrough(proxy, host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`, signal);
    case "socks5:":
    case "socks5h:":
      return socksThrough(proxy, { host, port }, signal);
    default:
      throw new Error(`proxy-url has an unknown scheme "${proxy.protocol}"`);
  }
}

function connectThrough(proxy: URL, authority: string, signal: AbortSignal): Promise<Socket> {
  const options: RequestOptions = {
    host: hostOf(proxy),
    port: portOf(proxy),
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, ...authorization(proxy) },
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === "https:" ? secureRequest(options) : plainRequest(options);
    request.on("error", (error) =>
      reject(new Error(`proxy ${proxy.host}: ${error.message}`, { cause: error })),
    );
    request.on("connect", (response, socket) => {
      if (response.statusCode === 200) {
        resolve(socket);
      } else {
        socket.destroy();
        reject(new Error(`proxy ${proxy.host} refused with status ${response.statusCode ?? 0}`));
      }
    });
    request.end();
  });
}

async function socksThrough(
  proxy: URL,
  destination: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { SocksClient } = await import("socks");
  const user =
    proxy.username === ""
      ? {}
      : { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
  const at = { host: hostOf(proxy), port: proxy.port === "" ? 1080 : Number(proxy.port) };
  // The library can't be aborted, but ends with its socket.
  const socket = connectTcp(at);
  const aborted = (): void => void socket.destroy();
  signal.addEventListener("abort", aborted, { once: true });
  try {
    await ready(socket, "connect", signal);
    await SocksClient.createConnection({
      proxy: { ...at, type: 5, ...user },
      command: "connect",
      destination,
      existing_socket: socket,
    });
    return socket;
  } catch (error) {
    // The library's errors contain its options, including the password: pass on only the message.
    socket.destroy();
    throw new Error(`proxy ${proxy.host}: ${toError(error).message}`);
  } finally {
    signal.removeEventListener("abort", aborted);
  }
}

function authorization(proxy: URL): { readonly "Proxy-Authorization"?: string } {
  if (proxy.username === "") {
    return {};
  }
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
