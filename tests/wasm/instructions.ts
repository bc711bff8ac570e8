// Reads the instructions of a WebAssembly module one by one, as its binary format lays them out, to tell whether any is SIMD.

class Reader {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new RangeError("the module ends early");
    return value;
  }
  /** A LEB128 number of up to 32 bits; of a longer or signed one only the length counts. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}

const CODE_SECTION = 10;
const V128 = 0x7b;
const SIMD_PREFIX = 0xfd;

/** How many numbers follow the opcodes 0xfc 8 to 0xfc 17, memory.init to table.fill; none follows those before. */
const BULK = [2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/** How many LEB128 numbers follow an opcode; the reader stands behind it, and passes what is no such number. */
function numbersAfter(opcode: number, reader: Reader): number {
  const within = (first: number, last: number) => first <= opcode && opcode <= last;
  if (opcode === 0x0e) return reader.number() + 1; // br_table: its targets and the last one
  if (opcode === 0x1c) return reader.number(); // select of a type
  if (opcode === 0x43 || opcode === 0x44) reader.at += opcode === 0x43 ? 4 : 8; // f32.const, f64.const
  if (opcode === 0xfc) return BULK[reader.number() - 8] ?? 0;
  if (opcode === 0x11 || within(0x28, 0x3e)) return 2; // call_indirect; loads and stores
  const branch = within(0x02, 0x04) || within(0x0c, 0x0d) || opcode === 0x10;
  if (branch || within(0x20, 0x26) || within(0x3f, 0x42) || opcode === 0xd0 || opcode === 0xd2) return 1;
  const none = within(0x00, 0x01) || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f || within(0x1a, 0x1b);
  if (!none && !within(0x43, 0xc4) && opcode !== 0xd1) throw new Error(`unknown opcode 0x${opcode.toString(16)}`);
  return 0;
}

/** Whether any function holds a SIMD instruction or a variable for one. Throws at an opcode that it does not know. */
export function usesSimd(module: Uint8Array): boolean {
  const reader = new Reader(module);
  reader.at = 8;
  while (reader.at < module.length) {
    const section = reader.byte();
    const end = reader.number() + reader.at;
    if (section !== CODE_SECTION) {
      reader.at = end;
      continue;
    }
    for (let functions = reader.number(); functions > 0; --functions) {
      const functionEnd = reader.number() + reader.at;
      for (let groups = reader.number(); groups > 0; --groups) {
        reader.number();
        if (reader.byte() === V128) return true;
      }
      while (reader.at < functionEnd) {
        const opcode = reader.byte();
        if (opcode === SIMD_PREFIX) return true;
        for (let left = numbersAfter(opcode, reader); left > 0; --left) reader.number();
      }
      if (reader.at !== functionEnd) throw new RangeError("an instruction runs over the end of its function");
    }
    return false;
  }
  throw new Error("the module has no code");
}
