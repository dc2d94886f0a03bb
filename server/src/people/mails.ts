import type { FastifyInstance } from "fastify";
import type { Base } from "#lib/base.ts";
import { addLabelledCounter } from "#lib/metric-registration.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import type { Bus } from "#ports/bus.ts";
import type { Mailer } from "#ports/mailer.ts";
import { MailAddresses } from "./mail-addresses.ts";
import { mailPages } from "./mail-pages.ts";
import { mailHandlers } from "./mail-routes.ts";
import { MailSender } from "./mail-sender.ts";
import { MailTokens } from "./mail-tokens.ts";

interface MailParts {
  base: Base;
  mailer: Mailer | null;
  bus: Bus;
  publicOrigin: string | null;
}

export function openMails({ base, mailer, bus, publicOrigin }: MailParts) {
  const { db, clock, limits, serverSecret, mails: outbox, metrics, logger } = base;
  const tokens = new MailTokens(serverSecret);
  const sender = new MailSender({ db, clock, mailer, outbox, tokens, serverSecret, publicOrigin, logger });
  const changed = (userId: bigint) => pushOwnDataChanged(bus, userId);
  const addresses = new MailAddresses({ db, clock, limits, outbox, tokens, changed });
  addLabelledCounter(metrics, {
    name: "fava_mail_total",
    help: "Attempts to send a mail, by what the mail server answered, and mails given up after the last one",
    label: "result",
    read: () => sender.figures,
  });
  return {
    sender,
    handlers: mailHandlers(addresses, sender),
    routes: (app: FastifyInstance): Promise<void> => mailPages(app, { addresses, limits }),
  };
}
