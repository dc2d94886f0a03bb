import type { GatewayError } from "@fava/wire/gateway.ts";

/** What the gateway answers instead of data; `status` as in the envelope of the specification. */
export class GatewayRefusal extends Error {
  override readonly name = "GatewayRefusal";
  readonly status: number;
  readonly word: GatewayError;
  constructor(status: number, word: GatewayError) {
    super(word);
    this.status = status;
    this.word = word;
  }
}
