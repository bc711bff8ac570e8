// Every sentence that the engine and its client answer with when something is wrong.

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

export const messages = {
  fileUnreachable: (name: string) => `${name} could not be fetched: no connection, or the server does not allow it.`,
  fileMissing: (name: string, status: number) => `${name} could not be fetched: the server answered ${status}.`,
  fileCutOff: (name: string, loaded: number) =>
    `${name} stopped arriving after ${kilobytes(loaded)}: check the connection and try again.`,
  engineRefused: (reason: string) =>
    `This browser did not start the WebAssembly module; reload the page, and if it stays so, try a newer browser (${reason}).`,
  engineNotOne:
    "What came in place of the WebAssembly module is not one: the server probably sent an error page; check the address.",
  engineMissing: (reason: string) =>
    `The program of the engine did not come: reload the page, which may have been renewed meanwhile (${reason}).`,
  engineStopped: (reason: string) =>
    `The engine stopped on an error that it should not meet: reload the page (${reason}).`,
  engineNotStarted: "The engine has not been started.",
  workerBroken: "The engine's worker stopped: reload the page.",
  workerSilent: (seconds: number) => `The engine's worker did not answer within ${seconds} seconds: reload the page.`,
  noModel: (name: string) => `No model named "${name}" is loaded.`,
  superseded: "A newer text took this one's place.",
  cancelled: "The measurement was cancelled.",
};
