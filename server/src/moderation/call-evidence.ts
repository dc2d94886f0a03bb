import type { Logger } from "pino";
import { Tasks } from "#lib/tasks.ts";
import type { EvidenceItem, EvidenceQuery, LiveEvidence, Moderation } from "#ports/moderation.ts";
import { callKey, NobodyThereError, type Peers, personKey } from "#ports/peers.ts";

interface CallEvidenceOptions {
  /** Left out where nothing looks at calls: then a report has no evidence of one. */
  live?: LiveEvidence;
  peers: Pick<Peers, "ask" | "serve">;
  moderation: Pick<Moderation, "addEvidence">;
  logger: Pick<Logger, "error">;
}

/** Evidence of a call for its case, from whichever server hosts the call. */
export class CallEvidence implements AsyncDisposable {
  readonly #options: CallEvidenceOptions;
  readonly #tasks: Tasks;
  readonly #serving: Disposable;

  constructor(options: CallEvidenceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#serving = options.peers.serve("keepEvidence", async ({ caseId, query }) => this.#keepHere(caseId, query));
  }

  /** What this server remembers of the call. */
  here(...asked: Parameters<LiveEvidence["of"]>): ReturnType<LiveEvidence["of"]> {
    return this.#options.live?.of(...asked) ?? { callId: asked[0].callId, items: [] };
  }

  /** In the background, has the server with the call add what it remembers to the case. */
  elsewhere(about: { caseId: bigint; query: EvidenceQuery }): void {
    const { subjectId, otherId } = about.query;
    // A room is at the home of one of its two people, who may have moved since; that server has the key of the call then.
    const keys = [personKey(subjectId), personKey(otherId), callKey(subjectId), callKey(otherId)];
    this.#tasks.add("evidence of a call could not be asked for at other servers", async () => {
      let failure: unknown = null;
      for (const key of keys) {
        try {
          if (await this.#options.peers.ask("keepEvidence", key, about)) return;
        } catch (error) {
          if (!(error instanceof NobodyThereError)) failure = error;
        }
      }
      if (failure !== null) throw failure;
    });
  }

  /** Answers questions no longer, and stores what is left. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#serving[Symbol.dispose]();
    return this.#tasks[Symbol.asyncDispose]();
  }

  #keepHere(caseId: bigint, query: EvidenceQuery): boolean {
    const { items } = this.here(query, (late) => this.#store(caseId, late));
    if (items.length > 0) this.#store(caseId, items);
    return items.length > 0;
  }

  #store(caseId: bigint, items: readonly EvidenceItem[]): void {
    this.#tasks.add("evidence for another server was not stored", () =>
      this.#options.moderation.addEvidence(caseId, items),
    );
  }
}
