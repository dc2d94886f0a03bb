import type { CreditReason } from "@fava/wire/endpoints/beans.ts";

/** Our side of a transfer. House accounts keep no running balance, so that no row of theirs is ever fought over. */
export type HouseAccount = `sales:${string}` | "filter-revenue" | "promotion" | "adjustment" | "write-off";

export type AccountRef = { readonly userId: bigint } | { readonly house: HouseAccount };

/** What a transfer is for. */
export type TransferKind =
  | "purchase"
  /** A filter in a call; held first, then posted. */
  | "call"
  | "credit"
  | "refund"
  | "dispute_opened"
  | "dispute_won"
  | "adjustment";

export interface TransferOrder {
  /** The same key moves beans once, however often it is asked for, see research notes 1.7 for their forms. */
  readonly key: string;
  readonly kind: TransferKind;
  readonly from: AccountRef;
  readonly to: AccountRef;
  /** More than zero. */
  readonly amount: bigint;
  /** Order number or call id. */
  readonly reference: string;
  readonly reason?: CreditReason;
  /** Whether the balance may fall below zero: refunds and chargebacks only. */
  readonly overdraft?: boolean;
}

/** A hold is a transfer from a person to `filter-revenue` that is not made yet. */
export interface HoldOrder {
  readonly key: string;
  readonly userId: bigint;
  readonly amount: bigint;
  /** Call id. */
  readonly reference: string;
}

export type Posted = { readonly kind: "posted" | "known"; readonly transferId: bigint };
export type HoldAnswer =
  | { readonly kind: "held" | "known" }
  /** `have`: what could be spent, in beans; `limit`: what stood in the way. */
  | { readonly kind: "refused"; readonly have: bigint; readonly limit: "balance" | "cap" };

/** The balance does not cover it. */
export class NotEnoughBeansError extends Error {
  override readonly name = "NotEnoughBeansError";
  readonly have: bigint;
  constructor(have: bigint) {
    super("not enough beans");
    this.have = have;
  }
}

/** The key was used for another transfer: a defect of the caller, never of the person. */
export class TransferConflictError extends Error {
  override readonly name = "TransferConflictError";
}
