// The engine in a worker of its own: requests in, replies out.
import { Engine } from "./engine.ts";
import type { Reply, Request } from "./protocol.ts";

const engine = new Engine();
const post = (reply: Reply) => self.postMessage(reply);

self.addEventListener("message", (event: MessageEvent<Request>) => void engine.answer(event.data, post));
