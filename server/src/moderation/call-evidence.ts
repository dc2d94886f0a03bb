import type { Logger } from "pino";
import { Tasks } from "#lib/tasks.ts";
import type { EvidenceItem, EvidenceQuery, LiveEvidence, Moderation } from "#ports/moderation.ts";
import { NoOwnerError, type Peers, personKey } from "#ports/peers.ts";

interface CallEvidenceOptions {
  /** Undefined if frames are not inspected. Reports then have no frames as evidence. */
  live?: LiveEvidence;
  peers: Pick<Peers, "ask" | "serve">;
  moderation: Pick<Moderation, "addEvidence">;
  logger: Pick<Logger, "error">;
}

export class CallEvidence implements AsyncDisposable {
  readonly #options: CallEvidenceOptions;
  readonly #tasks: Tasks;
  readonly #serving: Disposable;

  constructor(options: CallEvidenceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#serving = options.peers.serve("keepEvidence", async ({ caseId, query }) => this.#addLocal(caseId, query));
  }

  local(...asked: Parameters<LiveEvidence["of"]>): ReturnType<LiveEvidence["of"]> {
    return this.#options.live?.of(...asked) ?? { callId: asked[0].callId, items: [] };
  }

  requestRemote(about: { caseId: bigint; query: EvidenceQuery }): void {
    const { subjectId, otherId } = about.query;
    // One of the two users' home servers has the room. If that user moved, the room's server still serves the key.
    const keys = [personKey(subjectId), personKey(otherId)];
    this.#tasks.add("failed to request evidence of a call from other servers", async () => {
      let failure: unknown = null;
      for (const key of keys) {
        try {
          if (await this.#options.peers.ask("keepEvidence", key, about)) return;
        } catch (error) {
          if (!(error instanceof NoOwnerError)) failure = error;
        }
      }
      if (failure !== null) throw failure;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#serving[Symbol.dispose]();
    return this.#tasks[Symbol.asyncDispose]();
  }

  #addLocal(caseId: bigint, query: EvidenceQuery): boolean {
    const { items } = this.local(query, (late) => this.#store(caseId, late));
    if (items.length > 0) this.#store(caseId, items);
    return items.length > 0;
  }

  #store(caseId: bigint, items: readonly EvidenceItem[]): void {
    this.#tasks.add("failed to store evidence for another server", () =>
      this.#options.moderation.addEvidence(caseId, items),
    );
  }
}
