// `evaluate --html`: a page that stands alone, says the numbers that `evaluate --json` says, and shows any name as text.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { model, root, run, temporaryFolder } from "./program.ts";

const names = ["plain", "dot"];
const limit = ["--limit", "12"];
const K = ["1", "2", "3", "4"];
const decimals = (x: number, digits = 3) => x.toFixed(digits);

/** A new folder with copies of models, with their manifests, under names of their own. */
function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [to, from] of Object.entries(files))
    for (const extension of ["json", "safetensors"])
      copyFileSync(join(root, "models", `${from}.${extension}`), join(folder, `${to}.${extension}`));
  return folder;
}

function report(...flags: string[]): string {
  const file = join(temporaryFolder(), "report.html");
  const { code, err } = run(["evaluate", ...limit, "--html", file, ...flags]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return readFileSync(file, "utf8");
}

const text = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, "")
    .replaceAll("\u00a0", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The rows of the table with such a caption; those of a group carry its title in front. */
function table(html: string, caption: string): string[][] {
  const all = [...html.matchAll(/<table>.*?<\/table>/gs)].map(([markup]) => markup);
  const found = all.filter((markup) => text(/<caption>.*?<\/caption>/s.exec(markup)?.[0] ?? "").startsWith(caption));
  expect(found.length, caption).toBe(1);
  let group = "";
  const rows: string[][] = [];
  for (const [row] of (found[0]?.replace(/<thead>.*<\/thead>/s, "") ?? "").matchAll(/<tr.*?<\/tr>/gs)) {
    const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => text(cell ?? ""));
    if (row.includes('scope="rowgroup"')) group = cells[0] ?? "";
    else rows.push(group ? [group, ...cells] : cells);
  }
  return rows;
}

describe("a report of two models", () => {
  let html = "";
  // biome-ignore lint/suspicious/noExplicitAny: what the program prints
  const measured: Record<string, any> = {};
  beforeAll(() => {
    const folder = folderOf({ plain: "plain", dot: "dot" });
    html = report("--model", folder);
    for (const name of names)
      measured[name] = JSON.parse(run(["evaluate", "--json", ...limit, "--model", model(name)]).out);
  });

  const withAll = (rates: Record<string, number>, digits = 3) =>
    [...K, "all"].map((key) => decimals(rates[key] ?? Number.NaN, digits));
  const exactMatch = (name: string) => {
    const rates: Record<string, number> = measured[name].exact_match;
    return withAll({ ...rates, all: K.reduce((sum, k) => sum + (rates[k] ?? 0), 0) / 4 });
  };

  it("has every number of the answers", () => {
    expect(table(html, "Exact match")).toEqual(names.map((name) => [name, ...exactMatch(name)]));
    expect(table(html, "Well formed")).toEqual(
      names.map((name) => [name, ...K.map((k) => decimals(measured[name].well_formed[k]))]),
    );
    expect(table(html, "Each date")).toEqual(
      names.map((name) => [name, ...K.flatMap((k) => measured[name].per_date[k].map((x: number) => decimals(x)))]),
    );
  });

  it("has both scores beside each other, and the free-running one in its first sentence", () => {
    const forced = (name: string) => measured[name].teacher_forced;
    expect(table(html, "Free running beside teacher forcing")).toEqual([
      ...names.map((name) => ["Exact match, free running", name, ...exactMatch(name)]),
      ...names.map((name) => ["Token accuracy, teacher forcing", name, ...withAll(forced(name).token_accuracy)]),
      ...names.map((name) => ["Loss in nats per token, teacher forcing", name, ...withAll(forced(name).loss, 6)]),
    ]);
    const lead = text(/<p class="lead">.*?<\/p>/s.exec(html)?.[0] ?? "");
    expect(lead).toContain("free running: ");
    for (const name of names) expect(lead).toContain(`${name} ${exactMatch(name)[4]}`);
  });

  it("has every number of the alignment, with chance, of models that attend", () => {
    for (const [caption, hits, chances] of [
      ["Alignment", "alignment_hit_rate", "chance_hit_rate"],
      ["Field", "field_hit_rate", "chance_field_rate"],
    ] as const)
      expect(table(html, caption)).toEqual(
        ["0", "1", "2"].flatMap((tol) => {
          const group = tol === "0" ? "Inside it" : `At most ${tol} after it`;
          return [
            [group, "dot", ...withAll(measured.dot[hits][tol])],
            [group, "by chance", ...withAll(measured.dot[chances][tol])],
          ];
        }),
      );
    expect(table(html, "Share of rows")).toEqual([["dot", ...withAll(measured.dot.one_hot_share)]]);
  });

  it("has what the models are, and what they do on the showcase", () => {
    expect(table(html, "The models")).toEqual(
      names.map((name) => {
        const manifest = JSON.parse(readFileSync(join(root, "models", `${name}.json`), "utf8"));
        const { score, ordering, encoder } = manifest.config;
        const count = (n: number) => n.toLocaleString("en");
        const seconds = `${decimals(manifest.seconds, 0)} s`;
        return [
          name,
          score,
          ordering,
          encoder,
          count(manifest.parameters),
          count(manifest.steps),
          `${manifest.seed}`,
          seconds,
        ];
      }),
    );
    const { showcase } = measured.dot;
    expect(table(html, "On 3 March 2021")[1]).toEqual([
      "dot",
      showcase.output,
      decimals(showcase.log_prob, 6),
      `${showcase.one_hot_rows} of ${showcase.largest_at.length}`,
      showcase.largest_at.join(" "),
    ]);
  });

  it("draws a curve for each model, and maps for those that attend", () => {
    const chart = /<svg class="chart"[^>]*aria-labelledby="loss-title.*?<\/svg>/s.exec(html)?.[0] ?? "";
    expect(chart.match(/class="raw series/g)?.length).toBe(2);
    expect([...chart.matchAll(/class="name series s\d d\d"[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual(names);
    expect(html.match(/<svg class="map"/g)?.length).toBe(2);
    const showcase = JSON.parse(run(["decode", "--json", "3 March 2021"]).out);
    const [map] = /<svg class="map".*?<\/svg>/s.exec(html) ?? [""];
    const printed = [...map.matchAll(/class="w weight"[^>]*>([\d.]+)</g)].map(([, weight]) => weight);
    expect(printed).toEqual(
      showcase.alpha
        .flat()
        .filter((weight: number) => weight >= 0.1)
        .map((weight: number) => decimals(weight, 2)),
    );
    for (const name of names) {
      const panel = html.split(`Exact match of ${name}, free running`)[1]?.split("</svg>")[0] ?? "";
      const values = [...panel.matchAll(/class="middle value"[^>]*>([\d.]+)</g)].map(([, value]) => value);
      expect(values).toEqual(exactMatch(name).slice(0, 4));
    }
  });

  it("stands alone: no script, and nothing that a browser would ask for", () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en"/);
    expect(html).not.toMatch(/<script|<link|<img|<iframe|<object|@import|url\(|\bsrc=|\son\w+=/i);
    expect(html.match(/\bhref="[^"]*"/g)?.every((link) => /^href="#\w+"$/.test(link))).toBe(true);
    expect(html.match(/https?:/g)).toBeNull();
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, wanted] of html.matchAll(/aria-labelledby="([^"]*)"/g))
      for (const id of wanted?.split(" ") ?? []) expect(ids).toContain(id);
  });

  it("shows <eos> as text", () => {
    expect(html).toContain(">&lt;eos&gt;</text>");
    expect(html).not.toMatch(/<eos>/i);
  });
});

it("shows a hostile name as text", () => {
  const name = `<img src=x onerror=alert(1)>"'&\u202e`;
  const html = report("--model", folderOf({ [name]: "dot" }));
  expect(html).not.toMatch(/<img|"'&\u202e/);
  expect(html).toContain("<code>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp; </code>");
  expect(table(html, "Exact match")[0]?.[0]).toBe(`<img src=x onerror=alert(1)>"'& `);
});

it("draws no curve of a manifest that is of other weights, or is none, and says so", () => {
  const folder = folderOf({ a: "plain", b: "plain" });
  const path = join(folder, "a.json");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(/"sha256": "[0-9a-f]{64}"\s*\}/, `"sha256": "${"0".repeat(64)}"}`),
  );
  writeFileSync(join(folder, "b.json"), '{"softalign_manifest": 1, "loss": [], "seed": {}}');
  const html = report("--model", folder);
  expect(html).not.toContain('aria-labelledby="loss-title');
  expect(text(html)).toContain("No manifest tells of the training of a, b");
});

it("takes one file, a folder, or all of models/", () => {
  expect(table(report("--model", model("dot")), "Exact match").map(([name]) => name)).toEqual(["dot"]);
  const all = table(report(), "Exact match").map(([name]) => name);
  for (const name of names) expect(all).toContain(name);
});

describe("what it does not do", () => {
  it("overwrite what softalign did not write, without --force", () => {
    const file = join(temporaryFolder(), "notes.html");
    writeFileSync(file, "<!doctype html>\nmine");
    const flags = ["evaluate", "--limit", "1", "--model", model("plain"), "--html", file];
    const refused = run(flags);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("CANNOT_WRITE");
    expect(refused.err).toContain("--force overwrites it");
    expect(readFileSync(file, "utf8")).toBe("<!doctype html>\nmine");
    expect(run([...flags, "--force"]).code).toBe(0);
    expect(run(flags)).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(file, "utf8")).toContain("</html>");
  });

  it("begin when it could not end", () => {
    const into = join(temporaryFolder(), "none", "report.html");
    expect(run(["evaluate", "--html", into]).err).toContain("there is no folder");
    const empty = temporaryFolder();
    const file = join(temporaryFolder(), "report.html");
    expect(run(["evaluate", "--html", file, "--model", empty]).err).toContain("NO_FILE");
    const damaged = folderOf({ a: "plain", b: "plain" });
    writeFileSync(join(damaged, "b.safetensors"), readFileSync(model("plain")).subarray(0, 5000));
    const { code, out, err } = run(["evaluate", "--html", file, "--model", damaged]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("b.safetensors: file ends early");
    expect(run(["evaluate", "--html", file, "--json"])).toMatchObject({ code: 2, out: "" });
  });
});
