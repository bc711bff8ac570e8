// What a demo tells the document around it; every event bubbles out of shadow roots.

/** The visitor changed the demo's state: the attributes named now say something else. */
export class ChangeEvent extends Event {
  static readonly type = "sa-change";
  constructor(readonly attributes: readonly string[]) {
    super(ChangeEvent.type, { bubbles: true, composed: true });
  }
}

/** The demo proposes a text for everything on the page; who takes it up prevents the default. */
export class SuggestEvent extends Event {
  static readonly type = "sa-suggest";
  constructor(readonly text: string) {
    super(SuggestEvent.type, { bubbles: true, composed: true, cancelable: true });
  }
}

/** A question that was asked before has its result: a sentence, and the values to set beside the guess. */
export class ResultEvent extends Event {
  static readonly type = "sa-result";
  constructor(
    readonly question: string,
    readonly result: string,
  ) {
    super(ResultEvent.type, { bubbles: true, composed: true });
  }
}

/** The visitor wants this demo alone in large type; only where the document offers that (attribute `presentable`). */
export class PresentEvent extends Event {
  static readonly type = "sa-present";
  constructor() {
    super(PresentEvent.type, { bubbles: true, composed: true });
  }
}
