import { createHash } from "node:crypto";
import * as v from "valibot";
import { type PaymentEvent, PaymentProviderError } from "#ports/payments.ts";
import { minorFromPayermax } from "./payermax-amounts.ts";

/** Numbers are text here: `lossless-json` has read them. */
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const time = v.nullish(v.pipe(v.string(), v.maxLength(40)));

/** `data` of a payment's notification, and of the answer to `orderQuery`. */
const tradeSchema = v.object({
  outTradeNo: text,
  tradeToken: text,
  status: text,
  totalAmount: v.nullish(text),
  currency: v.nullish(text),
  completeTime: time,
});
export type PayermaxTrade = v.InferOutput<typeof tradeSchema>;

const refundSchema = v.object({
  outRefundNo: text,
  refundTradeNo: v.nullish(text),
  outTradeNo: text,
  refundAmount: text,
  refundCurrency: text,
  status: text,
  refundFinishTime: time,
});
const disputeSchema = v.object({
  caseId: text,
  outTradeNo: text,
  tradeToken: text,
  status: text,
  caseResult: v.nullish(v.string()),
  amount: text,
  currency: v.nullish(text),
  originTradeAmount: v.nullish(text),
  originTradeCurrency: v.nullish(text),
  tradeCurrency: v.nullish(text),
});
const fraudSchema = v.object({ outTradeNo: text, receiveDate: text });

/** What a notification says, before anybody knows more than stands in it. */
export type PayermaxNews =
  | { kind: "trade"; trade: PayermaxTrade }
  | { kind: "refund"; refund: v.InferOutput<typeof refundSchema> }
  | { kind: "dispute"; dispute: v.InferOutput<typeof disputeSchema> }
  | { kind: "fraud"; fraud: v.InferOutput<typeof fraudSchema> };

/**
 * Tells the kinds apart by their fields: notifications of disputes and fraud name no type that could be relied on.
 *
 * @throws PaymentProviderError for anything else, so that it is sent again and somebody looks at it.
 */
export function payermaxNews(data: unknown): PayermaxNews {
  const has = (name: string) => typeof data === "object" && data !== null && name in data;
  if (has("outRefundNo")) return { kind: "refund", refund: read(refundSchema, data) };
  if (has("caseId")) return { kind: "dispute", dispute: read(disputeSchema, data) };
  if (has("receiveDate")) return { kind: "fraud", fraud: read(fraudSchema, data) };
  return { kind: "trade", trade: payermaxTrade(data) };
}

/** @throws PaymentProviderError */
export function payermaxTrade(data: unknown): PayermaxTrade {
  return read(tradeSchema, data);
}

function read<Schema extends v.GenericSchema>(schema: Schema, data: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return parsed.output;
  throw new PaymentProviderError(`PayerMax wrote something unknown: ${v.getDotPath(parsed.issues[0])}`, {
    isTemporary: false,
  });
}

/** State decides, never `code` or `msg`; null while the person has not finished. */
export function tradeEvent(trade: PayermaxTrade, at: Date): PaymentEvent | null {
  const base = eventBase(trade.outTradeNo, trade.tradeToken, {
    at: timeOr(trade.completeTime, at),
    identity: ["trade", trade.tradeToken, trade.status],
  });
  switch (trade.status) {
    case "SUCCESS": {
      const currencyCode = trade.currency ?? "";
      return {
        ...base,
        kind: "paid",
        amountMinor: minorFromPayermax(trade.totalAmount ?? "", currencyCode),
        currencyCode,
      };
    }
    case "FAILED":
      return { ...base, kind: "failed" };
    case "CLOSED":
      return { ...base, kind: "expired" };
    case "PENDING":
      return null;
    default:
      throw unknownStatus("trade", trade.status);
  }
}

/** `transactionId` has to be asked for: the notification names the refund only. */
export function refundEvent(
  refund: v.InferOutput<typeof refundSchema>,
  transactionId: string,
  at: Date,
): PaymentEvent | null {
  const { status, outRefundNo, refundCurrency } = refund;
  if (status === "REFUND_PENDING") return null;
  if (status !== "REFUND_SUCCESS" && status !== "REFUND_FAILED") throw unknownStatus("refund", status);
  return {
    ...eventBase(refund.outTradeNo, transactionId, {
      at: timeOr(refund.refundFinishTime, at),
      identity: ["refund", outRefundNo, status],
    }),
    kind: status === "REFUND_SUCCESS" ? "refunded" : "refund_failed",
    refundNo: outRefundNo,
    amountMinor: minorFromPayermax(refund.refundAmount, refundCurrency),
  };
}

/** A case says in `caseResult` how it ended; a cancelled one ended in our favour. */
export function disputeEvent(dispute: v.InferOutput<typeof disputeSchema>, at: Date): PaymentEvent {
  const { status, caseId, caseResult } = dispute;
  const currencyCode = dispute.originTradeCurrency ?? dispute.currency ?? dispute.tradeCurrency ?? "";
  const amount = dispute.originTradeCurrency ? (dispute.originTradeAmount ?? dispute.amount) : dispute.amount;
  const identity = ["dispute", caseId, status, caseResult ?? ""];
  return {
    ...eventBase(dispute.outTradeNo, dispute.tradeToken, { at, identity }),
    kind: disputeKind(status, caseResult ?? ""),
    caseId,
    amountMinor: minorFromPayermax(amount, currencyCode),
  };
}

function disputeKind(status: string, result: string): "dispute_opened" | "dispute_won" | "dispute_lost" {
  if (result === "WIN" || status === "CASE_CANCEL" || status === "CASE_CANCELL") return "dispute_won";
  if (result === "FAIL") return "dispute_lost";
  if (status === "DISPUTE_INQUIRY" || status === "DISPUTE_RECEIVED") return "dispute_opened";
  throw unknownStatus("dispute", status);
}

export function fraudEvent(fraud: v.InferOutput<typeof fraudSchema>, transactionId: string, at: Date): PaymentEvent {
  const identity = ["fraud", fraud.outTradeNo, fraud.receiveDate];
  return {
    ...eventBase(fraud.outTradeNo, transactionId, { at: timeOr(fraud.receiveDate, at), identity }),
    kind: "early_fraud",
  };
}

/** PayerMax gives its news no id: what it is about and what it says make one. */
function eventBase(
  orderNo: string,
  transactionId: string,
  { at, identity }: { at: Date; identity: readonly string[] },
) {
  const eventId = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 40);
  return { eventId, orderNo, transactionId, at };
}

function timeOr(written: string | null | undefined, fallback: Date): Date {
  const at = new Date(written ?? "");
  return Number.isNaN(at.getTime()) ? fallback : at;
}

function unknownStatus(what: string, status: string): PaymentProviderError {
  return new PaymentProviderError(`PayerMax named an unknown ${what} status ${status}`, { isTemporary: false });
}
