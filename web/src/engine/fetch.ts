// Fetches the module and weights as bytes, telling how much has come.
import { messages } from "./messages.ts";
import { EngineError } from "./protocol.ts";

/** Bytes that have arrived; `total` is 0 where the server does not say. */
export interface Progress {
  loaded: number;
  total: number;
}

/** Reads a whole file, telling how many bytes have come. Any MIME type will do. */
export async function fetchBytes(
  url: string,
  onProgress: (progress: Progress) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = new URL(url).pathname.split("/").pop() ?? url;
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new EngineError("NO_FILE", messages.fileUnreachable(name));
  }
  if (!response.ok) throw new EngineError("NO_FILE", messages.fileMissing(name, response.status));
  // A compressed response states its packed size, which the bytes read would overrun.
  const packed = response.headers.get("content-encoding") !== null;
  const total = packed ? 0 : Number(response.headers.get("content-length") ?? 0);
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  try {
    const reader = response.body?.getReader();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      chunks.push(chunk.value);
      loaded += chunk.value.length;
      onProgress({ loaded, total });
    }
  } catch {
    throw new EngineError("NO_FILE", messages.fileCutOff(name, loaded));
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
