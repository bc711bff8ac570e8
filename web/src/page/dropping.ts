// A file dragged over the window: announced while it hovers, taken when it is dropped.
import type { ReactiveController, ReactiveControllerHost } from "lit";

export interface Dropping {
  /** A file hovers over the window, or has left it. */
  drag(over: boolean): void;
  take(file: File): Promise<void>;
}

export class FileDrop implements ReactiveController {
  readonly #listeners: Record<string, (event: DragEvent) => void>;

  constructor(host: ReactiveControllerHost & Dropping) {
    this.#listeners = {
      dragover: (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        host.drag(true);
      },
      dragleave: (event) => {
        if (event.relatedTarget === null) host.drag(false);
      },
      drop: (event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        host.drag(false);
        void host.take(file);
      },
    };
    host.addController(this);
  }

  hostConnected() {
    for (const [type, listener] of Object.entries(this.#listeners)) {
      window.addEventListener(type, listener as EventListener);
    }
  }

  hostDisconnected() {
    for (const [type, listener] of Object.entries(this.#listeners)) {
      window.removeEventListener(type, listener as EventListener);
    }
  }
}
