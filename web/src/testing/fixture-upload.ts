/** The parts of `XMLHttpRequest` that uploads use. It reports half of the file as sent until the response. */
export class FixtureUpload {
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  onloadend: (() => void) | null = null;
  responseText = "";
  readonly #answer: (path: string, body: Uint8Array<ArrayBuffer>) => Promise<object | null>;
  #path = "";
  #isOver = false;

  constructor(answer: (path: string, body: Uint8Array<ArrayBuffer>) => Promise<object | null>) {
    this.#answer = answer;
  }

  open(_method: string, path: string): void {
    this.#path = path;
  }

  /** Ignores the signature, which the fixtures do not verify. */
  setRequestHeader(): void {}

  send(body: Uint8Array<ArrayBuffer>): void {
    void this.#carry(body);
  }

  abort(): void {
    this.#end(this.onabort);
  }

  async #carry(body: Uint8Array<ArrayBuffer>): Promise<void> {
    await Promise.resolve();
    this.upload.onprogress?.({ loaded: body.length / 2, total: body.length });
    const said = await this.#answer(this.#path, body);
    this.responseText = JSON.stringify(said);
    this.#end(said === null ? this.onerror : this.onload);
  }

  #end(told: (() => void) | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    told?.();
    this.onloadend?.();
  }
}
