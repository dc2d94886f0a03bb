import { createHash, timingSafeEqual } from "node:crypto";
import { WebhookRefusedError } from "#ports/payments.ts";

export interface CodaNotification {
  txnId: string;
  /** Our order number and the currency, as `codaOrderId` writes them. */
  orderId: string;
  resultCode: string;
}

/** Hexadecimal MD5 as Coda documents it. It covers neither the amount nor the time. */
export function codaChecksum({ txnId, orderId, resultCode }: CodaNotification, apiKey: string): string {
  return createHash("md5").update(`${txnId}${apiKey}${orderId}${resultCode}`).digest("hex");
}

/** @throws WebhookRefusedError when a parameter is missing or the checksum is not ours. */
export function checkedNotification(query: Readonly<Record<string, string>>, apiKey: string): CodaNotification {
  const txnId = /^\d{1,20}$/.exec(query["TxnId"] ?? "")?.[0];
  const orderId = /^[\w-]{4,64}$/.exec(query["OrderId"] ?? "")?.[0];
  const resultCode = /^\d{1,6}$/.exec(query["ResultCode"] ?? "")?.[0];
  const checksum = /^[\da-f]{32}$/.exec((query["Checksum"] ?? "").toLowerCase())?.[0];
  if (txnId === undefined || orderId === undefined || resultCode === undefined || checksum === undefined) {
    throw new WebhookRefusedError("the notification lacks a parameter");
  }
  const notification = { txnId, orderId, resultCode };
  if (!timingSafeEqual(Buffer.from(checksum), Buffer.from(codaChecksum(notification, apiKey)))) {
    throw new WebhookRefusedError("the checksum does not match");
  }
  return notification;
}

/**
 * What Coda knows an order by. The currency is part of it since neither notifications nor answers name one; its capital
 * letters also keep Coda from writing the id as a JSON number.
 */
export function codaOrderId(orderNo: string, currencyCode: string): string {
  return `${orderNo}${currencyCode}`;
}

/** The way back; null for an id that we did not give. */
export function ofCodaOrderId(orderId: string): { orderNo: string; currencyCode: string } | null {
  const match = /^([a-z\d]{1,32})([A-Z]{3})$/.exec(orderId);
  return match ? { orderNo: match[1] ?? "", currencyCode: match[2] ?? "" } : null;
}
