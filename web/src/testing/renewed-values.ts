import { RemoteValue as Value } from "../lib/remote-value.ts";

/** Replaces `lib/remote-value.ts` in component tests, so that each page loads its values again. */

/** @public */
export { useRemote } from "../lib/remote-value.ts";

type Options<Data> = ConstructorParameters<typeof Value<Data>>[0];

const values: WeakRef<RemoteValue<never>>[] = [];

/** @public */
export class RemoteValue<Data> {
  readonly #options: Options<Data>;
  #value: Value<Data>;

  constructor(options: Options<Data>) {
    this.#options = options;
    this.#value = new Value(options);
    values.push(new WeakRef(this as unknown as RemoteValue<never>));
  }

  readonly peek = (): Data | undefined => this.#value.peek();
  readonly look = (): Promise<void> => this.#value.look();
  readonly subscribe = (listener: () => void): (() => void) => this.#value.subscribe(listener);

  get isStale(): boolean {
    return this.#value.isStale;
  }

  fetch(): Promise<Data> {
    return this.#value.fetch();
  }

  invalidate(): void {
    this.#value.invalidate();
  }

  forget(): void {
    this.#value = new Value(this.#options);
  }
}

export function resetRemoteValues(): void {
  for (const value of values) value.deref()?.forget();
}
