// A small static server whose headers and MIME types a test can set, and which remembers what it was asked for.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

const mimeTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".safetensors": "application/octet-stream",
};

export interface Serving {
  /** The folder of the built page on the server, with slashes at both ends. */
  prefix?: string;
  /** Headers of every response. */
  headers?: Record<string, string>;
  /** MIME types that differ from the usual, by extension. */
  mime?: Record<string, string>;
  /** Whole pages by path, beside the built one. */
  pages?: Record<string, string>;
  /** Compresses what is not compressed yet, as a static host would. */
  gzip?: boolean;
  /** Paths (by their end) that answer with this status instead of the file. */
  broken?: Record<string, number>;
}

export interface Site {
  origin: string;
  /** Address of the built page. */
  url: string;
  /** What was asked for; `bytes` is the size of the body as it went over the wire. */
  requests: { path: string; status: number; bytes: number }[];
  close(): Promise<void>;
}

export async function serve({
  prefix = "/",
  headers = {},
  mime = {},
  pages = {},
  gzip = false,
  broken = {},
}: Serving = {}): Promise<Site> {
  const requests: Site["requests"] = [];

  async function find(path: string): Promise<{ status: number; type: string; body: Buffer | string }> {
    const page = pages[path];
    if (page !== undefined) return { status: 200, type: "text/html; charset=utf-8", body: page };
    const failure = Object.entries(broken).find(([end]) => path.endsWith(end));
    if (failure) return { status: failure[1], type: "text/plain", body: "broken for a test" };
    if (!path.startsWith(prefix)) return { status: 404, type: "text/plain", body: "not here" };
    const file = normalize(path.slice(prefix.length)) === "." ? "index.html" : normalize(path.slice(prefix.length));
    const type = mime[extname(file)] ?? mimeTypes[extname(file)] ?? "application/octet-stream";
    try {
      return { status: 200, type, body: await readFile(join(DIST, file)) };
    } catch {
      return { status: 404, type: "text/plain", body: "not here" };
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const { status, type, body } = await find(path);
    const packed = gzip && extname(path) !== ".woff2";
    const sent = packed ? gzipSync(body, { level: 9 }) : body;
    requests.push({ path, status, bytes: Buffer.byteLength(sent) });
    const encoding = packed ? { "content-encoding": "gzip" } : {};
    response.writeHead(status, {
      "content-type": type,
      "content-length": Buffer.byteLength(sent),
      ...encoding,
      ...headers,
    });
    response.end(sent);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin, url: `${origin}${prefix}`, requests, close };
}
