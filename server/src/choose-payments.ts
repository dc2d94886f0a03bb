import { channelTypes } from "@fava/wire/gateway.ts";
import type { Logger } from "pino";
import { SandboxPayments } from "#adapters/sandbox-payments/sandbox-payments.ts";
import type { Config } from "#config.ts";
import type { Clock } from "#ports/clock.ts";
import type { PaymentProvider } from "#ports/payments.ts";

export interface ChosenPayments {
  /** Which provider serves a channel of the payment entry. */
  channels: ReadonlyMap<number, PaymentProvider>;
  /** Any provider that may have orders, also one that serves no channel any more. */
  providerById: (id: string) => PaymentProvider | null;
  /** Null in production. */
  sandbox: SandboxPayments | null;
}

/** The real provider of a channel where it is configured, the sandbox for the others; part of the composition root. */
export function choosePayments(
  { settings }: Config,
  parts: { serverSecret: string; clock: Clock; logger: Logger },
): ChosenPayments {
  const { serverSecret, clock, logger } = parts;
  const isSandboxed = settings.mode !== "production";
  const sandbox = isSandboxed ? new SandboxPayments({ secret: serverSecret, clock, log: logger }) : null;
  const channels = new Map<number, PaymentProvider>();
  if (sandbox) {
    channels.set(channelTypes.payermax, sandbox);
    channels.set(channelTypes.coda, sandbox);
  }
  const providers = [...new Set(channels.values())];
  return { channels, providerById: (id) => providers.find((provider) => provider.id === id) ?? null, sandbox };
}
