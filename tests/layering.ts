// The rules on which room of the repository may look where, as data, and the checker that applies them to one file.

export interface File {
  path: string;
  text: string;
}

export interface Rule {
  says: string;
  /** The files that it speaks of. */
  where: RegExp;
  except?: RegExp;
  /** What none of their lines may match; comments and string literals of C++ are taken out first. */
  forbids: RegExp;
  firstLineOnly?: true;
  /** A file that breaks the rule and one that keeps it: the checker must tell them apart. */
  bad: File;
  good: File;
}

const cpp = /\.(h|cpp)$/;

// An #include of anything outside the C++ standard library that is not in `allowed`.
const onlyIncludes = (allowed: string) => new RegExp(`#\\s*include\\s*(?=[<"])(?!<[a-z0-9_]+>|[<"](?:${allowed}))`);

const room = (folder: string, allowed: string, bad: string): Rule => ({
  says: `${folder} includes only the standard library and ${allowed}`,
  where: new RegExp(`^${folder}/.*\\.(h|cpp)$`),
  forbids: onlyIncludes(allowed),
  bad: { path: `${folder}/a.h`, text: `#include <vector>\n#include ${bad}\n` },
  good: { path: `${folder}/a.h`, text: `#include <vector>\n// #include ${bad}\n` },
});

const rooms: Rule[] = [
  room("shared/task", "shared/task/|shared/io/(error|message|utf8)\\.h", '"shared/io/checkpoint.h"'),
  room("shared/model", "shared/model/|shared/io/(error|message)\\.h", "<Eigen/Core>"),
  room("shared/io", "shared/(io|model)/", '"shared/eigen/kernels.h"'),
  room("shared/decoding", "shared/(decoding|model|task|io)/", '"shared/eigen/kernels.h"'),
  room("shared/eigen", "shared/|Eigen/", "<torch/torch.h>"),
  room("wasm", "wasm/|shared/|emscripten", "<Eigen/Core>"),
  {
    says: "shared/io/error.h includes only the standard library, since every room may include it",
    where: /^shared\/io\/error\.h$/,
    forbids: onlyIncludes("-"),
    bad: { path: "shared/io/error.h", text: '#include "shared/io/half.h"' },
    good: { path: "shared/io/error.h", text: "#include <string>" },
  },
  {
    says: "only the bindings know emscripten",
    where: cpp,
    except: /^wasm\/bindings[a-z_]*\.(h|cpp)$/,
    forbids: /#\s*include\s*[<"](emscripten|wasm_simd128)|\bEMSCRIPTEN_(BINDINGS|KEEPALIVE)\b/,
    bad: { path: "wasm/session.h", text: "#include <emscripten/val.h>" },
    good: { path: "wasm/bindings.cpp", text: "#include <emscripten/bind.h>" },
  },
  {
    says: "only native/torch_* and the trainer, and their tests, know LibTorch",
    where: cpp,
    except: /^(native\/(torch_|trainer)|tests\/(cpp|bench)\/torch_)[a-z0-9_]*\.(h|cpp)$/,
    forbids: /#\s*include\s*[<"](torch|ATen|c10|caffe2)\/|\b(torch|at|c10)::/,
    bad: { path: "native/main.cpp", text: "#include <torch/torch.h>" },
    good: { path: "native/torch_model.cpp", text: "#include <torch/torch.h>" },
  },
  {
    says: "native/ reaches Eigen only through shared/eigen; the manifest states its version",
    where: /^native\/.*\.(h|cpp)$/,
    except: /^native\/manifest\.cpp$/,
    forbids: /#\s*include\s*[<"](Eigen|unsupported)\/|\bEigen::/,
    bad: { path: "native/main.cpp", text: "Eigen::MatrixXf m;" },
    good: { path: "native/main.cpp", text: '#include "shared/eigen/inference_model.h"' },
  },
];

const conduct: Rule[] = [
  {
    says: "nothing in shared/ prints, aborts, reads files or the environment, or throws",
    where: /^shared\/.*\.(h|cpp)$/,
    forbids:
      /\b(printf|fprintf|puts|fputs|putchar|abort|exit|_Exit|quick_exit|terminate|fopen|getenv|system)\s*\(|\b(cout|cerr|clog|ifstream|ofstream|fstream|throw|try|catch)\b/,
    bad: { path: "shared/task/a.cpp", text: 'if (bad) throw Wrong{};\nstd::printf("x");' },
    good: { path: "shared/task/a.cpp", text: 'std::snprintf(out, 4, "throw"); // never exit() here\nassert(ok);' },
  },
  {
    says: "nothing in shared/ reads a clock or draws from outside",
    where: /^shared\/.*\.(h|cpp)$/,
    forbids: /_clock\b|::now\s*\(|#\s*include\s*<(ctime|time\.h)>|\bstd::time\s*\(|\brandom_device\b|\bstd::rand\b/,
    bad: { path: "shared/task/a.cpp", text: "auto t = std::chrono::steady_clock::now();" },
    good: { path: "shared/task/a.cpp", text: "std::chrono::year_month_day date{day};" },
  },
  {
    says: "the model is computed in shared/ only: no product, softmax, tanh or gate in native/ outside the LibTorch backend",
    where: /^native\/.*\.(h|cpp)$/,
    except: /^native\/torch_backend[a-z_]*\.(h|cpp)$/,
    forbids: /\b(matmul|bmm|addmm|baddbmm|einsum|softmax|log_softmax|tanh|sigmoid|GRU|gru_cell)\s*\(/,
    bad: { path: "native/torch_model.cpp", text: "auto s = torch::tanh(x);" },
    good: { path: "native/torch_backend.cpp", text: "out = torch::tanh(x);" },
  },
  {
    says: "the model is computed in shared/ only: no product, softmax, tanh or gate in wasm/",
    where: /^wasm\/.*\.(h|cpp)$/,
    forbids: /\b(matmul|softmax|log_softmax|tanh|tanhf|sigmoid|gru)\s*\(/,
    bad: { path: "wasm/session.cpp", text: "float y = std::tanh(x);" },
    good: { path: "wasm/session.cpp", text: "auto decoded = model.greedy(source, limit);" },
  },
  {
    says: "the page computes no model: no Math.exp, Math.tanh or softmax in web/",
    where: /^web\/.*\.(ts|mjs|js|html)$/,
    forbids: /\bMath\.(exp|expm1|tanh)\b|\b(softmax|matmul|sigmoid)\s*\(/,
    bad: { path: "web/src/draw/a.ts", text: "const p = z.map((x) => Math.exp(x));" },
    good: { path: "web/src/draw/a.ts", text: "const p = Math.round(100 * alpha);" },
  },
  {
    says: "every source file opens with a sentence that says what it is for",
    where: /(\.(h|cpp|ts|mts|mjs|cmake)|CMakeLists\.txt)$/,
    forbids: /^(?!\/\/ |# |#!)/,
    firstLineOnly: true,
    bad: { path: "shared/task/a.h", text: "#pragma once\n" },
    good: { path: "shared/task/a.h", text: "// What it is for.\n#pragma once\n" },
  },
];

const built: Rule[] = [
  {
    says: "the built page needs neither shared memory nor eval, and fetches no wasm from a data: address",
    where: /^dist\/.*\.(js|html)$/,
    forbids: /\bSharedArrayBuffer\b|\bnew Function\b|\beval\s*\(|data:application\/wasm/,
    bad: { path: "dist/assets/a.js", text: 'const f=new Function("return 1");' },
    good: { path: "dist/assets/a.js", text: "const f=()=>1;" },
  },
];

const repository: Rule[] = [
  {
    says: "the lock file says where no package came from",
    where: /^package-lock\.json$/,
    forbids: /"resolved"\s*:/,
    bad: { path: "package-lock.json", text: '"resolved": "somewhere"' },
    good: { path: "package-lock.json", text: '"version": "1.0.0"' },
  },
  {
    says: "no file holds the address of a package or a registry",
    where: /./,
    forbids: /https?:\/\/[^\s"'<>]*(\.tgz|\.whl|\.deb|\/registry\b|\/\/registry\.)|\bregistry\.[a-z-]+\.(org|com|io)\b/,
    bad: { path: ".npmrc", text: `registry=${["https:/", "packages.example", "a.tgz"].join("/")}` },
    good: { path: ".npmrc", text: "omit-lockfile-registry-resolved=true" },
  },
  {
    says: "no file holds a path of somebody's machine",
    where: /./,
    forbids: /(^|[\s"'`(=:])\/(work|home|root|Users)\//,
    bad: { path: "README.md", text: `cd ${["", "home", "me"].join("/")}/softalign` },
    good: { path: "README.md", text: "cd softalign" },
  },
];

export const rules: Rule[] = [...rooms, ...conduct, ...built, ...repository];

/** The code of a C++ file: comments and the insides of string literals are gone, includes stay whole. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .split("\n")
    .map((line) =>
      (/^\s*#\s*include/.test(line) ? line : line.replace(/"(?:[^"\\]|\\.)*"/g, '""')).replace(/\/\/.*$/, ""),
    )
    .join("\n");
}

/** One sentence for each line of `file` that breaks a rule. */
export function violations(file: File, applied: Rule[] = rules): string[] {
  const code = cpp.test(file.path) ? withoutComments(file.text) : file.text;
  return applied
    .filter(({ where, except }) => where.test(file.path) && !except?.test(file.path))
    .flatMap(({ says, forbids, firstLineOnly }) => {
      const lines = firstLineOnly ? file.text.split("\n").slice(0, 1) : code.split("\n");
      return lines
        .map((line, index) => ({ line, number: index + 1 }))
        .filter(({ line }) => forbids.test(line))
        .map(({ line, number }) => `${file.path}:${number}: ${says}: ${line.trim().slice(0, 120)}`);
    });
}
