// `npm start`: builds the page and serves it; with --dev, Vite's development server on the same compiled module.
import { join } from "node:path";
import * as util from "node:util";
import { bundle, compileModule, ensureModules } from "./build.mjs";
import { ensurePackages } from "./packages.mjs";
import { main, root, Stop } from "./terminal.mjs";

const usage = "npm start -- [--port NUMBER] [--host ADDRESS]";

function readOptions() {
  const options = { port: { type: "string" }, host: { type: "string" }, dev: { type: "boolean" } };
  try {
    const { values } = util.parseArgs({ options });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) {
      throw new Error(`--port takes a number from 1 to 65535, not "${values.port}"`);
    }
    return { ...values, port };
  } catch (error) {
    throw new Stop(`${error.message}\n${usage}`);
  }
}

async function serve({ dev, port, host = "localhost" }) {
  const { createServer, preview } = await import("vite");
  // A port that was asked for must be free; the default one may give way to the next.
  const place = { host, strictPort: port !== undefined };
  const config = { configFile: join(root, "web/vite.config.ts"), logLevel: "warn" };
  if (dev) {
    const server = await createServer({ ...config, server: { ...place, port: port ?? 5173 } });
    await server.listen();
    return server;
  }
  return preview({ ...config, preview: { ...place, port: port ?? 4173 } });
}

await main(async () => {
  const options = readOptions();
  await ensurePackages("page");
  await ensureModules();
  await compileModule();
  if (!options.dev) await bundle();

  const server = await serve(options).catch((error) => {
    throw new Stop(`The page cannot be served: ${error.message}`);
  });
  const { local = [], network = [] } = server.resolvedUrls ?? {};
  console.log(`\nThe page is at ${[...local, ...network].join(" and ")} (Ctrl-C ends it)`);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => process.exit(0));
  }
});
