// The dot model in JavaScript, made as fast as we could, for the decode bench to measure the module against.
//
// What was tried and kept: weights packed in blocks of eight rows with a chain of sums for each (2.8 GFLOP/s in V8, where
// one row with four chains reaches 1.6), token tables for embedding x W_ih + b_ih, every buffer made once, Math.exp for
// all three gates and the softmax. It computes the tokens and their attention weights, and no log-probabilities.

const PAD = 0;
const BOS = 1;
const EOS = 2;
const sourceCharacters = " ,/0123456789;ADFJMNOSabcdefghilmnoprstuvwy";
const targetCharacters = "0123456789- ";

/** The tensors of a safetensors file in F16. */
function readWeights(file: Uint8Array): Map<string, { shape: number[]; values: Float32Array }> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const begin = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, begin))) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  const weights = new Map<string, { shape: number[]; values: Float32Array }>();
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    if (dtype !== "F16") throw new Error(`${name} is ${dtype}, not F16`);
    const values = new Float32Array((data_offsets[1] - data_offsets[0]) / 2);
    for (let k = 0; k < values.length; k++) values[k] = fromHalf(view.getUint16(begin + data_offsets[0] + 2 * k, true));
    weights.set(name, { shape, values });
  }
  return weights;
}

function fromHalf(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** A matrix in blocks of eight rows, each block column by column, the last one filled with zeros. */
class PackedMatrix {
  readonly packed: Float32Array;
  readonly bias: Float32Array;
  readonly paddedRows: number;

  constructor(
    W: Float32Array,
    bias: Float32Array,
    readonly rows: number,
    readonly cols: number,
  ) {
    this.paddedRows = Math.ceil(rows / 8) * 8;
    this.packed = new Float32Array(this.paddedRows * cols);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) this.packed[((r >> 3) * cols + c) * 8 + (r & 7)] = W[r * cols + c]!;
    }
    this.bias = new Float32Array(this.paddedRows);
    this.bias.set(bias);
  }

  /** y = W x + b; y has room for whole blocks. */
  multiply(y: Float32Array, x: Float32Array) {
    const { packed, bias, cols, paddedRows } = this;
    for (let r = 0, p = 0; r < paddedRows; r += 8) {
      let s0 = bias[r]!;
      let s1 = bias[r + 1]!;
      let s2 = bias[r + 2]!;
      let s3 = bias[r + 3]!;
      let s4 = bias[r + 4]!;
      let s5 = bias[r + 5]!;
      let s6 = bias[r + 6]!;
      let s7 = bias[r + 7]!;
      for (let c = 0; c < cols; c++, p += 8) {
        const v = x[c]!;
        s0 += packed[p]! * v;
        s1 += packed[p + 1]! * v;
        s2 += packed[p + 2]! * v;
        s3 += packed[p + 3]! * v;
        s4 += packed[p + 4]! * v;
        s5 += packed[p + 5]! * v;
        s6 += packed[p + 6]! * v;
        s7 += packed[p + 7]! * v;
      }
      y[r] = s0;
      y[r + 1] = s1;
      y[r + 2] = s2;
      y[r + 3] = s3;
      y[r + 4] = s4;
      y[r + 5] = s5;
      y[r + 6] = s6;
      y[r + 7] = s7;
    }
  }
}

/** A GRU over tokens: its input product is a table. */
class Gru {
  readonly table: Float32Array; // (V, 3 d_h)
  readonly W_hh: PackedMatrix;
  readonly gates: Float32Array; // (3 d_h)

  constructor(
    embedding: Float32Array,
    W_ih: Float32Array,
    b_ih: Float32Array,
    W_hh: Float32Array,
    b_hh: Float32Array,
    readonly d_h: number,
  ) {
    const rows = 3 * d_h;
    const inputs = W_ih.length / rows;
    const V = embedding.length / inputs;
    const input = new PackedMatrix(W_ih, b_ih, rows, inputs);
    this.table = new Float32Array(V * rows);
    for (let token = 0; token < V; token++) {
      const x = embedding.subarray(token * inputs, (token + 1) * inputs);
      input.multiply(this.table.subarray(token * rows, (token + 1) * rows), x);
    }
    this.W_hh = new PackedMatrix(W_hh, b_hh, rows, d_h);
    this.gates = new Float32Array(rows);
  }

  /** The state after `token`, in place. */
  step(h: Float32Array, token: number) {
    const { table, gates, d_h } = this;
    this.W_hh.multiply(gates, h);
    const x = token * 3 * d_h;
    for (let j = 0; j < d_h; j++) {
      const r = 1 / (1 + Math.exp(-(table[x + j]! + gates[j]!)));
      const z = 1 / (1 + Math.exp(-(table[x + d_h + j]! + gates[d_h + j]!)));
      const n = 1 - 2 / (1 + Math.exp(2 * (table[x + 2 * d_h + j]! + r * gates[2 * d_h + j]!)));
      h[j] = (1 - z) * n + z * h[j]!;
    }
  }
}

export interface TunedDecoding {
  output: string;
  tokens: number;
  /** (tokens, S) row-major attention weights. */
  alpha: Float32Array;
}

export class TunedModel {
  readonly #d_h: number;
  readonly #encoder: Gru;
  readonly #decoder: Gru;
  readonly #W_c: PackedMatrix;
  readonly #W_o: PackedMatrix;
  readonly #s: Float32Array; // (d_h)
  readonly #joined: Float32Array; // (2 d_h) [s; h_bar]
  readonly #s_tilde: Float32Array; // (d_h)
  readonly #z: Float32Array; // (16), V of them used
  #h = new Float32Array(0); // (S, d_h)
  #alpha = new Float32Array(0); // (T, S)

  constructor(file: Uint8Array) {
    const weights = readWeights(file);
    const get = (name: string) => {
      const weight = weights.get(name);
      if (!weight) throw new Error(`the file has no ${name}`);
      return weight;
    };
    const d_h = get("enc.weight_hh_l0").shape[1]!;
    const gru = (prefix: string, embedding: string) => {
      const part = (name: string) => get(`${prefix}.${name}_l0`).values;
      return new Gru(
        get(embedding).values,
        part("weight_ih"),
        part("bias_ih"),
        part("weight_hh"),
        part("bias_hh"),
        d_h,
      );
    };
    const linear = (name: string) => {
      const { shape, values } = get(`${name}.weight`);
      return new PackedMatrix(values, get(`${name}.bias`).values, shape[0]!, shape[1]!);
    };
    this.#d_h = d_h;
    this.#encoder = gru("enc", "src_emb.weight");
    this.#decoder = gru("dec", "tgt_emb.weight");
    this.#W_c = linear("W_c");
    this.#W_o = linear("W_o");
    this.#s = new Float32Array(d_h);
    this.#joined = new Float32Array(2 * d_h);
    this.#s_tilde = new Float32Array(d_h);
    this.#z = new Float32Array(this.#W_o.paddedRows);
  }

  /** Greedy decoding of a text of known characters. */
  decode(text: string): TunedDecoding {
    const S = text.length;
    const d_h = this.#d_h;
    const s = this.#s;
    const z = this.#z;
    const V = this.#W_o.rows;
    this.#encode(text);
    const longest = Math.min(4 * S + 8, 128);
    if (this.#alpha.length < longest * S) this.#alpha = new Float32Array(longest * S);
    const alpha = this.#alpha;
    let output = "";
    let t = 0;
    for (let token = BOS; token !== EOS && t < longest; t++) {
      this.#decoder.step(s, token);
      this.#attend(alpha, t * S, S);
      this.#joined.set(s);
      this.#W_c.multiply(this.#s_tilde, this.#joined);
      for (let j = 0; j < d_h; j++) this.#s_tilde[j] = 1 - 2 / (1 + Math.exp(2 * this.#s_tilde[j]!));
      this.#W_o.multiply(z, this.#s_tilde);
      token = PAD;
      for (let v = 1; v < V; v++) if (z[v]! > z[token]!) token = v;
      output += targetCharacters[token - 3] ?? "";
    }
    return { output, tokens: t, alpha: alpha.slice(0, t * S) };
  }

  #encode(text: string) {
    const d_h = this.#d_h;
    const s = this.#s;
    if (this.#h.length < text.length * d_h) this.#h = new Float32Array(text.length * d_h);
    s.fill(0);
    for (let i = 0; i < text.length; i++) {
      this.#encoder.step(s, 1 + sourceCharacters.indexOf(text[i]!));
      this.#h.set(s, i * d_h);
    }
  }

  /** Writes row `at` of alpha, and h_bar behind s in `joined`. */
  #attend(alpha: Float32Array, at: number, S: number) {
    const d_h = this.#d_h;
    const s = this.#s;
    const h = this.#h;
    const joined = this.#joined;
    let largest = -Infinity;
    for (let i = 0; i < S; i++) {
      const row = i * d_h;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let j = 0; j < d_h; j += 4) {
        s0 += h[row + j]! * s[j]!;
        s1 += h[row + j + 1]! * s[j + 1]!;
        s2 += h[row + j + 2]! * s[j + 2]!;
        s3 += h[row + j + 3]! * s[j + 3]!;
      }
      const score = s0 + s1 + (s2 + s3);
      alpha[at + i] = score;
      if (score > largest) largest = score;
    }
    let sum = 0;
    for (let i = 0; i < S; i++) {
      const e = Math.exp(alpha[at + i]! - largest);
      alpha[at + i] = e;
      sum += e;
    }
    for (let i = 0; i < S; i++) alpha[at + i]! /= sum;
    for (let j = 0; j < d_h; j += 4) {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let i = 0, row = j; i < S; i++, row += d_h) {
        const a = alpha[at + i]!;
        s0 += a * h[row]!;
        s1 += a * h[row + 1]!;
        s2 += a * h[row + 2]!;
        s3 += a * h[row + 3]!;
      }
      joined[d_h + j] = s0;
      joined[d_h + j + 1] = s1;
      joined[d_h + j + 2] = s2;
      joined[d_h + j + 3] = s3;
    }
  }
}
