// Which system packages the page and the tests need, and how the missing ones are installed on Debian and Ubuntu.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { main, quietly, Stop, step } from "./terminal.mjs";

const onPath = (...names) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

const inTree = (path) => ["/usr", "/usr/local", "/opt/homebrew"].some((prefix) => existsSync(join(prefix, path)));

/** The browser of the tests: CHROMIUM from the environment, else the first one found on PATH. */
export const chromium = () => process.env.CHROMIUM ?? onPath("chromium", "google-chrome-stable", "google-chrome");

// A LibTorch of one's own is found by CMake through either of these.
const ownTorch = () => process.env.Torch_DIR ?? process.env.CMAKE_PREFIX_PATH;

// One row a package: its Debian name, whether the page needs it or only the tests, how it may be there without dpkg
// knowing, and, where the rest can run without it, what is missing then.
const needs = [
  { name: "cmake", page: true, found: () => onPath("cmake") },
  { name: "ninja-build", page: true, found: () => onPath("ninja") },
  { name: "emscripten", page: true, found: () => process.env.EMSDK || onPath("em++") },
  { name: "libeigen3-dev", page: true, found: () => inTree("include/eigen3/Eigen/Core") },
  { name: "g++", found: () => onPath("g++") },
  { name: "ccache", found: () => onPath("ccache") },
  { name: "libgtest-dev", found: () => inTree("src/googletest/googletest/src/gtest-all.cc") },
  { name: "nlohmann-json3-dev", found: () => inTree("include/nlohmann/json.hpp") },
  { name: "libcli11-dev", found: () => inTree("include/CLI/CLI.hpp") },
  { name: "zlib1g-dev", found: () => inTree("include/zlib.h") },
  { name: "libtorch-dev", found: ownTorch, without: "the LibTorch suites cannot run" },
  // Debian's LibTorch falls to the reference BLAS without it, four times slower.
  { name: "libopenblas0-pthread", found: ownTorch, without: "LibTorch is slow" },
  {
    name: "chromium",
    found: chromium,
    without: "the browser suite cannot run; set CHROMIUM to the path of a Chromium or Chrome",
  },
];

function installed(names) {
  const query = spawnSync("dpkg-query", ["-W", `-f=\${Package} \${db:Status-Status}\n`, ...names], {
    encoding: "utf8",
  });
  const lines = (query.stdout ?? "").split("\n");
  return new Set(lines.filter((line) => line.endsWith(" installed")).map((line) => line.split(" ")[0]));
}

function offered(names) {
  const policy = spawnSync("apt-cache", ["policy", ...names], { encoding: "utf8" }).stdout ?? "";
  const blocks = policy.matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (.*)$/gm);
  return new Set([...blocks].filter(([, , candidate]) => candidate !== "(none)").map(([, name]) => name));
}

function missing(list) {
  const known = installed(list.map(({ name }) => name));
  return list.filter(({ name, found }) => !known.has(name) && !found());
}

async function apt(...args) {
  const command = ["apt-get", "-o", "Dpkg::Use-Pty=0", ...args];
  const env = ["env", "DEBIAN_FRONTEND=noninteractive"];
  if (process.getuid() === 0) return quietly(env[0], [...env.slice(1), ...command]);
  return quietly("sudo", [...env, ...command]);
}

function askForRights(names) {
  if (process.getuid() === 0) return;
  const byHand = `apt-get install --no-install-recommends ${names.join(" ")}`;
  if (!onPath("sudo")) throw new Stop(`Packages are missing, and there is no sudo here. Run as root:\n  ${byHand}`);
  console.log(`Installing with sudo: ${names.join(" ")}`);
  if (spawnSync("sudo", ["-v"], { stdio: "inherit" }).status !== 0) {
    throw new Stop(`Packages are missing and sudo was refused. As root:\n  ${byHand}`);
  }
}

const noLists = () => !readdirSync("/var/lib/apt/lists").some((file) => /_Packages(\.|$)/.test(file));

/** Of the wanted packages, those that the distribution offers; a package that nothing can replace must be among them. */
async function choose(wanted) {
  const names = wanted.map(({ name }) => name);
  let there = offered(names);
  if (noLists() || wanted.some(({ name, without }) => !without && !there.has(name))) {
    askForRights(names);
    await step("Reading the package lists", () => apt("update"));
    there = offered(names);
  }
  const lacking = wanted.filter(({ name, without }) => !without && !there.has(name)).map(({ name }) => name);
  if (lacking.length > 0) {
    throw new Stop(`This distribution, or its package lists without a network, has no ${lacking.join(", ")}`);
  }
  return names.filter((name) => there.has(name));
}

async function install(names) {
  askForRights(names);
  const command = ["install", "-y", "--no-install-recommends", ...names];
  try {
    await step(`Installing ${names.join(" ")}`, () => apt(...command));
  } catch {
    // Old lists name files that are gone.
    await step("Reading the package lists", () => apt("update"));
    await step(`Installing ${names.join(" ")}`, () => apt(...command));
  }
}

/** Installs what is missing for "page" or "tests"; returns the packages that the distribution does not have. */
export async function ensurePackages(purpose) {
  const wanted = missing(needs.filter(({ page }) => page || purpose === "tests"));
  if (wanted.length === 0) return [];
  if (!onPath("apt-get") || !onPath("dpkg-query")) {
    const names = wanted.map(({ name }) => name).join(", ");
    throw new Stop(
      `Packages are installed only on Debian and Ubuntu. Please install what these are named here: ${names}`,
    );
  }
  const names = await choose(wanted);
  if (names.length > 0) await install(names);
  const absent = missing(wanted);
  for (const { name, without } of absent) {
    console.log(`! ${name} is not to be had here: ${without ?? "it is needed"}`);
  }
  const needed = absent.filter(({ without }) => !without).map(({ name }) => name);
  if (needed.length > 0) throw new Stop(`apt-get installed no ${needed.join(", ")}`);
  return absent.map(({ name }) => name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const purpose = process.argv[2];
  await main(async () => {
    if (purpose !== "page" && purpose !== "tests") throw new Stop("Say what for: packages.mjs page|tests");
    await ensurePackages(purpose);
  });
}
