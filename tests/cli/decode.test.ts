// `decode`: answers as text and as JSON, the terminal's heat-map, and every text or file that cannot be read.
import { spawnSync } from "node:child_process";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  bytesOf,
  jsonLines,
  model,
  program,
  root,
  run,
  swappedGates,
  temporaryFile,
  temporaryFolder,
} from "./program.ts";

const showcase = "3 March 2021";

describe("--json", () => {
  it("gives source, output, log_prob and alpha, a row for each token with <eos>", () => {
    const { code, out, err } = run(["decode", "--json", showcase]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [answer] = jsonLines(out);
    expect(answer).toMatchObject({ source: showcase, output: "2021-03-03", notes: [] });
    expect(answer.log_prob).toBeLessThan(0);
    expect(answer.alpha.length).toBe(11);
    for (const row of answer.alpha) {
      expect(row.length).toBe(12);
      expect(row.reduce((sum: number, weight: number) => sum + weight, 0)).toBeCloseTo(1, 5);
    }
    expect(answer.positions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("has no alpha for the plain model", () => {
    const [answer] = jsonLines(run(["decode", "--json", "--model", model("plain"), showcase]).out);
    expect(answer.alpha).toBeNull();
    expect(answer.output.length).toBeGreaterThan(0);
  });

  it("prints one object a text, in their order", () => {
    const texts = ["13 Jul 1914", "2021/3/3", "from Apr 1, 2038 to 13 Jul 1914"];
    const answers = jsonLines(run(["decode", "--json", ...texts]).out);
    expect(answers.map(({ source }) => source)).toEqual(texts);
  });

  it("keeps 11 November 2011 apart in 16 columns and 11 rows (L52)", () => {
    const [answer] = jsonLines(run(["decode", "--json", "11 November 2011"]).out);
    expect(answer.alpha.map((row: number[]) => row.length)).toEqual(Array(11).fill(16));
  });

  it("reads texts as they were typed", () => {
    const texts = ["[a,b]", "%%1", "{1}", '"1"', "'1'", "a\\n1", "1,2", "<eos>", "1\t2"];
    const answers = jsonLines(run(["decode", "--json", "--", ...texts, "-1", "--json"]).out);
    expect(answers.map(({ source }) => source)).toEqual([...texts, "-1", "--json"]);
  });

  it("reads bytes that are no UTF-8", () => {
    const input = Buffer.from([0x33, 0x20, 0xff, 0x4d, 0xc3, 0x0a]);
    const { status, stdout } = spawnSync(program, ["decode", "--json", "--stdin"], { cwd: root, input });
    expect(status).toBe(0);
    expect(JSON.parse(stdout.toString()).source).toBe("3 \uFFFDM\uFFFD");
  });
});

describe("--stdin", () => {
  it("reads a text a line, whatever the line ends with", () => {
    const answers = jsonLines(run(["decode", "--json", "--stdin"], { input: `${showcase}\r\n13 Jul 1914` }).out);
    expect(answers.map(({ source }) => source)).toEqual([showcase, "13 Jul 1914"]);
  });

  it("says in which line a text is refused", () => {
    const { code, out, err } = run(["decode", "--stdin"], { input: `${showcase}\n\n${"3".repeat(401)}\n日本` });
    expect(code).toBe(1);
    expect(out).toContain(`${showcase} -> `);
    expect(err).toMatch(/^softalign decode: line 2: EMPTY: .*\n.* line 3: TOO_LONG: .*\n.* line 4: EMPTY: .*\n$/);
  });

  it("that cannot be read is no empty one", () => {
    for (const [input, code] of [
      ["</", 1],
      ["<&-", 1],
      ["</dev/null", 0],
    ] as const) {
      const { status, stderr } = spawnSync("sh", ["-c", `'${program}' decode --stdin ${input}`], {
        cwd: root,
        encoding: "utf8",
      });
      expect([input, status]).toEqual([input, code]);
      expect(stderr).toBe(code ? "softalign decode: NO_FILE: cannot read standard input\n" : "");
    }
  });

  it("answers a blank line with an error in its place and goes on (L05)", () => {
    const { code, out, err } = run(["decode", "--json", "--stdin"], { input: `${showcase}\n\n13 Jul 1914\n` });
    expect(code).toBe(1);
    const [first, blank, last] = jsonLines(out);
    expect([first.source, last.source]).toEqual([showcase, "13 Jul 1914"]);
    expect(blank).toMatchObject({ source: "", error: { code: "EMPTY" } });
    expect(err).toContain("EMPTY: nothing to read");
  });
});

describe("files of softalign that are no weights", () => {
  it("are named, with the file to take instead", () => {
    const unpacked = temporaryFile("x.snapshots", gunzipSync(readFileSync(join(root, "models/dot.snapshots"))));
    const refused = (path: string) => {
      const { code, out, err } = run(["decode", "--model", path, showcase]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      return err;
    };
    expect(refused("models/dot.probe.safetensors")).toMatch(
      /this is a probe, not the weights; they are in the file beside/,
    );
    expect(refused("models/dot.snapshots")).toMatch(
      /gzip file;.* \.snapshots file, take the \.safetensors file beside it/,
    );
    expect(refused(unpacked)).toMatch(
      /this is the snapshots of a training run; the weights are in the \.safetensors file/,
    );
  });
});

describe("texts", () => {
  it("names a letter that the model does not know, and its place, and decodes the rest (L03)", () => {
    const { code, out } = run(["decode", "3 März 2021"]);
    expect(code).toBe(0);
    expect(out).toContain('no letter "ä"; it is skipped (position 4)');
    const [answer] = jsonLines(run(["decode", "--json", "3 März 2021"]).out);
    expect(answer.positions).toEqual([0, 1, 2, 4, 6, 7, 8, 9, 10]);
    expect(answer.notes[0]).toMatchObject({ code: "UNKNOWN_LETTER", start: 3, end: 4 });
  });

  it("cannot steer the terminal that they are shown on", () => {
    const { code, out } = run(["decode", "3 March\x1b[2J\u009b2J \u202e2021\x07\u2028\u061c\x7f"]);
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^3 March \[2J 2J {2}2021 {4} -> /);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const input = Buffer.from([0x33, 0x20, 0xff, 0x4d, 0xc3, 0x0a]);
    const { stdout } = spawnSync(program, ["decode", "--stdin"], { cwd: root, input });
    expect(stdout.toString("latin1")).toMatch(/^3 \xef\xbf\xbdM\xef\xbf\xbd -> /);
  });

  it.each(["日本", "", "   ", "\n"])("%j is EMPTY (L04, L05)", (text) => {
    const { code, out, err } = run(["decode", text]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("softalign decode: EMPTY: nothing to read");
  });

  it.each([401, 10_000, 100_000])("%i characters are TOO_LONG, with the limit (L06)", (length) => {
    const { code, out, err } = run(["decode", "3".repeat(length)]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/TOO_LONG: .*400 characters/);
    expect(run(["decode", "3".repeat(400)]).code).toBe(0);
  });

  it.each([
    ["3/4/2021", "guess"],
    ["march 3 2021", "guess"],
    ["31 February 2021", "28 days"],
    ["1 May 2001; 2 May 2001; 3 May 2001; 4 May 2001; 5 May 2001", "outside training"],
  ])("%s is answered with a note", (text, words) => {
    const { code, out } = run(["decode", text]);
    expect(code).toBe(0);
    expect(out.replace(/\s+/g, " ")).toMatch(new RegExp(`Note: \\w.*${words}`));
  });
});

describe("the heat-map", () => {
  const sgr = new RegExp(`${"\x1b"}\\[[0-9;]*m`, "g");
  const rows = (text: string) =>
    text.split("\n").filter((line) => /^ *(<eos>|[0-9␣-]) {2}.* {3}[01]\.\d{3}$/.test(line));

  it("is digits without a terminal, one row a token and one column a character", () => {
    const { out } = run(["decode", showcase]);
    expect(out).toContain(`${showcase} -> 2021-03-03\n`);
    expect(out).toContain("3 ␣ M a r c h ␣ 2 0 2 1");
    expect(rows(out).length).toBe(11);
    for (const row of rows(out)) expect(row).toMatch(/^ *\S+ {2}( [.0-9]){12} {3}/);
    expect(out).not.toContain("\x1b");
  });

  it("is coloured when asked to, with the same columns, and never otherwise", () => {
    const { out } = run(["decode", "--color", "always", showcase], { env: { COLORTERM: "truecolor" } });
    expect(out).toContain("\x1b[48;2;");
    for (const row of rows(out.replace(sgr, ""))) expect(row.length).toBe(7 + 3 * 12 + 8);
    expect(run(["decode", "--color", "always", showcase], { env: { COLORTERM: "" } }).out).toContain("\x1b[48;5;");
    expect(run(["decode", "--color", "never", showcase]).out).not.toContain("\x1b");
  });

  it("obeys NO_COLOR on a terminal, and fits its width", () => {
    const long = "22nd September 2031; 23rd September 2031; 24th September 2031";
    const typed = (prefix: string) => `stty cols 40; ${prefix} '${program}' decode '${long}'`;
    const onTerminal = (command: string) => {
      const env = { ...process.env, TERM: "xterm-256color", NO_COLOR: "", COLORTERM: "" };
      return spawnSync("script", ["-qec", command, "/dev/null"], { cwd: root, encoding: "utf8", env }).stdout;
    };
    const coloured = onTerminal(typed(""));
    expect(coloured).toContain("\x1b[48;5;");
    const plain = onTerminal(typed("NO_COLOR=1"));
    expect(plain).not.toContain("\x1b[");
    expect(plain).toContain("Characters 26 to 50");
    for (const text of [plain, coloured.replace(sgr, "")]) {
      const [, ...lines] = text.split("\r\n");
      for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(40);
    }
  });
});

describe("weights files", () => {
  const decode = (path: string) => run(["decode", "--model", path, showcase]);

  it("that are missing are NO_FILE with the path", () => {
    expect(decode("/nowhere/x.safetensors")).toMatchObject({ code: 1, out: "" });
    expect(decode("/nowhere/x.safetensors").err).toContain("NO_FILE: cannot read /nowhere/x.safetensors: No such file");
    expect(decode(root).err).toContain("NO_FILE");
  });

  it("that end early are BAD_WEIGHTS with both sizes (L68)", () => {
    const whole = bytesOf("dot");
    const { code, out, err } = decode(temporaryFile("cut.safetensors", whole.subarray(0, 5000)));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`cut.safetensors: file ends early: 5000 of ${whole.length} bytes`);
  });

  it("of torch.save are refused with how to convert them (L67)", () => {
    const { code, err } = decode(temporaryFile("model.pt", Buffer.from("PK\x03\x04 archive/data.pkl")));
    expect(code).toBe(1);
    expect(err).toContain("BAD_WEIGHTS");
    expect(err).toContain("save_file(");
  });

  it("that compute something else than they say are WRONG_MODEL (L25)", () => {
    const path = temporaryFile("swapped.safetensors", swappedGates("dot"));
    for (const backend of ["eigen", "torch"]) {
      const { code, out, err } = run(["decode", "--backend", backend, "--model", path, showcase]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(`WRONG_MODEL: ${path}: the weights do not compute what the file says`);
    }
  });
});

describe("--svg", () => {
  it("never takes the place of a device or a pipe", () => {
    const pipe = join(temporaryFolder(), "map.svg");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const { code, out, err } = run(["decode", "--svg", pipe, "--force", showcase]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`CANNOT_WRITE: cannot write ${pipe}: it is no regular file`);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  const draw = (...args: string[]) => {
    const file = join(temporaryFolder(), "map.svg");
    const { code, err } = run(["decode", "--svg", file, ...args]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return readFileSync(file, "utf8");
  };
  const texts = (svg: string, kind: string) =>
    [...svg.matchAll(/<text class="([^"]*)"[^>]*>([^<]*)<\/text>/g)]
      .filter(([, classes]) => classes?.split(" ").includes(kind))
      .map(([, , text]) => text);

  it("draws the weights that --json prints, with a column for each code point", () => {
    const svg = draw(showcase);
    const [{ alpha }] = jsonLines(run(["decode", "--json", showcase]).out);
    expect(texts(svg, "column")).toEqual([..."3␣March␣2021"]);
    expect(texts(svg, "row")).toEqual([..."2021-03-03", "&lt;eos&gt;"]);
    const printed = alpha.flat().filter((weight: number) => weight >= 0.1);
    expect(texts(svg, "weight")).toEqual(printed.map((weight: number) => weight.toFixed(2)));
    expect(svg.match(/<rect class="w"/g)?.length).toBe(11 + alpha.flat().filter((w: number) => w >= 0.002).length);
    expect(svg).toMatch(/ role="img" aria-labelledby="map-title map-desc"/);
    expect(svg).toContain(
      '<title id="map-title">What dot looks at in “3 March 2021” while it writes “2021-03-03”</title>',
    );
    expect(svg).toMatch(/<desc id="map-desc">Rows are .* 2 has \d\.\d\d on . at \d+;.*&lt;eos&gt; has /);
    expect(svg).not.toMatch(/<script|href|url\(/);
  });

  it("keeps characters that the model does not know, marked, at their place", () => {
    const svg = draw("<3 Märch 2021>\u202e\u0007😀");
    expect(texts(svg, "column").join("")).toBe("&lt;3␣Märch␣2021&gt;\ufffd\ufffd😀");
    expect(texts(svg, "off")).toEqual(["&lt;", "ä", "&gt;", "\ufffd", "\ufffd", "😀"]);
    for (const unfit of ["\u202e", "\u0007"]) expect(svg).not.toContain(unfit);
    expect(svg).toContain("a character that the model does not know");
  });

  it("refuses more than one text, a model without attention, and files that are not its own", () => {
    const file = join(temporaryFolder(), "map.svg");
    for (const args of [["a", "b"], ["--stdin"], ["a", "--stdin"]]) {
      const { code, err } = run(["decode", "--svg", file, ...args]);
      expect(code).toBe(2);
      expect(err).toContain("draws the map of one text");
    }
    const plain = run(["decode", "--svg", file, "--model", model("plain"), showcase]);
    expect(plain).toMatchObject({ code: 1, out: "" });
    expect(plain.err).toContain("has no attention, so there is no map to draw");
    writeFileSync(file, "<svg>mine</svg>");
    expect(run(["decode", "--svg", file, showcase]).err).toContain("--force overwrites it");
    expect(readFileSync(file, "utf8")).toBe("<svg>mine</svg>");
    expect(run(["decode", "--svg", file, "--force", showcase]).code).toBe(0);
    expect(run(["decode", "--svg", file, showcase]).code).toBe(0);
    expect(run(["decode", "--svg", join(file, "x.svg"), showcase]).err).toContain("CANNOT_WRITE");
  });
});
