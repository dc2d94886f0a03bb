import { channelTypes } from "@fava/wire/gateway.ts";
import type { Logger } from "pino";
import { CodaPayments } from "#adapters/coda/coda-payments.ts";
import { PayerMaxPayments } from "#adapters/payermax/payermax-payments.ts";
import { SandboxPayments } from "#adapters/sandbox-payments/sandbox-payments.ts";
import { StripePayments } from "#adapters/stripe/stripe-payments.ts";
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

/**
 * The real provider of a channel where it is configured. In development the sandbox stands in for PayerMax and Coda;
 * Stripe has a channel only where it is configured. Part of the composition root.
 */
export function choosePayments(
  { settings, payments }: Pick<Config, "settings" | "payments">,
  parts: { serverSecret: string; clock: Clock; logger: Logger },
): ChosenPayments {
  const { serverSecret, clock, logger } = parts;
  const payermax = payments.payermax && new PayerMaxPayments({ ...payments.payermax, clock });
  const coda = payments.coda && new CodaPayments({ ...payments.coda, clock });
  const stripe = payments.stripe && new StripePayments({ ...payments.stripe, clock });
  const isProduction = settings.mode === "production";
  const real = [payermax, coda, stripe].filter((provider) => provider !== null);
  if (isProduction && (real.length === 0 || real.some(({ mode }) => mode !== "live"))) {
    throw new Error("production was configured with sandbox payments");
  }
  const sandbox = isProduction ? null : new SandboxPayments({ secret: serverSecret, clock, log: logger });
  const serving: [number, PaymentProvider | null][] = [
    [channelTypes.payermax, payermax ?? sandbox],
    [channelTypes.coda, coda ?? sandbox],
    [channelTypes.stripe, stripe],
  ];
  const providers = new Map<string, PaymentProvider>(
    [...real, ...(sandbox ? [sandbox] : [])].map((provider) => [provider.id, provider]),
  );
  return {
    channels: new Map(serving.filter((entry): entry is [number, PaymentProvider] => entry[1] !== null)),
    providerById: (id) => providers.get(id) ?? null,
    sandbox,
  };
}
