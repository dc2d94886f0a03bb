import { codaLiveUrl, type CodaSettings } from "#adapters/coda/coda-payments.ts";
import { payermaxLiveUrl, type PayerMaxSettings } from "#adapters/payermax/payermax-gateway.ts";
import { payermaxPrivateKey, payermaxPublicKey } from "#adapters/payermax/payermax-signature.ts";
import type { StripeSettings } from "#adapters/stripe/stripe-api.ts";
import { isLiveStripeKey } from "#adapters/stripe/stripe-payments.ts";
import type { EnvReader } from "#env-reader.ts";

/** The payment providers that an operator has an account with; null: none there. All of it is secret. */
export interface PaymentsConfig {
  payermax: PayerMaxSettings | null;
  coda: CodaSettings | null;
  stripe: StripeSettings | null;
}

export function readPayments(env: EnvReader): PaymentsConfig {
  return { payermax: readPayermax(env), coda: readCoda(env), stripe: readStripe(env) };
}

function readPayermax(env: EnvReader): PayerMaxSettings | null {
  const baseUrl = readAddress(env, "PAYERMAX_URL", payermaxLiveUrl);
  const group = env.allOf(["PAYERMAX_APP_ID", "PAYERMAX_MERCHANT_NO", "PAYERMAX_PRIVATE_KEY", "PAYERMAX_PUBLIC_KEY"]);
  if (!group) return null;
  const privateKey = group.PAYERMAX_PRIVATE_KEY;
  const publicKey = group.PAYERMAX_PUBLIC_KEY;
  if (!isKey(privateKey, payermaxPrivateKey)) env.problem("PAYERMAX_PRIVATE_KEY is not a PKCS 8 key in base64");
  if (!isKey(publicKey, payermaxPublicKey)) env.problem("PAYERMAX_PUBLIC_KEY is not an SPKI key in base64");
  return { appId: group.PAYERMAX_APP_ID, merchantNo: group.PAYERMAX_MERCHANT_NO, privateKey, publicKey, baseUrl };
}

function readCoda(env: EnvReader): CodaSettings | null {
  const baseUrl = readAddress(env, "CODA_URL", codaLiveUrl);
  const pair = env.together("CODA_API_KEY", "CODA_PROJECT_ID");
  return pair && { apiKey: pair[0], projectId: pair[1], baseUrl };
}

function readStripe(env: EnvReader): StripeSettings | null {
  const pair = env.together("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET");
  if (!pair) return null;
  const [secretKey, webhookSecret] = pair;
  if (!/^[sr]k_(?:live|test)_/.test(secretKey)) env.problem("STRIPE_SECRET_KEY does not begin as a key of Stripe does");
  if (!webhookSecret.startsWith("whsec_")) env.problem("STRIPE_WEBHOOK_SECRET does not begin with whsec_");
  return { secretKey, webhookSecret };
}

/** Names of calls are added to it, so it ends in a slash. */
function readAddress(env: EnvReader, name: string, fallback: string): string {
  const address = env.text(name, fallback).replace(/\/*$/, "/");
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) env.problem(`${name} is not an address`);
  return address;
}

function isKey(text: string, read: (text: string) => unknown): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}

/** Production takes real money or does not start: a test system gives beans away (rule BEANS-250). */
export function refuseUnsafePayments(env: EnvReader, { payermax, coda, stripe }: PaymentsConfig): void {
  if (!payermax && !coda && !stripe) {
    env.problem(
      "production needs PAYERMAX_APP_ID, CODA_API_KEY or STRIPE_SECRET_KEY with what belongs to it: sandbox payments are refused",
    );
  }
  if (payermax && payermax.baseUrl !== payermaxLiveUrl)
    env.problem("production refuses a PAYERMAX_URL other than the live one");
  if (coda && coda.baseUrl !== codaLiveUrl) env.problem("production refuses a CODA_URL other than the live one");
  if (stripe && !isLiveStripeKey(stripe.secretKey))
    env.problem("production refuses a STRIPE_SECRET_KEY that is not live");
}
