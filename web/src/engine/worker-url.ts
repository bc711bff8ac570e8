// The worker's address, and a worker made from it under strict policies: Trusted Types, a page on another origin.
import workerFile from "./worker.ts?worker&url";

const NAME = "softalign";

/** Absolute, since a blob has no place that an address could be relative to. */
export const WORKER_URL = new URL(workerFile, import.meta.url).href;

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

/** Addresses that a worker may be made of: its own, and that of a blob that imports it. */
const admitted = new Set([WORKER_URL]);

export function admit(url: string): string {
  if (admitted.has(url)) return url;
  throw new TypeError(`no worker is made of ${url}`);
}

let policy: ScriptUrlPolicy | null | undefined;

/** None where the browser knows no Trusted Types, or the page's policy does not list `softalign`. */
function makePolicy(): ScriptUrlPolicy | null {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy("softalign", { createScriptURL: admit }) ?? null;
  } catch {
    return null;
  }
}

/** The address as a page wants it that demands Trusted Types. */
function trusted(url: string): string {
  policy = policy === undefined ? makePolicy() : policy;
  return (policy?.createScriptURL(url) ?? admit(url)) as string;
}

/**
 * The program of a blob that imports the worker: browsers refuse a worker of another origin's file, but let one import it;
 * a classic one, since in a frame that is its own origin a module may not be a blob. Keeps what comes before the import is
 * done, and breaks when it fails.
 */
const importing = (url: string) => `const waiting = [];
onmessage = ({ data }) => waiting.push(data);
import(${JSON.stringify(url)}).then(
  () => {
    onmessage = null;
    for (const data of waiting) dispatchEvent(new MessageEvent("message", { data }));
  },
  (error) => setTimeout(() => { throw error; }),
);`;

function fromBlob(): Worker {
  const url = URL.createObjectURL(new Blob([importing(WORKER_URL)], { type: "text/javascript" }));
  const revoke = () => URL.revokeObjectURL(url);
  admitted.add(url);
  try {
    const worker = new Worker(trusted(url), { name: NAME });
    for (const sign of ["message", "error"]) worker.addEventListener(sign, revoke, { once: true });
    return worker;
  } catch (error) {
    revoke();
    throw error;
  } finally {
    admitted.delete(url);
  }
}

/** A new worker; throws, or its worker breaks, where the document may have none. */
export function newWorker(): Worker {
  if (new URL(WORKER_URL).origin !== globalThis.origin) return fromBlob();
  return new Worker(trusted(WORKER_URL), { type: "module", name: NAME });
}
